package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.Precondition;
import orrery.model.RangeBoundaries;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.SplitAim;
import orrery.storage.Table;
import orrery.storage.format.Keys;

final class CatalogRecordTest {
    private static final byte[] ACCOUNT = Keys.catalog(0, 0);
    private static final Bytes EXTENSION = Bytes.ofHex("E1030A0B0C");

    private MachineFixture catalog;

    @BeforeEach
    void open(@TempDir Path directory) {
        catalog = new MachineFixture(directory);
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private void put(byte[] row) {
        catalog.put(ACCOUNT, row);
    }

    private byte[] row() {
        return Objects.requireNonNull(catalog.store().get(Table.META, ACCOUNT));
    }

    /** The bytes are those in docs/formats/catalog.md. */
    @Test
    void aRecordHasAVersionAndALength() {
        assertThat(Bytes.wrap(row()).toHex())
                .isEqualTo(
                        "0864"
                                + "0102030405060708090A0B0C0D0E0F10"
                                + "00000001"
                                + "00"
                                + "03010203"
                                + "00002710000000050000000000020000000C80000000010000"
                                + "020000006400000005000001900000003C"
                                + "00"
                                + "0000000100000001000000010000000100000001"
                                + "0000000000000001"
                                + "00000000");
    }

    @Test
    void extensionsStayBehindARecordThatIsWrittenAgain() {
        byte[] extended = Arrays.copyOf(row(), row().length + EXTENSION.length());
        System.arraycopy(EXTENSION.unsafeArray(), 0, extended, row().length, EXTENSION.length());
        put(extended);

        catalog.restart();
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));

