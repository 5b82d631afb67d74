package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOTHING;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.remove;
import static orrery.partition.machine.MachineFixture.version;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.PartitionRecord;

/** Splits, merges and drops. The fixture audits the store after every entry. */
class PartitionShapingTest {
    private static final EffectiveKey MIDDLE =
            EffectiveKey.ofHex("20000000000000000000000000000000");
    private static final int LEFT = 4;
    private static final int RIGHT = 5;
    private static final Outcome DONE = new Outcome.Done();
    private static final Outcome RETRY = new Outcome.Rejected(ErrorCode.RETRY_WITH, 0, 0);
    private static final Outcome GONE = new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);

    private final List<ItemKey> keys = new ArrayList<>();
    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(IndexingPolicy.DEFAULT, NO_LIMIT);
        for (int i = 0; i < 20; i++) {
            keys.add(key("key-" + i, "i" + i));
        }
        keys.sort(Comparator.comparing(ItemKey::epk));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void createAll() {
        keys.forEach(key -> create(PARTITION, key));
    }

    private Outcome create(PartitionId partition, ItemKey key) {
        return fixture.one(write(partition, newItem(key, body(key, 1))));
    }

    private Command.WriteItems write(PartitionId partition, Command.ItemChange change) {
        return new Command.WriteItems(partition, fixture.newRequest(), NOW, List.of(change));
    }

    private static String body(ItemKey key, int number) {
        return "{\"id\":\"%s\",\"n\":%d,\"tags\":[\"a\",\"b\"]}".formatted(key.rowKey(), number);
    }

    private static PartitionId id(int range) {
        return new PartitionId(PARTITION.container(), range);
    }

    private PartitionRecord record(int range) {
        return Objects.requireNonNull(fixture.machine().partitions().get(id(range))).record();
    }

    private DataSize leftOf(PartitionRecord record, EffectiveKey at) {
        DataSize left = DataSize.NONE;
        for (ItemKey key : keys) {
            if (record.keys().contains(key.epk()) && key.epk().compareTo(at) < 0) {
                left = left.plus(fixture.logicalPartition(key).size());
            }
        }
        return left;
    }

    private Outcome prepare(int range, EffectiveKey at, int left, int right) {
        return fixture.one(new ReshapeCommand.PrepareSplit(id(range), at, left, right));
    }

    private Command commit(int range, int left, int right, DataSize leftBefore) {
        long prepared = record(range).split().orElseThrow().position();
        return new ReshapeCommand.CommitSplit(
                id(range), left, right, left, right, prepared, leftBefore, NOW);
    }

    private void split(int range, EffectiveKey at, int left, int right) {
        assertThat(prepare(range, at, left, right)).isEqualTo(DONE);
        DataSize before = leftOf(record(range), at);
        assertThat(fixture.one(commit(range, left, right, before))).isEqualTo(DONE);
    }

    private Outcome merge(int left, int right, int into) {
        return fixture.one(new ReshapeCommand.MergePartitions(id(left), right, into, into, NOW));
    }

    private void reindexToTheEnd(int range) {
        Outcome outcome = new Outcome.Reindexed(false);
        while (outcome.equals(new Outcome.Reindexed(false))) {
            outcome = fixture.one(new Command.Reindex(id(range), record(range).policyVersion(), 3));
        }
    }

    @Test
    void childrenShareTheParentsItemsAndContinueItsHistory() {
        createAll();
        PartitionRecord parent = record(3);
        List<ItemRecord> before = keys.stream().map(k -> fixture.item(k).orElseThrow()).toList();

        split(3, MIDDLE, LEFT, RIGHT);

        assertThat(fixture.machine().partitions().keySet())
                .containsExactlyInAnyOrder(id(LEFT), id(RIGHT));
        assertThat(record(LEFT).keys()).isEqualTo(new KeyRange(EffectiveKey.MIN, MIDDLE));
        assertThat(record(RIGHT).keys()).isEqualTo(new KeyRange(MIDDLE, EffectiveKey.MAX));
        assertThat(record(LEFT).size().plus(record(RIGHT).size())).isEqualTo(parent.size());
        assertThat(record(LEFT).size().items()).isPositive();
        assertThat(record(LEFT).headLsn()).isEqualTo(parent.headLsn() + 1);
        assertThat(record(RIGHT).headLsn()).isEqualTo(parent.headLsn() + 1);
        assertThat(keys.stream().map(k -> fixture.item(k).orElseThrow()).toList())
                .isEqualTo(before);
    }

    @Test
    void whatChangesBetweenPreparationAndCommitIsCounted() {
        createAll();
        assertThat(prepare(3, MIDDLE, LEFT, RIGHT)).isEqualTo(DONE);
        DataSize left = leftOf(record(3), MIDDLE);

        fixture.one(write(PARTITION, remove(keys.getFirst())));
        fixture.one(write(PARTITION, remove(keys.getLast())));
        create(PARTITION, key("another", "1"));
        create(PARTITION, key("and another", "2"));
        fixture.one(new Command.SetDefinition(PARTITION, version(2, NOTHING, NO_LIMIT)));
        fixture.one(new Command.Reindex(PARTITION, 2, 5));

        assertThat(fixture.one(commit(3, LEFT, RIGHT, left))).isEqualTo(DONE);
        assertThat(record(LEFT).reindexing()).isTrue();
        reindexToTheEnd(LEFT);
        reindexToTheEnd(RIGHT);
        assertThat(record(RIGHT).reindexing()).isFalse();
    }

    @Test
    void doingItAgainChangesNothing() {
        createAll();
        split(3, MIDDLE, LEFT, RIGHT);
        PartitionRecord left = record(LEFT);

        assertThat(prepare(3, MIDDLE, LEFT, RIGHT)).isEqualTo(DONE);
        assertThat(
                        fixture.one(
                                new ReshapeCommand.CommitSplit(
                                        PARTITION,
                                        LEFT,
                                        RIGHT,
                                        LEFT,
                                        RIGHT,
                                        1,
                                        DataSize.NONE,
                                        NOW)))
                .isEqualTo(DONE);
        assertThat(record(LEFT)).isEqualTo(left);
    }

    @Test
    void aSumFromAnotherPreparationIsRefused() {
        createAll();
        prepare(3, MIDDLE, LEFT, RIGHT);
        Command stale = commit(3, LEFT, RIGHT, leftOf(record(3), MIDDLE));
        prepare(3, MIDDLE, 6, 7);
        create(PARTITION, key("another", "1"));
        prepare(3, MIDDLE, LEFT, RIGHT);

        assertThat(fixture.one(stale)).isEqualTo(RETRY);
        assertThat(fixture.one(commit(3, LEFT, RIGHT, new DataSize(1000, 0, 0)))).isEqualTo(RETRY);
        assertThat(fixture.machine().partitions()).containsOnlyKeys(PARTITION);
    }

    @Test
    void aSplitPointMustLieInside() {
        Outcome refused = new Outcome.Rejected(ErrorCode.BAD_REQUEST, 0, 0);

        assertThat(prepare(3, EffectiveKey.MIN, LEFT, RIGHT)).isEqualTo(refused);
        assertThat(prepare(3, EffectiveKey.MAX, LEFT, RIGHT)).isEqualTo(refused);
        split(3, MIDDLE, LEFT, RIGHT);
        assertThat(prepare(LEFT, MIDDLE, 6, 7)).isEqualTo(refused);
        assertThat(prepare(99, MIDDLE, 6, 7)).isEqualTo(GONE);
    }

    @Test
    void theParentIsGoneAndARepeatedWriteFindsItsOutcome() {
        createAll();
        ItemKey last = key("last", "1");
        Command.WriteItems write = write(PARTITION, newItem(last, body(last, 1)));
        Outcome first = fixture.one(write);
        keys.add(last);
        split(3, MIDDLE, LEFT, RIGHT);
        boolean isLeft = last.epk().compareTo(MIDDLE) < 0;

        assertThat(create(PARTITION, key("late", "1"))).isEqualTo(GONE);
        Command again =
                new Command.WriteItems(
                        id(isLeft ? LEFT : RIGHT), write.requestId(), NOW, write.changes());
        assertThat(fixture.one(again)).isEqualTo(new Outcome.Repeated(first, Bytes.EMPTY));
    }

    @Test
    void commandsBehindASplitInOneEntrySeeTheChildren() {
        createAll();
        prepare(3, MIDDLE, LEFT, RIGHT);
        ItemKey first = key("another", "1");
        PartitionId home = id(first.epk().compareTo(MIDDLE) < 0 ? LEFT : RIGHT);

        List<Outcome> outcomes =
                fixture.apply(
                        write(PARTITION, newItem(first, body(first, 1))),
                        commit(3, LEFT, RIGHT, leftOf(record(3), MIDDLE)),
                        write(PARTITION, remove(first)),
                        write(home, remove(first)));

        assertThat(outcomes.get(1)).isEqualTo(DONE);
        assertThat(outcomes.get(2)).isEqualTo(GONE);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void entriesComeHomeWhenTheListOfSegmentsGrows() {
        createAll();
        int range = 3;
        int next = 10;
        for (int i = 16; i > 4; i -= 2) {
            if (record(range).segments().size() == Levels.RELEASED.of(1).maxSegments()) {
                break;
            }
            split(range, keys.get(i).epk(), next, next + 1);
            range = next;
            next += 2;
        }
        assertThat(record(range).segments()).hasSizeGreaterThan(4);
        assertThat(record(range).reindexing()).isTrue();

        reindexToTheEnd(range);

        assertThat(record(range).segments())
                .containsExactly(new PartitionRecord.Segment(range, record(range).keys()));
        assertThat(fixture.item(keys.getFirst()).orElseThrow().segment()).isEqualTo(range);
    }

    @Test
    void aPartitionWithEightSegmentsIsNotSplitBeforeItsEntriesAreHome() {
        createAll();
        int range = 3;
        for (int i = 0; i < 7; i++) {
            split(range, keys.get(18 - 2 * i).epk(), 10 + 2 * i, 11 + 2 * i);
            range = 10 + 2 * i;
        }
        assertThat(record(range).segments()).hasSize(8);
        EffectiveKey at = keys.get(2).epk();

        assertThat(prepare(range, at, 50, 51)).isEqualTo(RETRY);
        reindexToTheEnd(range);
        split(range, at, 50, 51);
    }

    @Test
    void mergingJoinsNeighboursAboveBothHistories() {
        createAll();
        DataSize whole = record(3).size();
        split(3, MIDDLE, LEFT, RIGHT);
        for (int i = 0; i < 4; i++) {
            ItemKey first = keys.getFirst();
            fixture.one(write(id(LEFT), remove(first)));
            create(id(LEFT), first);
        }
        long head = record(LEFT).headLsn();

        assertThat(merge(RIGHT, LEFT, 6))
                .isEqualTo(new Outcome.Rejected(ErrorCode.BAD_REQUEST, 0, 0));
        assertThat(merge(LEFT, RIGHT, 6)).isEqualTo(DONE);
        assertThat(merge(LEFT, RIGHT, 6)).isEqualTo(DONE);

        assertThat(fixture.machine().partitions()).containsOnlyKeys(id(6));
        assertThat(record(6).keys()).isEqualTo(KeyRange.FULL);
        assertThat(record(6).size()).isEqualTo(whole);
        assertThat(record(6).headLsn()).isEqualTo(head + 1);
        assertThat(record(6).segments().stream().map(PartitionRecord.Segment::number))
                .containsExactly(3, LEFT, RIGHT, 6);
    }

    /** Both sides have given out the same LSNs: their change records must not meet. */
    @Test
    void changesOfBothSidesOfAMergeSurviveTheMoveIntoOneSegment() {
        split(3, MIDDLE, LEFT, RIGHT);
        for (ItemKey key : keys) {
            create(id(key.epk().compareTo(MIDDLE) < 0 ? LEFT : RIGHT), key);
        }
        merge(LEFT, RIGHT, 6);
        fixture.one(new Command.SetDefinition(id(6), version(2, NOTHING, NO_LIMIT)));

        reindexToTheEnd(6);

        assertThat(record(6).segments()).hasSize(1);
        assertThat(fixture.keys(Table.CHANGES)).hasSize(keys.size());
        for (ItemKey key : keys) {
            fixture.one(write(id(6), remove(key)));
        }
        assertThat(fixture.keys(Table.CHANGES)).isEmpty();
        assertThat(fixture.keys(Table.INDEX)).isEmpty();
    }

    @Test
    void partitionsOnDifferentPoliciesAreNotMerged() {
        createAll();
        split(3, MIDDLE, LEFT, RIGHT);
        fixture.one(new Command.SetDefinition(id(LEFT), version(2, NOTHING, NO_LIMIT)));

        assertThat(merge(LEFT, RIGHT, 6)).isEqualTo(RETRY);
        fixture.one(new Command.SetDefinition(id(RIGHT), version(2, NOTHING, NO_LIMIT)));
        assertThat(merge(LEFT, RIGHT, 6)).isEqualTo(RETRY);
        reindexToTheEnd(LEFT);
        reindexToTheEnd(RIGHT);
        assertThat(merge(LEFT, RIGHT, 6)).isEqualTo(DONE);
    }

    @Test
    void droppingAllChildrenLeavesNothing() {
        createAll();
        split(3, MIDDLE, LEFT, RIGHT);
        split(LEFT, keys.get(3).epk(), 6, 7);

        for (int range : List.of(6, 7, RIGHT)) {
            fixture.one(new Command.DropPartition(id(range)));
        }

        for (Table table : List.of(Table.ITEMS, Table.INDEX, Table.CHANGES)) {
            assertThat(fixture.keys(table)).as(table.name()).isEmpty();
        }
    }

    @Test
    void aPartitionIsNotOpenedOverAnother() {
        split(3, MIDDLE, LEFT, RIGHT);

        assertThat(fixture.one(MachineFixture.openCommand(IndexingPolicy.DEFAULT, NO_LIMIT)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.CONFLICT, 0, 0));
    }
}
