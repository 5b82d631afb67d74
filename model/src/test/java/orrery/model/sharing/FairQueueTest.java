package orrery.model.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FairQueueTest {
    private final FairQueue<String> queue = new FairQueue<>(3);

    private List<String> begun(int places, int spares) {
        List<String> begun = new ArrayList<>();
        for (Optional<String> next = queue.begin(places, spares);
                next.isPresent();
                next = queue.begin(places, spares)) {
            begun.add(next.get());
        }
        return begun;
    }

    private void offer(int container, String... works) {
        for (String work : works) {
            assertThat(queue.offer(container, work)).isTrue();
        }
    }

    @Test
    void oneContainerMayHaveAllPlacesWhileNobodyElseWantsOne() {
        offer(1, "a", "b", "c");
        assertThat(begun(2, 0)).containsExactly("a", "b");
    }

    @Test
    void containersTakeTurns() {
        offer(1, "a1", "a2", "a3");
        offer(2, "b1", "b2");
        offer(3, "c1");
        assertThat(begun(6, 0)).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
    }

    @Test
    void theOneWithTheLeastUnderWayGoesFirst() {
        offer(1, "a1", "a2");
        assertThat(begun(2, 0)).containsExactly("a1", "a2");
        offer(1, "a3");
        offer(2, "b1", "b2");
        assertThat(begun(2, 0)).isEmpty();
        queue.end(1);
        assertThat(begun(2, 0)).containsExactly("b1");
        queue.end(1);
        // One each is under way or was; the first container has nothing left.
        assertThat(begun(2, 0)).containsExactly("a3");
    }

    @Test
    void onePlaceIsNobodysWhoHasOneAlready() {
        offer(1, "a1", "a2", "a3");
        assertThat(begun(2, 1)).containsExactly("a1", "a2");
        offer(2, "b1", "b2");
        assertThat(begun(2, 1)).containsExactly("b1");
        queue.end(2);
        assertThat(begun(2, 1)).containsExactly("b2");
    }

    @Test
    void whoMakesTooMuchWaitIsRefusedAlone() {
        offer(1, "a1", "a2", "a3");
        assertThat(queue.offer(1, "a4")).isFalse();
        offer(2, "b1");
        assertThat(queue.begin(1, 0)).hasValue("a1");
        offer(1, "a4");
    }

    @Test
    void whatWasDrainedDoesNotBegin() {
        offer(1, "a1", "a2");
        offer(2, "b1");
        assertThat(queue.begin(1, 0)).hasValue("a1");
        assertThat(queue.drain()).containsExactlyInAnyOrder("a2", "b1");
        queue.end(1);
        assertThat(queue.begin(1, 0)).isEmpty();
    }

    @Test
    void whatNeverBeganCannotEnd() {
        assertThatThrownBy(() -> queue.end(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatIsWithdrawnMakesRoomAndDoesNotBegin() {
        offer(1, "a", "b", "c");
        assertThat(queue.offer(1, "d")).isFalse();
        assertThat(queue.withdraw(1, "b")).isTrue();
        assertThat(queue.withdraw(1, "b")).isFalse();
        assertThat(queue.withdraw(2, "a")).isFalse();
        offer(1, "d");

        assertThat(begun(4, 0)).containsExactly("a", "c", "d");
        assertThat(queue.withdraw(1, "a")).isFalse();
    }
}