        assertThat(catalog.state().account().nextDatabase()).isEqualTo(2);
        assertThat(Bytes.wrap(row()).toHex()).endsWith(EXTENSION.toHex());
        assertThat(row()).hasSameSizeAs(extended);
    }

    /** Also those of a reshape that came to nothing stay used, and a restart forgets none. */
    @Test
    void segmentsAreNumberedOnce() {
        catalog.createContainer();
        RangeCommand split = new RangeCommand.BeginSplit(1, 0, SplitAim.OPERATOR);
        catalog.apply(split);
        Reshape first = catalog.state().reshape(1).orElseThrow();
        catalog.apply(new RangeCommand.CancelReshape(1, first));

        catalog.restart();
        catalog.apply(split);

        Reshape second = new Reshape.Split(0, 1, 2, 4, 5, SplitAim.OPERATOR);
        assertThat(segments()).containsExactly(1);
        assertThat(first).isEqualTo(new Reshape.Split(0, 1, 2, 2, 3, SplitAim.OPERATOR));
        assertThat(catalog.state().reshape(1)).contains(second);
        catalog.restart();
        assertThat(catalog.state().reshape(1)).contains(second);
        assertThat(catalog.state().container(1).orElseThrow().nextSegment()).isEqualTo(6);
    }

    /** The number of a range is not that of its segment, from the first one on. */
    @Test
    void firstRangesTakeTheirSegmentsFromTheCounterToo() {
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));
        catalog.apply(MachineFixture.container("c", 3));
        catalog.apply(new ResourceCommand.ContainerReady(1, 1));

        assertThat(segments()).containsExactly(1, 2, 3);
        assertThat(catalog.state().container(1).orElseThrow().nextSegment()).isEqualTo(4);

        catalog.apply(new RangeCommand.BeginMerge(1, 0));
        Reshape merge = catalog.state().reshape(1).orElseThrow();
        catalog.apply(new RangeCommand.PublishReshape(1, merge, Optional.empty(), 1));

        assertThat(merge).isEqualTo(new Reshape.Merge(0, 1, 3, 4));
        assertThat(segments()).containsExactly(4, 3);
    }

    private List<Integer> segments() {
        return ranges().stream().map(PhysicalPartition::segment).toList();
    }

    private List<PhysicalPartition> ranges() {
        return catalog.state().partitionMap(1).orElseThrow().partitions();
    }

    /** A range has the epoch of the map that brought it to its set; others keep theirs. */
    @Test
    void rangesHaveTheEpochOfTheirPlace() {
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));
        catalog.apply(MachineFixture.container("c", 2));
        catalog.apply(new ResourceCommand.ContainerReady(1, 1));
        catalog.apply(new RangeCommand.Redistribute(1, 1, List.of(0.75, 0.25)));
        catalog.apply(new RangeCommand.BeginSplit(1, 0, SplitAim.OPERATOR));
        catalog.apply(
                new RangeCommand.PublishReshape(
                        1,
                        catalog.state().reshape(1).orElseThrow(),
                        Optional.of(EffectiveKey.ofHex("0FFF")),
                        1));

        assertThat(catalog.state().partitionMap(1).orElseThrow().epoch()).isEqualTo(3);
        assertThat(ranges()).extracting(PhysicalPartition::epoch).containsExactly(3L, 3L, 1L);
        assertThat(ranges()).extracting(PhysicalPartition::replicaSet).containsOnly(0);
    }

    @Test
    void aRangeIsPlacedInASetThatExists() {
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));

        CatalogOutcome outcome =
                catalog.apply(
                        new ResourceCommand.CreateContainer(
                                1,
                                "c",
                                CatalogSamples.DEFINITION,
                                Optional.empty(),
                                List.of(new ResourceCommand.PlacedRange(KeyRange.FULL, 1))));

        assertThat(outcome).isInstanceOf(CatalogOutcome.Rejected.class);
        assertThat(catalog.state().allContainers()).isEmpty();
    }

    @Test
    void theFirstNodeMakesTheFirstSet() {
        assertThat(catalog.state().nodes()).containsExactly(NodeRecord.alone());
        assertThat(catalog.state().sets()).containsExactly(SetRecord.founded(NodeRecord.FIRST));

        NodeRecord changed = new NodeRecord(0, "n0:1", 0, 1, 9, NodeRecord.State.UP);
        catalog.apply(new RegisterNode(changed));
        catalog.apply(new RegisterNode(new NodeRecord(1, "n1:1", 0, 1, 9, NodeRecord.State.UP)));
        catalog.restart();

        assertThat(catalog.state().node(0)).contains(changed);
        assertThat(catalog.state().nodes()).hasSize(2);
        assertThat(catalog.state().sets()).containsExactly(SetRecord.founded(NodeRecord.FIRST));
        assertThat(catalog.state().setsOf(0)).containsExactly(0);
        assertThat(catalog.state().setsOf(1)).isEmpty();
    }

    /** A merge of two logs could never be carried out, and would be tried for ever. */
    @Test
    void rangesOfTwoSetsAreNotMerged() {
        catalog.put(new Change.OfSet(new SetRecord(1, 0, List.of())));
        List<KeyRange> halves =
                RangeBoundaries.initial(CatalogSamples.DEFINITION.partitionKey(), 2);
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));
        catalog.apply(
                new ResourceCommand.CreateContainer(
                        1,
                        "c",
                        CatalogSamples.DEFINITION,
                        Optional.empty(),
                        List.of(
                                new ResourceCommand.PlacedRange(halves.get(0), 0),
                                new ResourceCommand.PlacedRange(halves.get(1), 1))));
        catalog.apply(new ResourceCommand.ContainerReady(1, 1));

        assertThat(ranges()).extracting(PhysicalPartition::replicaSet).containsExactly(0, 1);
        assertThat(catalog.apply(new RangeCommand.BeginMerge(1, 0)))
                .isInstanceOf(CatalogOutcome.Rejected.class);
        assertThat(catalog.state().reshape(1)).isEmpty();
    }

    /** Front-ends describe a container without its kind when they replace it. */
    @Test
    void aContainerKeepsItsKind() {
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));
        catalog.apply(
                new ResourceCommand.CreateContainer(
                        1,
                        "c",
                        CatalogSamples.DEFINITION.withKind(ContainerKind.MONGODB),
                        Optional.empty(),
                        List.of(MachineFixture.placed(KeyRange.FULL))));
        catalog.apply(
                new ResourceCommand.ReplaceContainer(
                        1, CatalogSamples.DEFINITION.withChangeRetention(5), Precondition.NONE));
        catalog.restart();

        assertThat(catalog.state().container(1).orElseThrow().definition())
                .isEqualTo(
                        CatalogSamples.DEFINITION
                                .withChangeRetention(5)
                                .withKind(ContainerKind.MONGODB));
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] older = row();
        older[0] = 4;
        put(older);

        assertThatExceptionOfType(MalformedRecordException.class).isThrownBy(catalog::restart);
    }
}
