package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UsageTest {
    private static final Usage.Window NOTHING = new Usage.Window(0, 0, 0);

    private final FakeTime time = new FakeTime();
    private final Usage usage = new Usage(time.nanos());

    @Test
    void aNewOneHasUsedNothing() {
        assertThat(snapshot()).isEqualTo(new Usage.Snapshot(NOTHING, NOTHING, NOTHING));
    }

    @Test
    void theLastSecondIsTheLastWholeOne() {
        add(5);
        assertThat(snapshot().second()).isEqualTo(NOTHING);
        time.passSeconds(1);
        add(7);
        usage.addRefused(time.nanos());
        assertThat(snapshot().second()).isEqualTo(new Usage.Window(5, 1, 0));
        time.passSeconds(1);
        assertThat(snapshot().second()).isEqualTo(new Usage.Window(7, 2, 1));
        assertThat(snapshot().second().refusedShare()).isEqualTo(0.5);
        time.passSeconds(1);
        assertThat(snapshot().second()).isEqualTo(NOTHING);
    }

    @Test
    void theMinuteForgetsSecondBySecond() {
        for (int second = 0; second < 90; second++) {
            add(10);
            time.passSeconds(1);
        }
        assertThat(snapshot().minute()).isEqualTo(new Usage.Window(600, 60, 0));
        time.passSeconds(20);
        assertThat(snapshot().minute()).isEqualTo(new Usage.Window(400, 40, 0));
        time.passSeconds(40);
        assertThat(snapshot().minute()).isEqualTo(NOTHING);
    }

    @Test
    void theHourForgetsAsEvenlyAsMinutesAre() {
        for (int second = 0; second < 2 * 3_600; second++) {
            add(2);
            if (second % 100 == 99) {
                time.passSeconds(1);
                assertThat(snapshot().hour().ru())
                        .isEqualTo(2 * Math.min(second + 1, 3_600), within(1e-6));
            } else {
                time.passSeconds(1);
            }
        }
        time.passSeconds(1_830);
        assertThat(snapshot().hour()).isEqualTo(new Usage.Window(2 * 1_770, 1_770, 0));
        time.pass(Duration.ofDays(500));
        assertThat(snapshot().hour()).isEqualTo(NOTHING);
        assertThat(usage.total()).isEqualTo(new Usage.Window(14_400, 7_200, 0));
    }

    @Test
    void childrenGoOnWithTheirShareAndTheMergedOneWithBoth() {
        for (int second = 0; second < 4_000; second++) {
            add(4);
            add(4);
            time.passSeconds(1);
        }
        time.passMillis(300);
        Usage left = new Usage(time.nanos());
        left.continueFrom(List.of(usage), 0.5, time.nanos());
        assertThat(left.snapshot(time.nanos()))
                .isEqualTo(
                        new Usage.Snapshot(
                                new Usage.Window(4, 1, 0),
                                new Usage.Window(240, 60, 0),
                                new Usage.Window(14_400, 3_600, 0)));
        Usage right = new Usage(time.nanos());
        time.passSeconds(1);
        right.add(10_000, time.nanos());
        left.addRefused(time.nanos());
        time.passSeconds(1);
        Usage merged = new Usage(time.nanos());
        merged.continueFrom(List.of(right, left), 1, time.nanos());

        // 58 whole seconds of the child, and 10 RU of the other.
        assertThat(merged.snapshot(time.nanos()).minute().ru()).isEqualTo(58 * 4 + 10, within(4.1));
        assertThat(merged.snapshot(time.nanos()).hour().refused()).isEqualTo(1);
        assertThat(merged.total().ru()).isEqualTo(4_000 * 4 + 10);
        time.passSeconds(1);
        merged.add(1_000, time.nanos());
        time.passSeconds(1);
        assertThat(merged.snapshot(time.nanos()).second().ru()).isEqualTo(1, within(1e-6));
        time.passSeconds(60);
        assertThat(merged.snapshot(time.nanos()).minute().ru()).isZero();
    }

    @Test
    void hearsOfEachSecondOnce() {
        var heard = new StringBuilder();
        var heardBy =
                new Usage(
                        time.nanos(),
                        (milliRu, nanosAgo) ->
                                heard.append(milliRu)
                                        .append(" after ")
                                        .append(Duration.ofNanos(nanosAgo).toMillis())
                                        .append('\n'));
        heardBy.add(3_000, time.nanos());
        time.passMillis(1_200);
        heardBy.add(4_000, time.nanos());
        heardBy.add(1_000, time.nanos());
        time.passSeconds(10);
        heardBy.advance(time.nanos());
        heardBy.advance(time.nanos());
        time.passSeconds(10);
        heardBy.advance(time.nanos());

        assertThat(heard.toString()).isEqualTo("3000 after 1200\n5000 after 10200\n");
    }

    @Test
    void aClockReadEarlierIsHarmless() {
        long early = time.nanos();
        time.passSeconds(5);
        add(1);
        usage.add(1_000, early);
        assertThat(usage.snapshot(early).minute()).isEqualTo(NOTHING);
        time.passSeconds(1);
        assertThat(snapshot().second()).isEqualTo(new Usage.Window(2, 2, 0));
    }

    private void add(double ru) {
        usage.add(MilliRu.of(ru), time.nanos());
    }

    private Usage.Snapshot snapshot() {
        return usage.snapshot(time.nanos());
    }
}
