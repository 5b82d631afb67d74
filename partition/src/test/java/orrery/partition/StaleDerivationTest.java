package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.TermRules;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;

/** A computed property gets another definition between the evaluation of a write and its entry. */
final class StaleDerivationTest {
    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/cp/?"),
                    List.of("/*"),
                    List.of(),
                    List.of());

    @TempDir private Path directory;
    private final List<Outcome> outcomes = new ArrayList<>();
    private HostFixture host;
    private ItemKey key;
    private int version = 1;
    private int changes;

    /** Lets definitions change right before a write gets its place in the log. */
    private final class Overtaken implements CommandLog<Command, Outcome> {
        private final CommandLog<Command, Outcome> log;

        Overtaken(CommandLog<Command, Outcome> log) {
            this.log = log;
        }

        @Override
        public Outcome submit(Command command, Duration timeout) {
            if (!(command instanceof Command.WriteItems)) {
                return log.submit(command, timeout);
            }
            if (changes > 0) {
                changes--;
                define(log, "SELECT VALUE c.after FROM c");
            }
            Outcome outcome = log.submit(command, timeout);
            outcomes.add(outcome);
            return outcome;
        }

        @Override
        public void close() {
            log.close();
        }
    }

    private void define(CommandLog<Command, Outcome> log, String expression) {
        version++;
        PartitionDefinition plain = host.definition(version, POLICY);
        // Each definition has another name for a property that nobody indexes, so it is a new one.
        List<ComputedProperty> computed =
                List.of(
                        new ComputedProperty("cp", expression),
                        new ComputedProperty("unused" + version, "SELECT VALUE c.id FROM c"));
        Outcome outcome =
                log.submit(
                        new Command.SetDefinition(
                                HostFixture.PARTITION,
                                new DefinitionRecord.Version(
                                        version,
                                        plain.definition().withComputedProperties(computed),
                                        plain.logicalPartitionMaxBytes())),
                        HostFixture.PATIENCE);
        assertThat(outcome).isEqualTo(new Outcome.Done());
    }

    @BeforeEach
    void open() {
        List<CommandLog<Command, Outcome>> inner = new ArrayList<>();
        host =
                new HostFixture(
                        directory,
                        HostFixture.ONE_PATH,
                        log -> {
                            inner.add(log);
                            return new Overtaken(log);
                        },
                        _ -> {});
        define(inner.getFirst(), "SELECT VALUE c.before FROM c");
        key = host.key("i", "north");
    }

    @AfterEach
    void close() {
        host.close();
    }

    private PartitionResponse write() {
        return host.write(
                key,
                new WriteAction.Upsert(
                        Bytes.ofUtf8(
                                "{\"id\":\"i\",\"pk\":\"north\",\"before\":\"old\",\"after\":\"new\"}")),
                Precondition.NONE);
    }

    private boolean isIndexed(String value) {
        String term = IndexValue.encode(Value.of(value), TermRules.FIRST).toHex();
        try (Cursor rows =
                host.replica().store().scan(Table.INDEX, new byte[0], new byte[] {-1, -1, -1})) {
            while (rows.next()) {
                if (Bytes.wrap(rows.key()).toHex().contains(term)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void theStaleRowsAreRefusedAndDerivedAgain() {
        changes = 1;
        assertThat(write()).isInstanceOf(WriteResponse.Written.class);

        assertThat(outcomes).hasSize(2);
        assertThat(outcomes.getFirst()).isEqualTo(new Outcome.Stale());
        assertThat(outcomes.getLast()).isInstanceOf(Outcome.Written.class);
        assertThat(isIndexed("new")).isTrue();
        assertThat(isIndexed("old")).isFalse();
    }

    @Test
    void theEntriesOfAnItemThatWasThereAreReplacedByThoseOfTheNewDefinition() {
        write();
        assertThat(isIndexed("old")).isTrue();
        outcomes.clear();

        changes = 1;
        assertThat(write()).isInstanceOf(WriteResponse.Written.class);

        assertThat(outcomes.getFirst()).isEqualTo(new Outcome.Stale());
        assertThat(isIndexed("new")).isTrue();
        assertThat(isIndexed("old")).isFalse();
    }

    @Test
    void aDefinitionThatKeepsChangingEndsTheWrite() {
        changes = 7;
        assertThat(write()).isInstanceOf(WriteResponse.Written.class);
        assertThat(outcomes).hasSize(8);
        outcomes.clear();

        changes = 8;
        assertThat(HostFixture.failureOf(write())).isEqualTo(ErrorCode.RETRY_WITH);
        assertThat(outcomes).hasSize(8).containsOnly(new Outcome.Stale());
    }

    /** The rows of the docid are what the next change finds the entries by. */
    @Test
    void theItemKeepsWhatWasDerivedLast() {
        changes = 1;
        assertThat(write()).isInstanceOf(WriteResponse.Written.class);
        host.write(key, new WriteAction.Delete(), Precondition.NONE);

        assertThat(isIndexed("new")).isFalse();
        assertThat(host.replica().store().get(Table.ITEMS, Keys.item(7, Keys.itemSuffix(key))))
                .isNull();
    }
}
