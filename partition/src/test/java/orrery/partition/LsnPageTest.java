package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.model.SizeLimits;

class LsnPageTest {
    private final LsnPage<String> page = new LsnPage<>(3, 100);

    private boolean add(String result, long lsn, int bytes) {
        return page.add(result, lsn, bytes);
    }

    @Test
    void aPageEndsBeforeTheFirstLsnThatDoesNotFit() {
        assertThat(add("a", 1, 60)).isTrue();
        assertThat(add("b", 2, 40)).isTrue();
        assertThat(add("c", 3, 1)).isFalse();

        assertThat(page.results()).containsExactly("a", "b");
        assertThat(page.bytes()).isEqualTo(100);
        assertThat(page.lastLsn()).isEqualTo(2);
    }

    @Test
    void anLsnThatFitsOnlyInPartWaitsAsAWhole() {
        add("a", 1, 30);
        assertThat(add("b", 2, 30)).isTrue();
        assertThat(add("c", 2, 30)).isTrue();
        assertThat(add("d", 2, 11)).isFalse();

        assertThat(page.results()).containsExactly("a");
        assertThat(page.bytes()).isEqualTo(30);
        assertThat(page.lastLsn()).isEqualTo(1);
    }

    @Test
    void anLsnThatIsAloneMayTakeMore() {
        assertThat(add("a", 1, 100)).isTrue();
        assertThat(add("b", 1, 100)).isTrue();
        assertThat(add("c", 2, 1)).isFalse();

        assertThat(page.results()).containsExactly("a", "b");
    }

    @Test
    void theNumberOfResultsEndsNoLsn() {
        for (int i = 0; i < 5; i++) {
            assertThat(add("a" + i, 1, 1)).isTrue();
        }
        assertThat(add("b", 2, 1)).isFalse();

        assertThat(page.size()).isEqualTo(5);
    }

    /** Deletes of large items, in a feed that keeps what they deleted, can make one. */
    @Test
    void anLsnThatIsLargerThanAMessageDoesNotEndTheFeed() {
        int half = SizeLimits.MAX_MESSAGE_BYTES / 2;
        for (int i = 0; i < 3; i++) {
            assertThat(add("a" + i, 1, half)).isTrue();
        }
        assertThat(add("b", 2, 1)).isFalse();

        assertThat(page.lastLsn()).isEqualTo(1);
        assertThat(page.size()).isEqualTo(3);
    }
}
