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
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKey;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.storage.format.DataSize;
import orrery.storage.format.PartitionRecord;

/** Etags of a table are moments, and no two writes of a partition have the same. */
class FileTimeEtagTest {
    private static final ItemKey A = key("p", "a");
    private static final ItemKey B = key("p", "b");
    private static final long FIRST = FileTime.ofMillis(NOW).ticks();

    @TempDir Path directory;
    private MachineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new MachineFixture(directory);
        fixture.open(definition -> definition.withKind(ContainerKind.TABLE));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String body(ItemKey key) {
        return "{\"id\":\"" + key.rowKey().text() + "\",\"pk\":\"p\"}";
    }

    private static List<Long> ticks(Outcome outcome) {
        return ((Outcome.Written) outcome)
                .items().stream().map(item -> ticks(item.etag())).toList();
    }

    private static long ticks(Etag etag) {
        return FileTime.ofEtag(etag).orElseThrow().ticks();
    }

    private Command.ItemChange upsert(ItemKey key) {
        return put(Command.Expect.ANY, Precondition.NONE, key, body(key));
    }

    @Test
    void writesAreOneTickApartWhileTheTimeStands() {
        List<Outcome> oneEntry =
                fixture.apply(
                        fixture.write(newItem(A, body(A)), newItem(B, body(B))),
                        fixture.write(upsert(A)));
        Outcome nextEntry = fixture.one(fixture.write(upsert(B), upsert(A)));

        assertThat(ticks(oneEntry.getFirst())).containsExactly(FIRST, FIRST + 1);
        assertThat(ticks(oneEntry.getLast())).containsExactly(FIRST + 2);
        assertThat(ticks(nextEntry)).containsExactly(FIRST + 3, FIRST + 4);
        assertThat(fixture.item(A).map(item -> ticks(item.etag()))).contains(FIRST + 4);
    }

    @Test
    void aNewMillisecondIsANewMoment() {
        fixture.one(fixture.write(upsert(A), upsert(B)));

        assertThat(ticks(fixture.one(fixture.writeAt(NOW + 1, upsert(A)))))
                .containsExactly(FileTime.ofMillis(NOW + 1).ticks());
        // A leader whose clock is behind does not lead the moments back.
        assertThat(ticks(fixture.one(fixture.writeAt(NOW - 1, upsert(A)))))
                .containsExactly(FileTime.ofMillis(NOW + 1).ticks() + 1);
    }

    /** An etag from before the delete must not fit what came in the item's place. */
    @Test
    void anItemThatIsCreatedAnewHasAnotherEtag() {
        long first = ticks(fixture.one(fixture.write(newItem(A, body(A))))).getFirst();
        fixture.one(fixture.write(remove(A)));
        fixture.restart();

        assertThat(ticks(fixture.one(fixture.write(newItem(A, body(A))))))
                .allSatisfy(anew -> assertThat(anew).isGreaterThan(first));
    }

    @Test
    void aRefusedWriteTakesNoMoment() {
        fixture.one(fixture.write(newItem(A, body(A))));
        assertThat(fixture.one(fixture.write(upsert(B), newItem(A, body(A)))))
                .isInstanceOf(Outcome.Rejected.class);

        assertThat(ticks(fixture.one(fixture.write(upsert(B))))).containsExactly(FIRST + 1);
    }

    @Test
    void childrenAndTheirHeirGoOnBehindTheirParents() {
        fixture.one(fixture.write(upsert(A), upsert(B)));
        split();
        boolean isLeft = recordOf(4).keys().contains(A.epk());
        PartitionId owner = new PartitionId(PARTITION.container(), isLeft ? 4 : 5);
        assertThat(recordOf(4).counters().lastTick()).isEqualTo(FIRST + 1);
        assertThat(recordOf(5).counters().lastTick()).isEqualTo(FIRST + 1);

        assertThat(ticks(fixture.one(write(owner, 1)))).containsExactly(FIRST + 2);
        fixture.one(
                new ReshapeCommand.MergePartitions(
                        new PartitionId(PARTITION.container(), 4), 5, 6, 6, NOW));

        PartitionId heir = new PartitionId(PARTITION.container(), 6);
        assertThat(ticks(fixture.one(write(heir, 2)))).containsExactly(FIRST + 3);
    }

    private Command write(PartitionId partition, long request) {
        return new Command.WriteItems(
                partition, new RequestId(5, request), NOW, List.of(upsert(A)));
    }

    private PartitionRecord recordOf(int range) {
        PartitionId id = new PartitionId(PARTITION.container(), range);
        return Objects.requireNonNull(fixture.machine().partitions().get(id)).record();
    }

    private void split() {
        EffectiveKey middle = EffectiveKey.ofHex("1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
        DataSize all = fixture.state().record().size();
        boolean isLeft = A.epk().compareTo(middle) < 0;
        fixture.one(new ReshapeCommand.PrepareSplit(PARTITION, middle, 4, 5));
        assertThat(
                        fixture.one(
                                new ReshapeCommand.CommitSplit(
                                        PARTITION,
                                        4,
                                        5,
                                        4,
                                        5,
                                        fixture.machine().appliedPosition(),
                                        isLeft ? all : DataSize.NONE,
                                        NOW)))
                .isEqualTo(new Outcome.Done());
    }
}
