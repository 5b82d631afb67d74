package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.put;
import static orrery.partition.machine.MachineFixture.remove;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.TermRules;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;

/**
 * Terms are made by the rules of the level under which a policy came, whatever the level is now.
 * The fixture looks at all index entries after each step.
 */
class TermRulesInForceTest {
    private static final TermRules SHORT = new TermRules(8, 2);
    private static final ItemKey ITEM = key("north", "a");
    private static final String LONG = "{\"text\":\"a text of more than eight bytes\"}";

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(UnaryOperator.identity());
        keepShortTerms();
        fixture.apply(fixture.write(newItem(ITEM, LONG)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Makes the definition one that came under a level with other rules. */
    private void keepShortTerms() {
        byte[] key = Keys.definition(PARTITION);
        DefinitionRecord record = definitions();
        try (StoreBatch batch = fixture.store().newBatch()) {
            batch.put(
                    Table.META,
                    key,
                    record.with(List.of(record.current().withTerms(SHORT))).encode());
            fixture.store().write(batch, false);
        }
        fixture.restart();
    }

    private DefinitionRecord definitions() {
        return DefinitionRecord.decode(
                Objects.requireNonNull(
                        fixture.store().get(Table.META, Keys.definition(PARTITION))));
    }

    private boolean hasEntryWith(String text) {
        String hex = Bytes.ofUtf8(text).toHex();
        return fixture.keys(Table.INDEX).stream().anyMatch(row -> row.toHex().contains(hex));
    }

    @Test
    void entriesAreWrittenAndDeletedByTheRulesOfTheirPolicy() {
        assertThat(hasEntryWith("a text o")).isTrue();
        assertThat(hasEntryWith("a text of")).isFalse();

        fixture.apply(
                fixture.write(
                        put(
                                Command.Expect.PRESENT,
                                Precondition.NONE,
                                ITEM,
                                "{\"text\":\"another text\"}")));
        assertThat(hasEntryWith("a text o")).isFalse();

        fixture.apply(fixture.write(remove(ITEM)));
        assertThat(fixture.keys(Table.INDEX)).isEmpty();
    }

    @Test
    void theNextPolicyTakesTheRulesOfTheLevel() {
        IndexingPolicy other =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/*"),
                        List.of("/other/*"),
                        List.of(),
                        List.of());
        fixture.apply(
                new Command.SetDefinition(
                        PARTITION, MachineFixture.version(2, other, MachineFixture.NO_LIMIT)));
        assertThat(definitions().versions())
                .extracting(DefinitionRecord.Version::terms)
                .containsExactly(SHORT, Level.NEWEST.terms());

        fixture.apply(new Command.Reindex(PARTITION, 2, 100));

        assertThat(hasEntryWith("a text of more than eight bytes")).isTrue();
        assertThat(definitions().versions()).hasSize(1);
    }

    /** No item is indexed anew, so queries must not look by other rules. */
    @Test
    void aDefinitionWithTheSamePolicyKeepsItsRules() {
        fixture.apply(
                new Command.SetDefinition(
                        PARTITION,
                        MachineFixture.version(2, plain -> plain.withChangeRetention(5))));

        assertThat(definitions().current().terms()).isEqualTo(SHORT);
        fixture.apply(fixture.write(remove(ITEM)));
        assertThat(fixture.keys(Table.INDEX)).isEmpty();
    }
}
