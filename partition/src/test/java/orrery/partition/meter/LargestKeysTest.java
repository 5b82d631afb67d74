package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.partition.meter.LargestKeys.KeyBytes;

final class LargestKeysTest {
    private final LargestKeys<String> keys = new LargestKeys<>(3);
    private long lsn;

    private void update(String key, long bytes) {
        keys.update(key, bytes, ++lsn);
    }

    @Test
    void listsTheLargestFirst() {
        update("a", 10);
        update("b", 30);
        update("c", 20);
        update("d", 25);

        assertThat(keys.top(2))
                .isEqualTo(
                        new LargestKeys.Snapshot<>(
                                List.of(new KeyBytes<>("b", 30), new KeyBytes<>("d", 25)), 20));
        assertThat(keys.top(3).othersAtMostBytes()).isEqualTo(10);
    }

    @Test
    void followsAKeyThatShrinksUntilAnotherTakesItsPlace() {
        update("a", 30);
        update("b", 20);
        update("c", 10);
        update("a", 5);
        assertThat(names()).containsExactly("b", "c", "a");

        update("d", 6);
        assertThat(names()).containsExactly("b", "c", "d");
    }

    @Test
    void aKeyWithoutItemsLeaves() {
        update("a", 30);
        update("b", 20);
        update("a", 0);
        update("never seen", 0);

        assertThat(names()).containsExactly("b");
        assertThat(keys.top(3).othersAtMostBytes()).isZero();
    }

    @Test
    void whatWasReadBeforeDoesNotReplaceWhatWasToldSince() {
        update("a", 5);
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
    void theLaterWriteCountsThoughItIsToldFirst() {
        keys.update("a", 20, 2);
        keys.update("a", 10, 1);
        keys.update("b", 5, 4);
        keys.update("b", 15, 3);

        assertThat(keys.top(3).keys())
                .containsExactly(new KeyBytes<>("a", 20), new KeyBytes<>("b", 5));
    }

    @Test
    void heirsKeepWhatIsLater() {
        keys.update("a", 20, 7);
        LargestKeys<String> child = new LargestKeys<>(3);
        child.takeOver(keys, _ -> true);
        child.update("a", 10, 6);

        assertThat(child.top(3).keys()).containsExactly(new KeyBytes<>("a", 20));
    }

    @Test
    void whatChangedUntoldIsReadAgain() {
        update("a", 10);
        update("b", 30);
        update("gone", 20);
        update("small", 5);
        keys.refresh(
                key ->
                        switch (key) {
                            case "a" -> 40;
                            case "b" -> 30;
                            default -> 0;
                        });

        assertThat(keys.top(3).keys())
                .containsExactly(new KeyBytes<>("a", 40), new KeyBytes<>("b", 30));
        update("next", 1);
        assertThat(names()).containsExactly("a", "b", "next");
    }

    @Test
    void aKeyThatWasPushedOutComesBackWhenItGrows() {
        update("a", 1);
        update("b", 2);
        update("c", 3);
        update("d", 4);
        assertThat(names()).containsExactly("d", "c", "b");
        update("a", 5);
        assertThat(names()).containsExactly("a", "d", "c");
    }

    @Test
    void childrenKnowTheKeysOfTheirParent() {
        update("a", 10);
        update("b", 30);
        update("c", 20);
        update("d", 5);
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
