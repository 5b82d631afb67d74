package orrery.replication.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.replication.EntryLimits;

/** The simulation itself: what it promises to those who are tested on it. */
class SimulatedLogTest {
    private static final SimulatedLog.Codec<String> CODEC =
            new SimulatedLog.Codec<>(Bytes::ofUtf8, Bytes::toUtf8);

    /** Remembers all commands; a crash takes the last few entries. */
    private static final class Memory implements SimulatedReplica<String, String> {
        final List<List<String>> entries = new ArrayList<>();

        @Override
        public long appliedPosition() {
            return entries.size();
        }

        @Override
        public List<String> apply(long position, List<String> commands) {
            assertThat(position).isEqualTo(entries.size() + 1L);
            entries.add(commands);
            return commands.stream().map(command -> command + "@" + position).toList();
        }

        @Override
        public void crash(RandomGenerator random) {
            int kept = random.nextInt(entries.size() + 1);
            entries.subList(kept, entries.size()).clear();
        }

        @Override
        public void close() {}
    }

    private static final class Run implements SimulatedLog.Observer<String, String> {
        final List<Memory> replicas =
                List.of(new Memory(), new Memory(), new Memory(), new Memory());
        final List<String> events = new ArrayList<>();
        final List<SimulatedLog.Ticket<String>> tickets = new ArrayList<>();
        final SimulatedLog<String, String> log;

        Run(long seed, SimulatedLog.Faults faults) {
            RandomGenerator random = new SplittableRandom(seed);
            log =
                    new SimulatedLog<>(
                            random, CODEC, new EntryLimits(5, 1000, 1000), faults, replicas, this);
            for (int i = 0; i < 300; i++) {
                tickets.add(log.propose("c" + i));
                for (int steps = random.nextInt(6); steps > 0; steps--) {
                    log.step();
                }
            }
            log.settle();
        }

        @Override
        public void committed(long position, List<String> commands) {
            events.add("committed " + position + " " + commands);
        }

        @Override
        public void applied(int replica, long position, List<String> outcomes) {
            events.add("applied " + replica + " " + position + " " + outcomes);
        }
    }

    @Test
    void oneSeedIsOneHistory() {
        List<String> first = new Run(7, SimulatedLog.Faults.USUAL).events;

        assertThat(new Run(7, SimulatedLog.Faults.USUAL).events).isEqualTo(first);
        assertThat(new Run(8, SimulatedLog.Faults.USUAL).events).isNotEqualTo(first);
    }

    @Test
    void withoutFaultsEverythingHappensOnceAndInOrder() {
        Run run = new Run(1, SimulatedLog.Faults.NONE);

        assertThat(run.tickets).allMatch(ticket -> ticket.outcome().isPresent());
        assertThat(run.replicas.getFirst().entries.stream().flatMap(List::stream))
                .hasSize(300)
                .startsWith("c0", "c1", "c2");
        assertThat(run.log.committedPosition()).isGreaterThanOrEqualTo(60);
    }

    @Test
    void faultsLoseAnswersButNeverWhatWasAnswered() {
        int lost = 0;
        int lostAndDone = 0;
        int repeated = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Run run = new Run(seed, SimulatedLog.Faults.USUAL);
            List<List<String>> entries = run.replicas.getFirst().entries;
            for (Memory replica : run.replicas) {
                assertThat(replica.entries).isEqualTo(entries);
            }
            List<String> all = entries.stream().flatMap(List::stream).toList();
            for (int i = 0; i < run.tickets.size(); i++) {
                SimulatedLog.Ticket<String> ticket = run.tickets.get(i);
                String command = "c" + i;
                ticket.outcome()
                        .ifPresent(
                                outcome ->
                                        assertThat(entries.get(position(outcome) - 1))
                                                .contains(command));
                assertThat(ticket.isPending()).isFalse();
                lost += ticket.isLost() ? 1 : 0;
                lostAndDone += ticket.isLost() && all.contains(command) ? 1 : 0;
                repeated += all.indexOf(command) != all.lastIndexOf(command) ? 1 : 0;
            }
        }
        assertThat(lost).isPositive();
        assertThat(lostAndDone).as("committed late, nobody heard").isPositive();
        assertThat(lostAndDone).as("some were dropped").isLessThan(lost);
        assertThat(repeated).as("arrived twice").isPositive();
    }

    private static int position(String outcome) {
        return Integer.parseInt(outcome.substring(outcome.indexOf('@') + 1));
    }

    @Test
    void aSubmittedCommandIsAnsweredOrUnknown() {
        Run run = new Run(3, SimulatedLog.Faults.NONE);
        assertThat(run.log.submit("last", Duration.ofSeconds(10)))
                .isEqualTo("last@" + run.log.committedPosition());
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> run.log.submit("hasty", Duration.ZERO));
    }
}
