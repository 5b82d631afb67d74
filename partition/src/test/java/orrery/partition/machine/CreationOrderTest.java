package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOTHING;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.put;
import static orrery.partition.machine.MachineFixture.remove;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.CreationRecord;
import orrery.storage.format.CreationRows;
import orrery.storage.format.DataSize;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** A key that holds much keeps the order in which its items were created. */
class CreationOrderTest {
    private static final int SORTED = 1000;
    private static final int ROWS_PER_WRITE = 8;
    private static final String KEY = "north";

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.apply(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL));
        fixture.open(NOTHING, NO_LIMIT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Ids that do not follow the order of creation. */
    private static ItemKey item(int number) {
        return key(KEY, "%04d".formatted(number * 7919 % 10_007));
    }

    /** Creates items with one command each, many in an entry. */
    private void create(int from, int to) {
        fixture.apply(
                IntStream.range(from, to)
                        .mapToObj(i -> (Command) fixture.write(newItem(item(i), "{}")))
                        .toArray(Command[]::new));
    }

    private CreationRows rows() {
        return fixture.logicalPartition(item(0)).creationRows();
    }

    /** The row keys of the creation order, in its order. */
    private List<RowKey> order() {
        ItemKey any = item(0);
        byte[] prefix = Keys.creationsOf(7, any.epk(), any.partitionKey());
        List<RowKey> order = new ArrayList<>();
        try (Cursor rows = fixture.store().scan(Table.META, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                order.add(CreationRecord.decode(rows.value()).rowKey());
            }
        }
        return order;
    }

    private static List<RowKey> created(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> item(i).rowKey()).toList();
    }

    @Test
    void aKeyOfAThousandItemsHasNoRows() {
        create(0, SORTED);

        assertThat(rows()).isEqualTo(new CreationRows.None());
        assertThat(order()).isEmpty();
    }

    @Test
    void theItemAfterThemBeginsThemInTheOrderOfIds() {
        create(0, SORTED + 1);

        List<RowKey> first =
                created(0, SORTED + 1).stream().sorted().limit(ROWS_PER_WRITE).toList();
        assertThat(rows()).isEqualTo(new CreationRows.UpTo(first.getLast()));
        assertThat(order()).containsExactlyInAnyOrderElementsOf(first);
    }

    @Test
    void someMoreWritesCompleteThem() {
        create(0, SORTED);
        // Each adds eight rows, and at most one that is still missing.
        create(SORTED, SORTED + 145);

        assertThat(rows()).isEqualTo(new CreationRows.All());
        assertThat(order()).isEqualTo(created(0, SORTED + 145));
    }

    @Test
    void entriesOneByOneComeToTheSame() {
        create(0, SORTED);
        for (int i = SORTED; i < SORTED + 10; i++) {
            create(i, i + 1);
        }
        create(SORTED + 10, SORTED + 145);

        assertThat(order()).isEqualTo(created(0, SORTED + 145));
    }

    /** Changes of the entry before count, whether or not they have reached the store. */
    @Test
    void anEntryAheadOfTheStoreComesToTheSameRows(@TempDir Path other) {
        create(0, SORTED);
        Command[] first =
                IntStream.range(SORTED, SORTED + 5)
                        .mapToObj(i -> (Command) fixture.write(newItem(item(i), "{}")))
                        .toArray(Command[]::new);
        Command[] second = {
            fixture.write(remove(item(3))), fixture.write(newItem(item(SORTED + 5), "{}"))
        };
        List<Bytes> expected;
        try (MachineFixture oneByOne = new MachineFixture(other)) {
            oneByOne.apply(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL));
            oneByOne.open(NOTHING, NO_LIMIT);
            oneByOne.apply(
                    IntStream.range(0, SORTED)
                            .mapToObj(i -> (Command) fixture.write(newItem(item(i), "{}")))
                            .toArray(Command[]::new));
            oneByOne.apply(first);
            oneByOne.apply(second);
            expected = oneByOne.keys(Table.META);
        }

        PartitionMachine machine = fixture.machine();
        try (StoreBatch one = fixture.store().newBatch();
                StoreBatch two = fixture.store().newBatch()) {
            long position = machine.appliedPosition();
            machine.apply(position + 1, List.of(first), one);
            machine.apply(position + 2, List.of(second), two);
            fixture.store().write(one, false);
            fixture.store().write(two, false);
        }

        assertThat(fixture.keys(Table.META)).isEqualTo(expected);
    }

    @Test
    void manyItemsInOneCommandCompleteThemAtOnce() {
        create(0, SORTED - 100);
        fixture.apply(
                fixture.write(
                        IntStream.range(SORTED - 100, SORTED + 300)
                                .mapToObj(i -> newItem(item(i), "{}"))
                                .toArray(Command.ItemChange[]::new)));

        assertThat(rows()).isEqualTo(new CreationRows.All());
        assertThat(order()).isEqualTo(created(0, SORTED + 300));
    }

    @Test
    void itemsOfManyBytesBeginThemEarlier() {
        String half = "{\"s\":\"" + "x".repeat(1 << 20) + "\"}";
        for (int i = 0; i < 3; i++) {
            fixture.apply(fixture.write(newItem(item(i), half)));
        }
        assertThat(rows()).isEqualTo(new CreationRows.None());

        // A replacement makes the key large too.
        fixture.apply(
                fixture.write(
                        put(
                                Command.Expect.PRESENT,
                                Precondition.NONE,
                                item(0),
                                "{\"s\":\"" + "x".repeat(2 << 20) + "\"}")));

        assertThat(rows()).isEqualTo(new CreationRows.All());
        assertThat(order()).isEqualTo(created(0, 3));
    }

    @Test
    void replacesRenamesAndDeletesKeepThem() {
        create(0, SORTED + 200);
        ItemKey renamed = key(KEY, "renamed");
        fixture.apply(
                fixture.write(put(Command.Expect.PRESENT, Precondition.NONE, item(5), "{\"n\":1}")),
                fixture.write(
                        new Command.ItemChange.Rename(
                                item(7),
                                renamed.rowKey(),
                                Precondition.NONE,
                                Encoding.JSON,
                                Bytes.ofUtf8("{}"))),
                fixture.write(remove(item(9))));

        List<RowKey> expected = new ArrayList<>(created(0, SORTED + 200));
        expected.set(7, renamed.rowKey());
        expected.remove(9);
        assertThat(order()).isEqualTo(expected);
    }

    /** The audit behind each entry finds a row too many or too few. */
    @Test
    void changesWhileTheyAreIncompleteKeepThem() {
        create(0, SORTED + 40);
        for (int i = 0; i < 20; i++) {
            fixture.apply(
                    fixture.write(remove(item(i))),
                    fixture.write(
                            new Command.ItemChange.Rename(
                                    item(100 + i),
                                    RowKey.ofText((i % 2 == 0 ? "!" : "z") + i),
                                    Precondition.NONE,
                                    Encoding.JSON,
                                    Bytes.ofUtf8("{}"))));
        }

        assertThat(fixture.logicalPartition(item(0)).size().items()).isEqualTo(SORTED + 20);
        assertThat(rows()).isNotEqualTo(new CreationRows.None());
    }

    @Test
    void aKeyThatIsEmptyBeginsAnew() {
        create(0, SORTED + 200);
        fixture.apply(
                IntStream.range(0, SORTED + 200)
                        .mapToObj(i -> (Command) fixture.write(remove(item(i))))
                        .toArray(Command[]::new));
        assertThat(order()).isEmpty();

        create(0, 10);
        assertThat(rows()).isEqualTo(new CreationRows.None());
    }

    @Test
    void whatIsPurgedLeavesThem() {
        create(0, SORTED + 200);
        ItemKey first = item(0);
        fixture.apply(
                new DeleteKey(
                        PARTITION,
                        fixture.newRequest(),
                        NOW,
                        first.partitionKey(),
                        new KeyRange(first.epk(), KeyRange.FULL.max())));
        create(5000, 5001);
        List<Command.Purge.Target> gone = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ItemRecord record = fixture.item(item(i)).orElseThrow();
            gone.add(new Command.Purge.Target(Keys.itemSuffix(item(i)), record.etag()));
        }
        fixture.apply(new Command.Purge(PARTITION, NOW, gone));

        List<RowKey> expected = new ArrayList<>(created(200, SORTED + 200));
        expected.add(item(5000).rowKey());
        assertThat(order()).isEqualTo(expected);
    }

    private void createIn(PartitionId partition, int number) {
        assertThat(
                        fixture.one(
                                new Command.WriteItems(
                                        partition,
                                        fixture.newRequest(),
                                        NOW,
                                        List.of(newItem(item(number), "{}")))))
                .isInstanceOf(Outcome.Written.class);
    }

    /** A split never cuts a key, so its rows stay where they are, also while some are missing. */
    @Test
    void splitsAndMergesTouchNone() {
        create(0, SORTED + 10);
        List<RowKey> before = order();
        PartitionId left = new PartitionId(7, 11);
        PartitionId right = new PartitionId(7, 12);
        PartitionId merged = new PartitionId(7, 13);

        fixture.one(new ReshapeCommand.PrepareSplit(PARTITION, item(0).epk(), 11, 12));
        assertThat(
                        fixture.one(
                                new ReshapeCommand.CommitSplit(
                                        PARTITION,
                                        11,
                                        12,
                                        11,
                                        12,
                                        fixture.machine().appliedPosition(),
                                        DataSize.NONE,
                                        NOW)))
                .isEqualTo(new Outcome.Done());
        assertThat(order()).isEqualTo(before);
        createIn(right, SORTED + 10);
        before = order();

        assertThat(fixture.one(new ReshapeCommand.MergePartitions(left, 12, 13, 13, NOW)))
                .isEqualTo(new Outcome.Done());
        assertThat(order()).isEqualTo(before);
        for (int i = SORTED + 11; i < SORTED + 150; i++) {
            createIn(merged, i);
        }
        assertThat(rows()).isEqualTo(new CreationRows.All());
        assertThat(order()).isEqualTo(created(0, SORTED + 150));
    }

    @Test
    void aDroppedPartitionLeavesNone() {
        create(0, SORTED + 200);
        fixture.apply(new Command.DropPartition(PARTITION));

        assertThat(order()).isEmpty();
    }

    /** An earlier level writes what it wrote when it was the newest. */
    @Test
    void anEarlierLevelHasNone(@TempDir Path other) {
        try (MachineFixture earlier = new MachineFixture(other)) {
            earlier.apply(new Command.RaiseLevel(2));
            earlier.open(NOTHING, NO_LIMIT);
            earlier.apply(
                    earlier.write(
                            IntStream.range(0, SORTED + 1)
                                    .mapToObj(i -> newItem(item(i), "{}"))
                                    .toArray(Command.ItemChange[]::new)));
            assertThat(earlier.logicalPartition(item(0)).creationRows())
                    .isEqualTo(new CreationRows.None());
        }
    }
}
