package orrery.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;

@Timeout(900)
class LocalLogTest {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int KB = 1024;

    private final HeldMachine machine = new HeldMachine();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private LocalLog<Integer, String> log =
            new LocalLog<>("test", machine, command -> command, EntryLimits.DEFAULT);

    /** Commands are their own sizes. It prepares and commits only when it is let. */
    private static final class HeldMachine implements StateMachine<Integer, String> {
        final Semaphore turns = new Semaphore(0);
        final Semaphore started = new Semaphore(0);
        final Semaphore writes = new Semaphore(10_000);
        final List<List<Integer>> entries = new CopyOnWriteArrayList<>();
        final List<Long> committed = new CopyOnWriteArrayList<>();
        final AtomicLong position = new AtomicLong();

        /** Entries that wait to be let. */
        final AtomicInteger writing = new AtomicInteger();

        volatile boolean fails;
        volatile boolean failsToWrite;
        volatile boolean readsCommitted;

        @Override
        public long appliedPosition() {
            return position.get();
        }

        @Override
        public boolean readsCommitted(List<Integer> commands) {
            return readsCommitted;
        }

        @Override
        public Prepared<String> prepare(long next, List<Integer> commands) {
            entries.add(commands);
            started.release();
            turns.acquireUninterruptibly();
            if (fails) {
                throw new IllegalStateException("no space left on device");
            }
            assertThat(next).isEqualTo(position.get() + 1);
            position.set(next);
            return new HeldEntry(next, commands);
        }

        List<Integer> entrySizes() {
            return entries.stream().map(List::size).toList();
        }

        private final class HeldEntry implements Prepared<String> {
            private final long number;
            private final List<Integer> commands;

            HeldEntry(long number, List<Integer> commands) {
                this.number = number;
                this.commands = commands;
            }

            @Override
            public List<String> outcomes() {
                return commands.stream().map(command -> "done " + command).toList();
            }

            @Override
            public void commit(boolean durable) {
                assertThat(durable).isTrue();
                writing.incrementAndGet();
                writes.acquireUninterruptibly();
                writing.decrementAndGet();
                if (failsToWrite) {
                    throw new IllegalStateException("no space left on device");
                }
                committed.add(number);
            }

            @Override
            public void close() {}
        }
    }

    @AfterEach
    void close() {
        machine.turns.release(10_000);
        machine.writes.release(10_000);
        log.close();
        callers.shutdownNow();
    }

    private Future<String> call(int command) {
        return callers.submit(() -> log.submit(command, PATIENCE));
    }

    /** The first command occupies the machine; the others wait for the next entries. */
    private List<Future<String>> callWhileBusy(int... commands) {
        List<Future<String>> calls = new ArrayList<>();
        calls.add(call(1));
        machine.started.acquireUninterruptibly();
        for (int command : commands) {
            int waiting = log.waitingCommands();
            calls.add(call(command));
            while (log.waitingCommands() == waiting) {
                Thread.onSpinWait();
            }
        }
        return calls;
    }

    private static ErrorCode failureOf(Future<String> call) {
        return catchThrowableOfType(ExecutionException.class, call::get).getCause()
                        instanceof OrreryException failure
                ? failure.code()
                : ErrorCode.INTERNAL;
    }

    @Test
    void commandsThatWaitShareAnEntry() throws Exception {
        List<Future<String>> calls = callWhileBusy(2, 3, 4, 5);

        machine.turns.release(2);

        assertThat(calls.get(0).get()).isEqualTo("done 1");
        assertThat(calls.get(4).get()).isEqualTo("done 5");
        assertThat(machine.entries).containsExactly(List.of(1), List.of(2, 3, 4, 5));
    }

    @Test
    void anEntryHolds512Commands() throws Exception {
        List<Future<String>> calls = callWhileBusy(new int[600]);

        machine.turns.release(3);

        for (Future<String> call : calls) {
            call.get();
        }
        assertThat(machine.entrySizes()).containsExactly(1, 512, 88);
    }

    @Test
    void anEntryHoldsOneMegabyte() throws Exception {
        List<Future<String>> calls =
                callWhileBusy(512 * KB, 512 * KB, 1, 700 * KB, 400 * KB, 2048 * KB, 1);

        machine.turns.release(10);

        for (Future<String> call : calls) {
            call.get();
        }
        assertThat(machine.entries)
                .containsExactly(
                        List.of(1),
                        List.of(512 * KB, 512 * KB),
                        List.of(1, 700 * KB),
                        List.of(400 * KB),
                        List.of(2048 * KB),
                        List.of(1));
    }

