package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.partition.meter.LargestKeys.KeyBytes;

final class LargestKeysTest {
    private final LargestKeys<String> keys = new LargestKeys<>(3);

    @Test
    void listsTheLargestFirst() {
        keys.update("a", 10);
        keys.update("b", 30);
        keys.update("c", 20);
        keys.update("d", 25);

        assertThat(keys.top(2))
                .isEqualTo(
                        new LargestKeys.Snapshot<>(
                                List.of(new KeyBytes<>("b", 30), new KeyBytes<>("d", 25)), 20));
        assertThat(keys.top(3).othersAtMostBytes()).isEqualTo(10);
    }

    @Test
    void followsAKeyThatShrinksUntilAnotherTakesItsPlace() {
        keys.update("a", 30);
        keys.update("b", 20);
        keys.update("c", 10);
        keys.update("a", 5);
        assertThat(names()).containsExactly("b", "c", "a");

        keys.update("d", 6);
        assertThat(names()).containsExactly("b", "c", "d");
    }

    @Test
    void aKeyWithoutItemsLeaves() {
        keys.update("a", 30);
        keys.update("b", 20);
        keys.update("a", 0);
        keys.update("never seen", 0);

        assertThat(names()).containsExactly("b");
        assertThat(keys.top(3).othersAtMostBytes()).isZero();
    }

    @Test
    void whatWasReadBeforeDoesNotReplaceWhatWasToldSince() {
        keys.update("a", 5);
        keys.offer("a", 9, () -> 9);
        keys.offer("b", 7, () -> 6);
        keys.offer("gone", 8, () -> 0);
        keys.offer("c", 4, () -> 4);

        assertThat(names()).containsExactly("b", "a", "c");
        keys.offer("small", 3, () -> 3);
        assertThat(names()).containsExactly("b", "a", "c");
        assertThat(keys.top(3).othersAtMostBytes()).isEqualTo(3);
    }

    @Test
    void aKeyThatWasPushedOutComesBackWhenItGrows() {
        keys.update("a", 1);
        keys.update("b", 2);
        keys.update("c", 3);
        keys.update("d", 4);
        assertThat(names()).containsExactly("d", "c", "b");
        keys.update("a", 5);
        assertThat(names()).containsExactly("a", "d", "c");
    }

    @Test
    void childrenKnowTheKeysOfTheirParent() {
        keys.update("a", 10);
        keys.update("b", 30);
        keys.update("c", 20);
        keys.update("d", 5);
        LargestKeys<String> child = new LargestKeys<>(3);
        child.takeOver(keys, key -> !key.equals("b"));

        assertThat(child.top(3))
                .isEqualTo(
                        new LargestKeys.Snapshot<>(
                                List.of(new KeyBytes<>("c", 20), new KeyBytes<>("a", 10)), 5));
    }

    private List<String> names() {
        return keys.top(3).keys().stream().map(KeyBytes::key).toList();
    }
}
