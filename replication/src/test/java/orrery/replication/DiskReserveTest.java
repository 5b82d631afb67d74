package orrery.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.replication.DiskReserve.Level;

/** A disk whose free space the test sets. */
class DiskReserveTest {
    private static final long MB = 1 << 20;
    private static final long RESERVE = 64 * MB;

    private final AtomicLong free = new AtomicLong(1000 * MB);
    private final AtomicInteger looks = new AtomicInteger();
    private final DiskReserve reserve =
            new DiskReserve(
                    RESERVE,
                    () -> {
                        looks.incrementAndGet();
                        return free.get();
                    });

    private Level levelAt(long bytes) {
        free.set(bytes);
        reserve.look();
        return reserve.status().level();
    }

    private static OrreryException refusal(Runnable write) {
        List<OrreryException> thrown = new ArrayList<>();
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(write::run)
                .satisfies(thrown::add);
        return thrown.getFirst();
    }

    @Test
    void aStartMayWriteWhateverIsSeenMeanwhile() {
        reserve.starting();
        for (long bytes : new long[] {RESERVE, RESERVE / 2, 0}) {
            levelAt(bytes);
            reserve.admit(true, 1);
            reserve.admit(false, 1);
        }
        reserve.started();
        assertThat(refusal(() -> reserve.admit(true, 1)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(reserve.status().refused()).isEqualTo(1);
    }

    @Test
    void belowTheReserveOnlyDeletesGoOn() {
        assertThat(levelAt(RESERVE)).isEqualTo(Level.ENOUGH);
        reserve.admit(true, 1);

        assertThat(levelAt(RESERVE - 1)).isEqualTo(Level.DELETES_ONLY);
        OrreryException refusal = refusal(() -> reserve.admit(true, 1));
        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.text()).contains("nearly full").contains("64 MB").contains("deletes");
        assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(1));
        reserve.admit(false, 1);

        assertThat(levelAt(RESERVE / 2 - 1)).isEqualTo(Level.NO_WRITES);
        assertThat(refusal(() -> reserve.admit(false, 1)).text()).doesNotContain("deletes");
        assertThat(reserve.status().refused()).isEqualTo(2);
        assertThat(reserve.status().freeBytes()).isEqualTo(RESERVE / 2 - 1);
    }

    /** Space that comes and goes with each compaction does not switch writes on and off. */
    @Test
    void writesGoOnWhenThereIsALittleMoreThanTheReserve() {
        assertThat(levelAt(0)).isEqualTo(Level.NO_WRITES);
        assertThat(levelAt(RESERVE / 2)).isEqualTo(Level.NO_WRITES);
        assertThat(levelAt(RESERVE / 2 + RESERVE / 16)).isEqualTo(Level.DELETES_ONLY);
        assertThat(levelAt(RESERVE)).isEqualTo(Level.DELETES_ONLY);
        assertThat(levelAt(RESERVE + RESERVE / 16)).isEqualTo(Level.ENOUGH);
        reserve.admit(true, 1);
        assertThat(levelAt(RESERVE)).isEqualTo(Level.ENOUGH);
    }

    /** Between two looks of the thread nobody may write the reserve full. */
    @Test
    void whoWritesMuchLooksAtOnce() {
        int before = looks.get();
        free.set(RESERVE - 1);
        for (int i = 0; i < 2; i++) {
            reserve.admit(true, MB);
        }
        assertThat(looks.get()).isEqualTo(before);

        refusal(() -> reserve.admit(true, MB));
        assertThat(looks.get()).isEqualTo(before + 1);
    }

    @Test
    void aDiskThatDoesNotTellChangesNothing() {
        DiskReserve silent =
                new DiskReserve(
                        RESERVE,
                        () -> {
                            throw new IOException("gone");
                        });
        silent.admit(true, RESERVE);
        assertThat(silent.status().level()).isEqualTo(Level.ENOUGH);
    }

    @Test
    void withoutAReserveNothingIsRefused() {
        DiskReserve none = new DiskReserve(0, () -> 0);
        none.admit(true, RESERVE);
        assertThat(none.bytesToStart()).isZero();
    }

    @Test
    void aLogAsksForWhatTakesSpace() {
        List<String> done = new ArrayList<>();
        CommandLog<String, String> inner =
                new CommandLog<>() {
                    @Override
                    public String submit(String command, Duration timeout) {
                        done.add(command);
                        return command;
                    }

                    @Override
                    public void close() {}
                };
        try (ReservedLog<String, String> log =
                new ReservedLog<>(
                        inner, reserve, command -> command.startsWith("+"), String::length)) {
            log.submit("+a", Duration.ZERO);
            levelAt(RESERVE - 1);
            refusal(() -> log.submit("+b", Duration.ZERO));
            log.submit("-a", Duration.ZERO);
            levelAt(2 * RESERVE);
            log.submit("+c", Duration.ZERO);
        }
        assertThat(done).containsExactly("+a", "-a", "+c");
    }
}
