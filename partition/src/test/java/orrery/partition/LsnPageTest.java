package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.model.SizeLimits;

class LsnPageTest {
    private final LsnPage<String> page = new LsnPage<>(3, 100, LsnPage.Alone.STAYS_WHOLE);

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

    @Test
    void anLsnThatIsAloneIsCutWhereAPageMayEndWithinIt() {
        LsnPage<String> cut = new LsnPage<>(1, 100, LsnPage.Alone.IS_CUT);
        assertThat(cut.add("a", 1, 60)).isTrue();
        assertThat(cut.add("b", 1, 40)).isTrue();
        assertThat(cut.add("c", 1, 1)).isFalse();

        assertThat(cut.results()).containsExactly("a", "b");
        assertThat(cut.lastLsn()).isEqualTo(1);
    }

    @Test
    void oneResultFitsHoweverLargeItIs() {
        LsnPage<String> cut = new LsnPage<>(1, 100, LsnPage.Alone.IS_CUT);
        assertThat(cut.add("a", 1, SizeLimits.MAX_MESSAGE_BYTES)).isTrue();
        assertThat(cut.add("b", 1, 1)).isFalse();

        assertThat(cut.results()).containsExactly("a");
    }

    /** An LSN is cut only where it could never fit. */
    @Test
    void anLsnThatFitsByItselfWaitsWhereOthersMayBeCut() {
        LsnPage<String> cut = new LsnPage<>(3, 100, LsnPage.Alone.IS_CUT);
        cut.add("a", 1, 30);
        assertThat(cut.add("b", 2, 60)).isTrue();
        assertThat(cut.add("c", 2, 30)).isFalse();

        assertThat(cut.results()).containsExactly("a");
        assertThat(cut.lastLsn()).isEqualTo(1);
    }
}
