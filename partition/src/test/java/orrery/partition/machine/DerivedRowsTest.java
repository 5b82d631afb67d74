package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.TermRules;
import orrery.storage.Table;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** The rows that a leader derived decide about the index; the machine evaluates nothing. */
final class DerivedRowsTest {
    private static final ItemKey ITEM = key("north", "a");
    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/cp/?"),
                    List.of("/*"),
                    List.of(),
                    List.of());

    @TempDir Path directory;
    private MachineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new MachineFixture(directory);
        fixture.open(_ -> computed("SELECT VALUE c.x FROM c"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ContainerDefinition computed(String query) {
        return MachineFixture.version(1, POLICY, MachineFixture.NO_LIMIT)
                .definition()
                .withComputedProperties(List.of(new ComputedProperty("cp", query)));
    }

    private static Derived derived(int version, long seconds, Value value) {
        return new Derived(
                version,
                seconds,
                List.of(new DerivedRow(DerivedRow.COMPUTED, "cp", ValueCodec.encode(value))));
    }

    private static Command.ItemChange put(Derived derived) {
        Command.ItemChange.Put put =
                (Command.ItemChange.Put)
                        MachineFixture.put(
                                Command.Expect.ANY, Precondition.NONE, ITEM, "{\"id\":\"a\"}");
        return put.with(derived, null);
    }

    private Outcome write(long stampMillis, Derived derived) {
        return fixture.one(
                new Command.WriteItems(
                        PARTITION, fixture.newRequest(), stampMillis, List.of(put(derived))));
    }

    private boolean hasTerm(Value value) {
        Bytes term =
                Bytes.ofHex(
                        IndexPathCodec.encode(IndexPath.of("cp")).toHex()
                                + IndexValue.encode(value, TermRules.FIRST).toHex());
        return fixture.store()
                        .get(
                                Table.INDEX,
                                Keys.index(
                                        PARTITION.container(),
                                        PARTITION.range(),
                                        term.unsafeArray(),
                                        item().docid()))
                != null;
    }

    private ItemRecord item() {
        byte[] row =
                fixture.store()
                        .get(Table.ITEMS, Keys.item(PARTITION.container(), Keys.itemSuffix(ITEM)));
        return ItemRecord.decode(Objects.requireNonNull(row));
    }

    private List<DerivedRow> stored() {
        byte[] row =
                fixture.store()
                        .get(
                                Table.INDEX,
                                Keys.docid(
                                        PARTITION.container(), PARTITION.range(), item().docid()));
        return IndexEntry.derived(Objects.requireNonNull(row));
    }

    @Test
    void storedRowsTellWhichEntriesToDelete() {
        assertThat(write(NOW, derived(1, Derived.ANY_TIME, Value.of(7))))
                .isInstanceOf(Outcome.Written.class);
        assertThat(hasTerm(Value.of(7))).isTrue();
        assertThat(stored()).isEqualTo(derived(1, 0, Value.of(7)).rows());

        write(NOW, derived(1, Derived.ANY_TIME, Value.of(8)));
        assertThat(hasTerm(Value.of(7))).isFalse();
        assertThat(hasTerm(Value.of(8))).isTrue();

        write(NOW, new Derived(1, Derived.ANY_TIME, List.of()));
        assertThat(hasTerm(Value.of(8))).isFalse();
        assertThat(stored()).isEmpty();
    }

    @Test
    void commandsOfOneEntrySeeWhatEarlierOnesDerived() {
        fixture.apply(
                new Command.WriteItems(
                        PARTITION,
                        fixture.newRequest(),
                        NOW,
                        List.of(
                                put(derived(1, Derived.ANY_TIME, Value.of(1))),
                                put(derived(1, Derived.ANY_TIME, Value.of(2))))),
                new Command.WriteItems(
                        PARTITION,
                        fixture.newRequest(),
                        NOW,
                        List.of(put(derived(1, Derived.ANY_TIME, Value.of(3))))));
        assertThat(hasTerm(Value.of(1))).isFalse();
        assertThat(hasTerm(Value.of(2))).isFalse();
        assertThat(hasTerm(Value.of(3))).isTrue();
    }

    @Test
    void rowsOfAnotherDefinitionAreStaleAndTheRequestMayComeAgain() {
        fixture.one(
                new Command.SetDefinition(
                        PARTITION,
                        MachineFixture.version(2, _ -> computed("SELECT VALUE c.y FROM c"))));
        RequestId request = fixture.newRequest();
        Derived old = derived(1, Derived.ANY_TIME, Value.of(7));
        Derived fresh = derived(2, Derived.ANY_TIME, Value.of(9));

        assertThat(fixture.one(new Command.WriteItems(PARTITION, request, NOW, List.of(put(old)))))
                .isEqualTo(new Outcome.Stale());
        assertThat(fixture.keys(Table.ITEMS)).isEmpty();
        assertThat(
                        fixture.one(
                                new Command.WriteItems(
                                        PARTITION, request, NOW, List.of(put(fresh)))))
                .isInstanceOf(Outcome.Written.class);
        assertThat(hasTerm(Value.of(9))).isTrue();
    }

    @Test
    void rowsForAnotherSecondAreStale() {
        write(NOW + 5000, derived(1, NOW / 1000 + 5, Value.of(7)));

        assertThat(write(NOW, derived(1, NOW / 1000, Value.of(8)))).isEqualTo(new Outcome.Stale());
        assertThat(write(NOW, derived(1, NOW / 1000 + 5, Value.of(8))))
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void reindexingWaitsForRowsOfTheVersionThatIsThere() {
        write(NOW, derived(1, Derived.ANY_TIME, Value.of(7)));
        fixture.one(
                new Command.SetDefinition(
                        PARTITION,
                        MachineFixture.version(2, _ -> computed("SELECT VALUE c.y FROM c"))));

        assertThat(fixture.one(new Command.Reindex(PARTITION, 2, 10)))
                .isEqualTo(new Outcome.Reindexed(false));
        assertThat(hasTerm(Value.of(7))).isTrue();

        assertThat(
                        fixture.one(
                                new Command.Reindex(
                                        PARTITION,
                                        2,
                                        10,
                                        List.of(
                                                new Command.Reindex.Evaluated(
                                                        Keys.itemSuffix(ITEM),
                                                        item().etag(),
                                                        derived(2, 0, Value.of(9)).rows())))))
                .isEqualTo(new Outcome.Reindexed(true));
        assertThat(hasTerm(Value.of(7))).isFalse();
        assertThat(hasTerm(Value.of(9))).isTrue();
    }
}