    @Test
    void aFullQueueSendsCallersAway() throws Exception {
        log.close();
        log = new LocalLog<>("test", machine, command -> command, new EntryLimits(512, 1000, 2000));
        List<Future<String>> calls = callWhileBusy(1000, 1000);

        OrreryException refusal =
                catchThrowableOfType(OrreryException.class, () -> log.submit(1, PATIENCE));

        assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(refusal.retryAfter()).contains(Duration.ofMillis(50));
        machine.turns.release(10);
        for (Future<String> call : calls) {
            call.get();
        }
        assertThat(log.submit(1, PATIENCE)).isEqualTo("done 1");
    }

    @Test
    void aCommandLargerThanTheQueueGetsItsTurn() {
        log.close();
        log = new LocalLog<>("test", machine, command -> command, new EntryLimits(512, 1000, 2000));
        machine.turns.release(1);

        assertThat(log.submit(5000, PATIENCE)).isEqualTo("done 5000");
    }

    @Test
    void aCommandThatFitsNoEntryIsRefused() {
        int largest = SizeLimits.MAX_COMMAND_BYTES;
        machine.turns.release(1);

        assertThat(log.submit(largest, PATIENCE)).isEqualTo("done " + largest);
        assertThat(
                        catchThrowableOfType(
                                        OrreryException.class,
                                        () -> log.submit(largest + 1, PATIENCE))
                                .code())
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void aFailureStopsTheLogForAllAndIsNotRetried() {
        List<Future<String>> calls = callWhileBusy(2, 3);
        machine.fails = true;

        machine.turns.release(10);

        for (Future<String> call : calls) {
            assertThat(failureOf(call)).isEqualTo(ErrorCode.UNAVAILABLE);
        }
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> log.submit(4, PATIENCE))
                // The reason may name files of the server: it is for the log.
                .withMessageContaining("resumes with a restart")
                .withMessageNotContaining("no space left on device")
                .matches(failure -> failure.code() == ErrorCode.UNAVAILABLE);
        assertThat(machine.entries).containsExactly(List.of(1));
        assertThat(log.stopReason()).isNotNull();
    }

    /** Each entry is full with its first command. */
    private void fillEntriesAtOnce() {
        log.close();
        log = new LocalLog<>("test", machine, command -> command, new EntryLimits(1, 1000, 10_000));
    }

    /** Has an entry of so many commands on its way to the disk, and lets it stay there. */
    private List<Future<String>> keepDiskBusy(int commands) {
        List<Future<String>> calls =
                callWhileBusy(IntStream.rangeClosed(2, commands + 1).toArray());
        machine.turns.release(1);
        machine.started.acquireUninterruptibly();
        while (machine.committed.isEmpty()) {
            Thread.onSpinWait();
        }
        machine.writes.drainPermits();
        machine.turns.release(1);
        while (machine.writing.get() == 0) {
            Thread.onSpinWait();
        }
        return calls;
    }

    private void callAndWait(List<Future<String>> calls, int command, int waiting) {
        calls.add(call(command));
        while (log.waitingCommands() < waiting) {
            Thread.onSpinWait();
        }
    }

