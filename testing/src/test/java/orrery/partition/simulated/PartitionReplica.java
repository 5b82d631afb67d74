package orrery.partition.simulated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import orrery.partition.Replica;
import orrery.partition.machine.Command;
import orrery.partition.machine.Levels;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;
import orrery.replication.StateMachine;
import orrery.replication.ThroughBytes;
import orrery.replication.simulated.SimulatedReplica;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/**
 * The replica of a simulated set: a real store in a directory. Entries are written without sync, as
 * a follower of a replicated log does, so a crash may take the last of them. Keys that hold more
 * than a few items are large, so that small loads cross that limit, both ways.
 */
public final class PartitionReplica implements SimulatedReplica<Command, Outcome> {
    private static final StoreOptions SMALL = new StoreOptions(4 << 20, 8 << 20);

    /** Items of a key that has no creation order of its own. */
    static final int SORTED_ITEMS = 2;

    static final Levels LEVELS =
            Levels.RELEASED
                    .withCreationOrder(SORTED_ITEMS, 1000, 1)
                    .withSessions(ModelSessions.WINDOW_MILLIS);

    private static final int ENTRIES_PER_CHECKPOINT = 40;
    private static final int MAX_TORN_BYTES = 8 << 10;

    private final Path home;
    private final Proposing proposing;
    private int checkpoints;
    private Opened opened;

    /** An entry that is prepared and not yet written, as happens when the disk is slow. */
    private Optional<StateMachine.Prepared<Outcome>> unwritten = Optional.empty();

    /** State that lives from one start to the next crash. */
    private record Opened(Replica replica, StateMachine<Command, Outcome> machine) {}

    /** Takes a command that a request has come to, and waits for its outcome. */
    @FunctionalInterface
    public interface Proposing {
        Outcome submit(Command command, Duration timeout);
    }

    /** A replica that only carries out what the log says. */
    public PartitionReplica(Path home) {
        this(
                home,
                (_, _) -> {
                    throw new IllegalStateException("commands are proposed to the simulated log");
                });
    }

    /** A replica that also answers requests while it leads. */
    public PartitionReplica(Path home, Proposing proposing) {
        this.home = home;
        this.proposing = proposing;
        this.opened = open();
    }

    public Replica replica() {
        writeRest();
        return opened.replica();
    }

    public ReplicaStore store() {
        return replica().store();
    }

    @Override
    public long appliedPosition() {
        return opened.machine().appliedPosition();
    }

    @Override
    public List<Outcome> apply(long position, List<Command> commands) {
        if (opened.machine().readsCommitted(commands)) {
            writeRest();
        }
        StateMachine.Prepared<Outcome> entry = opened.machine().prepare(position, commands);
        writeRest();
        unwritten = Optional.of(entry);
        // Some entries stay behind until the next is prepared; all replicas must come out equal.
        if ((position + home.getFileName().hashCode()) % 3 != 0) {
            writeRest();
        }
        if (position % ENTRIES_PER_CHECKPOINT == 0) {
            store().checkpoint(checkpoint(++checkpoints));
        }
        return entry.outcomes();
    }

    private void writeRest() {
        unwritten.ifPresent(
                entry -> {
                    entry.commit(false);
                    entry.close();
                });
        unwritten = Optional.empty();
    }

    @Override
    public void crash(RandomGenerator random) {
        unwritten.ifPresent(StateMachine.Prepared::close);
        unwritten = Optional.empty();
        opened.replica().close();
        switch (random.nextInt(10)) {
            case 0 -> delete(data()); // the disk is gone: everything comes from the log again
            case 1, 2 -> returnToCheckpoint();
            case 3, 4, 5, 6 -> tearLog(random);
            default -> {} // only the process died: the operating system wrote all it was given
        }
        opened = open();
    }

    @Override
    public void close() {
        replica().close();
    }

    private Opened open() {
        ReplicaStore store = ReplicaStore.open(data(), SMALL);
        Captured captured = new Captured();
        Replica replica = new Replica(store, LEVELS, captured::over);
        StateMachine<Command, Outcome> machine = captured.machine;
        if (machine == null) {
            throw new IllegalStateException("a replica asks for its log when it is made");
        }
        // Half of the replicas apply what a leader prepared, the others only what the bytes say.
        // All must come out equal.
        boolean isLocal = home.getFileName().hashCode() % 2 == 0;
        return new Opened(
                replica,
                isLocal ? machine : new ThroughBytes<>(machine, Command::encode, Command::decode));
    }

    private void returnToCheckpoint() {
        delete(data());
        if (checkpoints > 0) {
            copy(checkpoint(checkpoints), data());
        }
    }

    /** The last bytes that were written did not reach the disk. */
    private void tearLog(RandomGenerator random) {
        Optional<Path> newest;
        try (Stream<Path> files = Files.list(data())) {
            newest =
                    files.filter(file -> file.toString().endsWith(".log"))
                            .max(Comparator.naturalOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        newest.ifPresent(
                file -> {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        long size = channel.size();
                        channel.truncate(
                                size - random.nextLong(Math.min(size, MAX_TORN_BYTES) + 1));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private Path data() {
        return home.resolve("data");
    }

    private Path checkpoint(int number) {
        return home.resolve("checkpoint-" + number);
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Catches the state machine that a set hands to its log. */
    private final class Captured implements CommandLog<Command, Outcome> {
        private @Nullable StateMachine<Command, Outcome> machine;

        CommandLog<Command, Outcome> over(StateMachine<Command, Outcome> driven) {
            machine = driven;
            return this;
        }

        @Override
        public Outcome submit(Command command, Duration timeout) {
            Outcome outcome = proposing.submit(command, timeout);
            writeRest(); // whoever hears an outcome may read what it made
            return outcome;
        }

        @Override
        public void close() {}
    }
}
