package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.put;
import static orrery.partition.machine.MachineFixture.remove;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.Keys;

/** Unique keys in apply. The fixture audits the store after every entry, entries included. */
class UniqueKeyTest {
    private static final UniqueKey EMAIL = unique("/email");
    private static final UniqueKey NAME = unique("/name/first", "/name/last");

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(definition -> definition.withUniqueKeys(List.of(EMAIL, NAME)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static UniqueKey unique(String... paths) {
        return new UniqueKey(List.of(paths).stream().map(PropertyPath::parse).toList());
    }

    private static ItemKey item(String id) {
        return key("north", id);
    }

    private static String person(String email, String first, String last) {
        return """
        {"email":"%s","name":{"first":"%s","last":"%s"}}"""
                .formatted(email, first, last);
    }

    private Outcome create(String id, String body) {
        return fixture.one(fixture.write(newItem(item(id), body)));
    }

    private Outcome upsert(String id, String body) {
        return fixture.one(
                fixture.write(put(Command.Expect.ANY, Precondition.NONE, item(id), body)));
    }

    private static void assertDone(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Written.class);
    }

    private static void assertTaken(Outcome outcome, int index) {
        assertThat(outcome)
                .isEqualTo(new Outcome.Rejected(ErrorCode.UNIQUE_KEY_VIOLATION, index, 0));
    }

    private long entries() {
        Bytes prefix = Bytes.wrap(Keys.allUniqueKeys());
        return fixture.keys(Table.META).stream()
                .filter(
                        row ->
                                row.length() > 1
                                        && Bytes.copyOf(row.unsafeArray(), 0, 1).equals(prefix))
                .count();
    }

    @Test
    void twoItemsOfAKeyCannotShareTheValues() {
        assertDone(create("1", person("a@x", "A", "B")));

        assertTaken(create("2", person("a@x", "C", "D")), 0);
        assertTaken(create("2", person("b@x", "A", "B")), 0);
        assertDone(create("2", person("b@x", "A", "C")));
        assertThat(entries()).isEqualTo(4);
    }

    @Test
    void anotherLogicalPartitionMayHaveThem() {
        assertDone(create("1", person("a@x", "A", "B")));

        assertDone(fixture.one(fixture.write(newItem(key("south", "1"), person("a@x", "A", "B")))));
    }

    @Test
    void whatIsMissingCountsAsNullAndNullIsUniqueToo() {
        assertDone(create("1", "{}"));

        assertTaken(create("2", "{\"name\":{\"first\":\"x\",\"last\":\"y\"}}"), 0);
        assertTaken(create("2", "{\"email\":null,\"name\":{\"first\":\"x\"}}"), 0);
        assertTaken(create("2", "{\"email\":\"e\",\"name\":7}"), 0);
        assertDone(create("2", "{\"email\":\"e\",\"name\":{\"first\":7}}"));
    }

    @Test
    void valuesAreComparedByTypeAndNotByTheirText() {
        assertDone(create("1", "{\"email\":1,\"name\":{\"first\":1}}"));

        assertTaken(create("2", "{\"email\":1.0,\"name\":{\"first\":2}}"), 0);
        assertTaken(create("2", "{\"email\":1e0,\"name\":{\"first\":2}}"), 0);
        assertDone(create("2", "{\"email\":\"1\",\"name\":{\"first\":2}}"));
        assertDone(create("3", "{\"email\":true,\"name\":{\"first\":3}}"));
        assertDone(create("4", "{\"email\":[1,{\"b\":2,\"a\":1}],\"name\":{\"first\":4}}"));
        assertTaken(create("5", "{\"email\":[1,{\"a\":1,\"b\":2}],\"name\":{\"first\":5}}"), 0);
        assertDone(create("5", "{\"email\":[[1],{\"a\":1,\"b\":2}],\"name\":{\"first\":5}}"));
    }

    @Test
    void longValuesThatDifferAtTheEndAreDifferent() {
        String stem = "x".repeat(5_000);

        assertDone(create("1", person(stem + "1", "A", "B")));
        assertDone(create("2", person(stem + "2", "A", "C")));
        assertTaken(create("3", person(stem + "2", "A", "D")), 0);
    }

    @Test
    void anItemMayKeepItsOwnValuesAndGiveThemUp() {
        assertDone(create("1", person("a@x", "A", "B")));
        assertDone(create("2", person("b@x", "A", "C")));

        assertDone(upsert("1", person("a@x", "A", "B2")));
        assertTaken(upsert("2", person("a@x", "A", "C")), 0);
        assertDone(upsert("1", person("c@x", "A", "B")));
        assertDone(upsert("2", person("a@x", "A", "B2")));
        assertDone(fixture.one(fixture.write(remove(item("1")))));
        assertDone(create("3", person("c@x", "A", "B")));
        assertThat(entries()).isEqualTo(4);
    }

    @Test
    void changesOfATransactionSeeEachOther() {
        assertDone(create("1", person("a@x", "A", "B")));

        assertTaken(
                fixture.one(
                        fixture.write(
                                newItem(item("2"), person("b@x", "1", "1")),
                                newItem(item("3"), person("b@x", "2", "2")))),
                1);
        assertThat(entries()).isEqualTo(2);
        assertDone(
                fixture.one(
                        fixture.write(
                                remove(item("1")), newItem(item("2"), person("a@x", "A", "B")))));
        assertTaken(
                fixture.one(
                        fixture.write(
                                newItem(item("4"), person("a@x", "4", "4")), remove(item("2")))),
                0);
    }

    @Test
    void commandsOfAnEntrySeeTheEarlierOnes() {
        List<Outcome> outcomes =
                fixture.apply(
                        fixture.write(newItem(item("1"), person("a@x", "A", "B"))),
                        fixture.write(newItem(item("2"), person("a@x", "C", "D"))),
                        fixture.write(remove(item("1"))),
                        fixture.write(newItem(item("3"), person("a@x", "E", "F"))));

        assertDone(outcomes.get(0));
        assertTaken(outcomes.get(1), 0);
        assertDone(outcomes.get(3));
    }

    @Test
    void entriesStayWithTheirKeyThroughSplitMergeAndRestart() {
        for (int i = 0; i < 20; i++) {
            assertDone(
                    fixture.one(
                            fixture.write(newItem(key("k" + i, "1"), person("a@x", "A", "B")))));
        }
        EffectiveKey at = new EffectiveKey(Bytes.ofHex("20"));
        fixture.one(new ReshapeCommand.PrepareSplit(PARTITION, at, 10, 11));
        long position = fixture.machine().appliedPosition();
        DataSize left = DataSize.NONE;
        for (int i = 0; i < 20; i++) {
            ItemKey key = key("k" + i, "1");
            if (key.epk().compareTo(at) < 0) {
                left = left.plus(fixture.logicalPartition(key).size());
            }
        }
        assertThat(
                        fixture.one(
                                new ReshapeCommand.CommitSplit(
                                        PARTITION, 10, 11, 20, 21, position, left, NOW)))
                .isEqualTo(new Outcome.Done());
        assertAllTaken(at, 10, 11);
        fixture.restart();
        assertAllTaken(at, 10, 11);
        assertThat(
                        fixture.one(
                                new ReshapeCommand.MergePartitions(
                                        new PartitionId(7, 10), 11, 12, 22, NOW)))
                .isEqualTo(new Outcome.Done());
        assertAllTaken(at, 12, 12);
        fixture.one(new Command.DropPartition(new PartitionId(7, 12)));
        assertThat(entries()).isZero();
    }

    private void assertAllTaken(EffectiveKey at, int left, int right) {
        for (int i : IntStream.range(0, 20).toArray()) {
            ItemKey key = key("k" + i, "2");
            PartitionId owner = new PartitionId(7, key.epk().compareTo(at) < 0 ? left : right);
            assertTaken(
                    fixture.one(
                            new Command.WriteItems(
                                    owner,
                                    fixture.newRequest(),
                                    NOW,
                                    List.of(newItem(key, person("a@x", "C", "D"))))),
                    0);
        }
    }
}
