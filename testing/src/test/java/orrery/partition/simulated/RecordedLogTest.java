package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.partition.machine.Command;
import orrery.partition.machine.DeleteKey;
import orrery.partition.machine.ForgetDeletion;
import orrery.partition.machine.Levels;
import orrery.partition.machine.PartitionMachine;
import orrery.replication.LogEntry;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.KeyDeletions;

/**
 * Replays a log that an earlier build wrote. Every build must come to the same rows, byte for byte:
 * else replicas of two releases would differ. Until 1.0 a change of apply records the log again,
 * with {@code -Drewrite=true}, and raises the feature level in the same commit.
 */
final class RecordedLogTest {
    private static final Path LOG = Path.of("src/test/resources/recorded/level-5.log.gz");
    private static final Path DIGEST = Path.of("src/test/resources/recorded/level-5.sha256");

    /** The digest of the same entries where keys of a few items keep their creation order. */
    private static final Path LARGE_KEYS =
            Path.of("src/test/resources/recorded/level-5-large-keys.sha256");

    private static final List<Long> SEEDS = List.of(2026L, 2027L);

    @Test
    void theSameEntriesGiveTheSameRows(@TempDir(factory = MemoryDisk.class) Path directory)
            throws IOException {
        if (Boolean.getBoolean("rewrite")) {
            record(directory);
        }
        List<Bytes> recorded = read();

        List<LogEntry<Command>> entries = new ArrayList<>();
        for (Bytes bytes : recorded) {
            LogEntry<Command> entry = LogEntry.decode(bytes, Command::decode);
            // A codec that reads what it no longer writes would hide a change of the format.
            assertThat(entry.encode(Command::encode)).isEqualTo(bytes);
            entries.add(entry);
        }
        assertThat(kinds(entries)).isEqualTo(allKinds(Command.class));

        expect(DIGEST, replay(entries, Levels.RELEASED, directory.resolve("replayed")));
        expect(
                LARGE_KEYS,
                replay(entries, PartitionReplica.LEVELS, directory.resolve("large-keys")));
    }

    private static void expect(Path recorded, String digest) throws IOException {
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(recorded, digest + "\n");
        }
        assertThat(digest).isEqualTo(Files.readString(recorded).strip());
    }

    private static String replay(List<LogEntry<Command>> entries, Levels levels, Path directory) {
        MessageDigest digest = sha256();
        try (ReplicaStore store =
                ReplicaStore.open(directory, new StoreOptions(4 << 20, 8 << 20))) {
            PartitionMachine machine = new PartitionMachine(store, levels);
            for (LogEntry<Command> entry : entries) {
                assertThat(entry.level()).isEqualTo(machine.level());
                // A log of one run begins anew: the numbers go on.
                try (StoreBatch batch = store.newBatch()) {
                    machine.apply(machine.appliedPosition() + 1, entry.commands(), batch);
                    store.write(batch, false);
                }
            }
            assertThat(machine.level()).isEqualTo(PartitionMachine.NEWEST_LEVEL);
            PartitionSimulation.dump(store)
                    .forEach(row -> digest.update(row.getBytes(StandardCharsets.UTF_8)));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static Set<Class<?>> kinds(List<LogEntry<Command>> entries) {
        return entries.stream()
                .flatMap(entry -> entry.commands().stream())
                .map(Command::getClass)
                .collect(Collectors.toSet());
    }

    private static Set<Class<?>> allKinds(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .flatMap(
                        each ->
                                each.isSealed()
                                        ? allKinds(each).stream()
                                        : Stream.<Class<?>>of(each))
                .collect(Collectors.toSet());
    }

    private static List<Bytes> read() throws IOException {
        List<Bytes> entries = new ArrayList<>();
        try (DataInputStream in =
                new DataInputStream(new GZIPInputStream(Files.newInputStream(LOG)))) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                entries.add(Bytes.wrap(in.readNBytes(in.readInt())));
            }
        }
        return entries;
    }

    private static void record(Path directory) throws IOException {
        List<List<Command>> runs = new ArrayList<>();
        for (long seed : SEEDS) {
            runs.addAll(PartitionSimulation.entriesOf(seed, directory.resolve("run-" + seed)));
        }
        runs.add(forgetAllDeletions(runs));
        runs.addAll(FailureSimulation.entriesOf(SEEDS.getFirst(), directory.resolve("failing")));
        List<Bytes> entries = new ArrayList<>();
        int level = AppliedRecord.FIRST_LEVEL;
        for (List<Command> commands : runs) {
            entries.add(
                    new LogEntry<>(level, entries.size() + 1L, 0, 0, commands)
                            .encode(Command::encode));
            for (Command command : commands) {
                level = command instanceof Command.RaiseLevel raise ? raise.level() : level;
            }
        }
        Files.createDirectories(LOG.getParent());
        try (DataOutputStream out =
                new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(LOG)))) {
            out.writeInt(entries.size());
            for (Bytes entry : entries) {
                out.writeInt(entry.length());
                out.write(entry.unsafeArray());
            }
        }
    }

    /** The simulation never does it. */
    private static List<Command> forgetAllDeletions(List<List<Command>> entries) {
        List<Command> forgetting = new ArrayList<>();
        for (List<Command> commands : entries) {
            for (Command command : commands) {
                if (command instanceof DeleteKey delete && forgetting.size() < 20) {
                    forgetting.add(
                            new ForgetDeletion(
                                    delete.partition(),
                                    new KeyDeletions.Deletion(
                                            delete.key(), delete.keys(), Long.MAX_VALUE)));
                }
            }
        }
        return forgetting;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