    @Test
    void commandsThatComeWhileTheDiskIsBusyShareAnEntry() throws Exception {
        List<Future<String>> calls = keepDiskBusy(3);
        callAndWait(calls, 5, 1);
        callAndWait(calls, 6, 2);
        callAndWait(calls, 7, 3);
        // Only as many wait as the disk is busy with: the others of them may come yet.
        assertThat(machine.started.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();

        machine.turns.release(1);
        machine.writes.release(2);

        for (Future<String> call : calls) {
            call.get();
        }
        assertThat(machine.entries).containsExactly(List.of(1), List.of(2, 3, 4), List.of(5, 6, 7));
    }

    @Test
    void moreCommandsThanTheDiskIsBusyWithArePreparedMeanwhile() throws Exception {
        List<Future<String>> calls = keepDiskBusy(2);
        callAndWait(calls, 4, 1);
        callAndWait(calls, 5, 2);

        calls.add(call(6));

        machine.started.acquireUninterruptibly();
        assertThat(machine.entries).containsExactly(List.of(1), List.of(2, 3), List.of(4, 5, 6));
        assertThat(machine.committed).containsExactly(1L);
        machine.turns.release(1);
        machine.writes.release(2);
        for (Future<String> call : calls) {
            call.get();
        }
        assertThat(machine.committed).containsExactly(1L, 2L, 3L);
    }

    /** The machine is never more than one entry ahead of the disk. */
    @Test
    void nothingIsPreparedBehindAnEntryThatWaitsForTheDisk() throws Exception {
        List<Future<String>> calls = keepDiskBusy(1);
        callAndWait(calls, 3, 1);
        calls.add(call(4));
        machine.started.acquireUninterruptibly();
        machine.turns.release(2);

        for (int i = 1; i <= 5; i++) {
            callAndWait(calls, 4 + i, i);
        }

        assertThat(machine.started.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(machine.entries).containsExactly(List.of(1), List.of(2), List.of(3, 4));
        machine.writes.release(3);
        for (Future<String> call : calls) {
            call.get();
        }
        assertThat(machine.entries.getLast()).containsExactly(5, 6, 7, 8, 9);
    }

    @Test
    void aFullEntryIsPreparedWhileTheOneBeforeIsWritten() throws Exception {
        fillEntriesAtOnce();
        machine.writes.drainPermits();
        machine.turns.release(2);
        Future<String> first = call(1);
        machine.started.acquireUninterruptibly();

        Future<String> second = call(2);

        machine.started.acquireUninterruptibly();
        assertThat(machine.entries).containsExactly(List.of(1), List.of(2));
        assertThat(machine.committed).isEmpty();
        assertThat(first.isDone() || second.isDone()).isFalse();
        machine.writes.release(2);
        assertThat(first.get()).isEqualTo("done 1");
        assertThat(second.get()).isEqualTo("done 2");
        assertThat(machine.committed).containsExactly(1L, 2L);
    }

    @Test
    void anEntryThatReadsTheStoreIsPreparedWhenAllBeforeIsWritten() throws Exception {
        fillEntriesAtOnce();
        machine.writes.drainPermits();
        machine.turns.release(2);
        Future<String> first = call(1);
        machine.started.acquireUninterruptibly();
        machine.readsCommitted = true;

        Future<String> second = call(2);

        assertThat(machine.started.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
        machine.writes.release(2);
        assertThat(first.get()).isEqualTo("done 1");
        assertThat(second.get()).isEqualTo("done 2");
    }

    @Test
    void anEntryPreparedOnTopOfOneThatFailsIsNotWritten() {
        fillEntriesAtOnce();
        machine.writes.drainPermits();
        machine.turns.release(2);
        Future<String> first = call(1);
        machine.started.acquireUninterruptibly();
        Future<String> second = call(2);
        machine.started.acquireUninterruptibly();

        machine.failsToWrite = true;
        machine.writes.release(1);

        assertThat(failureOf(first)).isEqualTo(ErrorCode.UNAVAILABLE);
        machine.failsToWrite = false;
        machine.writes.release(10);
        assertThat(failureOf(second)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(machine.committed).isEmpty();
    }

    @Test
    void closingCarriesOutWhatWaits() throws Exception {
        List<Future<String>> calls = callWhileBusy(2, 3);
        Future<?> closing = callers.submit(log::close);
        OrreryException late = null;
        while (late == null) {
            // Until close has been noticed, commands still get in behind the others.
            late =
                    catchThrowableOfType(
                            OrreryException.class, () -> log.submit(4, Duration.ofMillis(1)));
            late = late.code() == ErrorCode.UNAVAILABLE ? late : null;
        }

        machine.turns.release(10);

        closing.get();
        assertThat(calls.get(1).get()).isEqualTo("done 2");
        assertThat(calls.get(2).get()).isEqualTo("done 3");
        assertThat(late).hasMessage("The server is stopping.");
    }

    @Test
    void aCallerWhoseTimeIsOverDoesNotKnow() {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> log.submit(7, Duration.ofMillis(5)))
                .matches(failure -> failure.code() == ErrorCode.TIMEOUT);

        // Else the next could come into the same entry.
        machine.started.acquireUninterruptibly();
        machine.turns.release(2);
        assertThat(log.submit(8, PATIENCE)).isEqualTo("done 8");
        assertThat(machine.entries).containsExactly(List.of(7), List.of(8));
    }

    @Test
    void anInterruptedCallerDoesNotKnowEither() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> log.submit(7, PATIENCE))
                .matches(failure -> failure.code() == ErrorCode.TIMEOUT);
        assertThat(Thread.interrupted()).isTrue();
    }
}
