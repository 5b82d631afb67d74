package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.put;
import static orrery.partition.machine.MachineFixture.remove;

import java.nio.file.Path;
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
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.codec.BinaryWriter;
import orrery.storage.format.DataSize;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;

/** The deletion of whole keys. The fixture audits the store after every entry. */
class KeyDeletionTest {
    private static final ItemKey ONE = key("north", "1");
    private static final ItemKey TWO = key("north", "2");
    private static final ItemKey OTHER = key("south", "1");
    private static final String BODY = "{}";

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(IndexingPolicy.DEFAULT, NO_LIMIT);
        for (ItemKey item : List.of(ONE, TWO, OTHER)) {
            assertThat(write(PARTITION, newItem(item, BODY))).isInstanceOf(Outcome.Written.class);
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Outcome write(PartitionId id, Command.ItemChange change) {
        return fixture.one(new Command.WriteItems(id, fixture.newRequest(), NOW, List.of(change)));
    }

    static KeyRange rangeOf(ItemKey item) {
        return new KeyRange(
                item.epk(),
                new EffectiveKey(new BinaryWriter(20).raw(item.epk().bytes()).u8(0).toBytes()));
    }

    private static DeleteKey delete(PartitionId id, RequestId request, ItemKey item) {
        return new DeleteKey(id, request, NOW, item.partitionKey(), rangeOf(item));
    }

    private Outcome delete(ItemKey item) {
        return fixture.one(delete(PARTITION, fixture.newRequest(), item));
    }

    private PartitionState state(PartitionId id) {
        return Objects.requireNonNull(fixture.machine().partitions().get(id));
    }

    private Outcome purge(PartitionId id, ItemKey... keys) {
        return fixture.one(
                new Command.Purge(
                        id,
                        NOW,
                        List.of(keys).stream()
                                .map(
                                        key ->
                                                new Command.Purge.Target(
                                                        Keys.itemSuffix(key),
                                                        fixture.item(key).orElseThrow().etag()))
                                .toList()));
    }

    @Test
    void itemsOfTheKeyAreGoneAtOnceAndOthersAreNot() {
        assertThat(delete(ONE)).isEqualTo(new Outcome.Written(5, NOW, 0, List.of()));

        assertThat(write(PARTITION, remove(ONE)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.NOT_FOUND, 0, 0));
        assertThat(write(PARTITION, put(Command.Expect.PRESENT, Precondition.NONE, TWO, BODY)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.NOT_FOUND, 0, 0));
        assertThat(write(PARTITION, remove(OTHER))).isInstanceOf(Outcome.Written.class);
        assertThat(fixture.item(ONE)).as("its row").isPresent();
    }

    @Test
    void whatIsWrittenAfterwardsStays() {
        delete(ONE);
        assertThat(write(PARTITION, newItem(ONE, BODY))).isInstanceOf(Outcome.Written.class);

        purge(PARTITION, ONE, TWO);

        assertThat(fixture.item(ONE)).isPresent();
        assertThat(fixture.item(TWO)).isEmpty();
        assertThat(write(PARTITION, remove(ONE))).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aRepeatedRequestDeletesNothingThatCameBetween() {
        RequestId request = fixture.newRequest();
        Outcome first = fixture.one(delete(PARTITION, request, ONE));
        write(PARTITION, newItem(ONE, BODY));

        assertThat(fixture.one(delete(PARTITION, request, ONE)))
                .isEqualTo(new Outcome.Repeated(first, Bytes.EMPTY));
        assertThat(write(PARTITION, remove(ONE))).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aKeyWithoutItemsNeedsNoNote() {
        delete(key("east", "any"));

        assertThat(fixture.state().deletions()).isEqualTo(KeyDeletions.NONE);
        assertThat(fixture.state().record().headLsn()).isEqualTo(4);
    }

    @Test
    void theNoteIsKeptOverARestartAndForgottenInTheEnd() {
        delete(ONE);
        fixture.restart();
        assertThat(write(PARTITION, remove(ONE)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.NOT_FOUND, 0, 0));
        purge(PARTITION, ONE, TWO);

        KeyDeletions.Deletion note = fixture.state().deletions().deletions().getFirst();
        fixture.one(new ForgetDeletion(PARTITION, note));

        assertThat(fixture.state().deletions()).isEqualTo(KeyDeletions.NONE);
        fixture.restart();
        assertThat(fixture.state().deletions()).isEqualTo(KeyDeletions.NONE);
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
    }

    @Test
    void aSplitHandsTheNoteToTheChildThatHasTheKeyAndAMergeTakesItBack() {
        delete(ONE);
        EffectiveKey at = EffectiveKey.ofHex("20");
        fixture.one(new ReshapeCommand.PrepareSplit(PARTITION, at, 10, 11));
        DataSize left = DataSize.NONE;
        for (ItemKey item : List.of(ONE, OTHER)) {
            if (item.epk().compareTo(at) < 0) {
                left = left.plus(fixture.logicalPartition(item).size());
            }
        }
        fixture.one(
                new ReshapeCommand.CommitSplit(
                        PARTITION, 10, 11, 20, 21, fixture.machine().appliedPosition(), left, NOW));
        PartitionId owner = new PartitionId(7, ONE.epk().compareTo(at) < 0 ? 10 : 11);
        PartitionId sibling = new PartitionId(7, owner.range() == 10 ? 11 : 10);

        assertThat(state(owner).deletions().deletions()).hasSize(1);
        assertThat(state(sibling).deletions()).isEqualTo(KeyDeletions.NONE);
        assertThat(write(owner, remove(ONE)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.NOT_FOUND, 0, 0));
        assertThat(fixture.one(delete(sibling, fixture.newRequest(), ONE)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0));
        fixture.one(new ReshapeCommand.MergePartitions(new PartitionId(7, 10), 11, 12, 22, NOW));
        PartitionId merged = new PartitionId(7, 12);
        assertThat(write(merged, remove(ONE)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.NOT_FOUND, 0, 0));
        assertThat(write(merged, newItem(ONE, BODY))).isInstanceOf(Outcome.Written.class);
        purge(merged, ONE, TWO);
        assertThat(fixture.item(ONE)).isPresent();
        fixture.one(new Command.DropPartition(merged));
    }

    @Test
    void soManyKeysCanBeNotedAndNotOneMore() {
        int limit = Levels.RELEASED.of(1).maxDeletions();
        for (int i = 0; i <= limit; i++) {
            write(PARTITION, newItem(key("k" + i, "1"), BODY));
        }
        for (int i = 0; i < limit; i++) {
            assertThat(delete(key("k" + i, "1"))).isInstanceOf(Outcome.Written.class);
        }

        assertThat(delete(key("k" + limit, "1")))
                .isEqualTo(new Outcome.Rejected(ErrorCode.TOO_MANY_REQUESTS, 0, 0));
        assertThat(delete(key("k0", "1"))).as("again").isInstanceOf(Outcome.Written.class);
    }
}
