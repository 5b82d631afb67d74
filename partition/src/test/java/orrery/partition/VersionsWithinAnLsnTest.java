package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.HostFixture.PARTITION;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.VersionPlace;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Transactions whose versions do not fit a page. */
@Timeout(900)
class VersionsWithinAnLsnTest {
    private static final int MANY = 1000;
    private static final int STEPS = 5;
    private static final int KEYS = 8;

    /** The bytes of two of the items that are written here, but not of three. */
    private static final int PAGE_OF_TWO = 4500;

    @TempDir Path directory;
    private HostFixture fixture;

    @BeforeEach
    void open() {
        fixture = new HostFixture(directory, HostFixture.ONE_PATH);
        fixture.redefine(2, definition -> definition.withChangeRetention(10));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ReadResponse.Versions page(PartitionId partition, VersionPlace after, int maxBytes) {
        return (ReadResponse.Versions)
                fixture.call(
                        new ReadRequest.ReadVersions(
                                partition,
                                KeyRange.FULL,
                                Optional.empty(),
                                after,
                                MANY,
                                maxBytes,
                                0));
    }

    private VersionPlace now() {
        return page(PARTITION, VersionPlace.NOW, PAGE_OF_TWO).next();
    }

    /** Reads all that follows and returns the place behind it. */
    private VersionPlace readOn(PartitionId partition, VersionPlace after, List<String> seen) {
        VersionPlace place = after;
        while (true) {
            ReadResponse.Versions page = page(partition, place, PAGE_OF_TWO);
            seen.addAll(ids(page));
            place = page.next();
            if (page.versions().isEmpty()) {
                return place;
            }
        }
    }

    private static List<String> ids(ReadResponse.Versions page) {
        return page.versions().stream().map(version -> version.key().rowKey().text()).toList();
    }

    /** One transaction of a few items; returns their ids. */
    private List<String> create(PartitionId partition, String key, String prefix) {
        List<String> ids = IntStream.range(0, STEPS).mapToObj(i -> prefix + i).toList();
        WriteAction create =
                new WriteAction.Create(Bytes.ofUtf8("{\"s\":\"%s\"}".formatted("x".repeat(1500))));
        List<BatchStep> steps =
                ids.stream()
                        .<BatchStep>map(
                                id ->
                                        new BatchStep.Write(
                                                fixture.key(id, key), create, Precondition.NONE))
                        .toList();
        assertThat(fixture.call(new WriteRequest.Batch(partition, fixture.newRequest(), steps, 0)))
                .isInstanceOf(WriteResponse.Batch.class);
        return ids;
    }

    private void upsert(String id) {
        fixture.write(
                fixture.key(id, id), new WriteAction.Upsert(Bytes.ofUtf8("{}")), Precondition.NONE);
    }

    @Test
    void aTransactionThatDoesNotFitWaitsForTheNextPage() {
        VersionPlace start = now();
        upsert("first");
        create(PARTITION, "one", "one");
        upsert("last");
        int room = 10_000;

        ReadResponse.Versions first = page(PARTITION, start, room);
        assertThat(ids(first)).containsExactly("first");
        assertThat(first.next()).isEqualTo(VersionPlace.after(start.lsn() + 1));
        ReadResponse.Versions second = page(PARTITION, first.next(), room);
        assertThat(second.versions()).hasSize(STEPS);
        assertThat(second.next()).isEqualTo(VersionPlace.after(start.lsn() + 2));
        assertThat(ids(page(PARTITION, second.next(), room))).containsExactly("last");
    }

    @Test
    void aTransactionBeyondAPageGoesOnWithinItsLsn() {
        VersionPlace start = now();
        upsert("first");
        create(PARTITION, "one", "one");
        upsert("last");

        ReadResponse.Versions first = page(PARTITION, start, PAGE_OF_TWO);
        ReadResponse.Versions second = page(PARTITION, first.next(), PAGE_OF_TWO);
        ReadResponse.Versions third = page(PARTITION, second.next(), PAGE_OF_TWO);

        assertThat(first.next()).isEqualTo(VersionPlace.after(start.lsn() + 1));
        assertThat(ids(second)).containsExactly("one0", "one1");
        assertThat(second.next().lsn()).isEqualTo(start.lsn() + 2);
        assertThat(second.next().within()).isPresent();
        assertThat(ids(third)).containsExactly("one2", "one3");
        assertThat(ids(page(PARTITION, third.next(), PAGE_OF_TWO))).containsExactly("one4", "last");
    }

    @Test
    void aPageHasAtLeastOneVersion() {
        VersionPlace start = now();
        List<String> written = create(PARTITION, "one", "one");
        List<String> seen = new ArrayList<>();
        VersionPlace place = start;
        for (int i = 0; i < STEPS; i++) {
            ReadResponse.Versions page = page(PARTITION, place, 1);
            assertThat(page.versions()).hasSize(1);
            seen.addAll(ids(page));
            place = page.next();
        }
        assertThat(seen).isEqualTo(written);
        assertThat(place).isEqualTo(VersionPlace.after(start.lsn() + 1));
    }

    /** Children count from one LSN, so a merge brings several transactions of an LSN together. */
    @Test
    void aPlaceWithinAnLsnOutlivesASplitAndAMerge() {
        VersionPlace start = now();
        List<String> written = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            written.addAll(create(PARTITION, "k" + key, "k" + key + "-"));
        }
        ReadResponse.Versions first = page(PARTITION, start, PAGE_OF_TWO);
        assertThat(first.next().within()).isPresent();

        EffectiveKey at =
                ((ControlResponse.SplitAt)
                                fixture.call(
                                        new ControlRequest.Split(
                                                PARTITION, 10, 11, 10, 11, SplitAim.OPERATOR)))
                        .at();
        for (int key = 0; key < KEYS; key++) {
            boolean isLeft = fixture.key("any", "k" + key).epk().compareTo(at) < 0;
            written.addAll(create(id(isLeft ? 10 : 11), "k" + key, "later" + key + "-"));
        }
        List<String> children = new ArrayList<>(ids(first));
        readOn(id(10), first.next(), children);
        readOn(id(11), first.next(), children);
        assertThat(children).containsExactlyInAnyOrderElementsOf(written);

        assertThat(fixture.call(new ControlRequest.Merge(id(10), 11, 12, 12)))
                .isEqualTo(new ControlResponse.Done());
        List<String> merged = new ArrayList<>(ids(first));
        VersionPlace end = readOn(id(12), first.next(), merged);
        assertThat(merged).containsExactlyInAnyOrderElementsOf(written);
        assertThat(end.within()).isEmpty();
    }

    private static PartitionId id(int range) {
        return new PartitionId(PARTITION.container(), range);
    }
}
