package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.query.evaluate.ValueHash;

class SeenHashesTest {
    private final SeenHashes seen = new SeenHashes();

    private static ValueHash hash(int value) {
        return ValueHash.of(Value.of(value));
    }

    @Test
    void holdsEachOnceHoweverMuchItGrows() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(hash(i), i)).isTrue();
            assertThat(seen.add(hash(i / 2), i)).isFalse();
        }
        assertThat(seen.size()).isEqualTo(10_000);
        assertThat(seen.all()).doesNotHaveDuplicates().hasSize(10_000).contains(hash(9_999));
        assertThat(seen.contains(hash(0))).isTrue();
        assertThat(seen.contains(hash(10_000))).isFalse();
    }

    @Test
    void forgetsWhatCameLate() {
        List<ValueHash> early = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(hash(i), i);
            if (i < 400) {
                early.add(hash(i));
            }
        }
        seen.forgetFrom(400);
        assertThat(seen.all()).containsExactlyInAnyOrderElementsOf(early);
        assertThat(seen.add(hash(399), 5)).isFalse();
        assertThat(seen.add(hash(400), 400)).isTrue();
        seen.forgetFrom(0);
        assertThat(seen.size()).isZero();
        assertThat(seen.contains(hash(1))).isFalse();
    }

    /** Hashes whose lowest bits are equal meet in one place of the table. */
    @Test
    void findsThoseThatMeetInOnePlace() {
        List<ValueHash> meeting = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            meeting.add(new ValueHash(63 + 64L * i, i));
            seen.add(meeting.getLast(), i);
        }
        meeting.forEach(each -> assertThat(seen.contains(each)).isTrue());
        seen.forgetFrom(10);
        meeting.subList(0, 10).forEach(each -> assertThat(seen.contains(each)).isTrue());
        meeting.subList(10, 30).forEach(each -> assertThat(seen.contains(each)).isFalse());
    }

    @Test
    void tellsBeforehandWhenItGrows() {
        long first = seen.sizeBytes();
        for (int i = 0; i < 32; i++) {
            assertThat(seen.nextSizeBytes()).isEqualTo(first);
            seen.add(hash(i), i);
        }
        assertThat(seen.sizeBytes()).isEqualTo(first);
        // The old table and one of twice its size.
        assertThat(seen.nextSizeBytes()).isEqualTo(3 * first);
        seen.add(hash(32), 32);
        assertThat(seen.sizeBytes()).isEqualTo(2 * first);
    }
}
