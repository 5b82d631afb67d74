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
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.ChangedItem;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.ItemVersion.Operation;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

final class ChangeFeedReaderTest {
    private static final int MANY = 1000;
    private static final long NOW = 1_800_000_000_000L;

    @TempDir Path directory;
    private HostFixture fixture;

    @BeforeEach
    void open() {
        fixture = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void put(String id, String key, int value) {
        PartitionResponse answer =
                fixture.write(
                        fixture.key(id, key),
                        new WriteAction.Upsert(
                                Bytes.ofUtf8(
                                        "{\"id\":\"%s\",\"pk\":\"%s\",\"v\":%d}"
                                                .formatted(id, key, value))),
                        Precondition.NONE);
        assertThat(answer).isInstanceOf(WriteResponse.Written.class);
    }

    private ReadResponse.Changes read(ChangeStart start, int maxItems) {
        return (ReadResponse.Changes)
                fixture.call(request(PARTITION, KeyRange.FULL, Optional.empty(), start, maxItems));
    }

    private static ReadRequest.ReadChanges request(
            PartitionId partition,
            KeyRange clip,
            Optional<PartitionKey> key,
            ChangeStart start,
            int maxItems) {
        return new ReadRequest.ReadChanges(partition, clip, key, start, maxItems, 4 << 20, 0);
    }

    private static List<String> bodies(ReadResponse.Changes page) {
        return page.changes().stream().map(change -> change.item().body().toUtf8()).toList();
    }

    @Test
    void theLastVersionOfEachItemComesInTheOrderOfChanges() {
        put("1", "a", 1);
        put("2", "b", 2);
        put("1", "a", 3);
        ReadResponse.Changes page = read(ChangeStart.BEGINNING, MANY);
        assertThat(bodies(page))
                .containsExactly(
                        "{\"id\":\"2\",\"pk\":\"b\",\"v\":2}",
                        "{\"id\":\"1\",\"pk\":\"a\",\"v\":3}");
        assertThat(page.changes())
                .extracting(ChangedItem::operation)
                .containsExactly(Operation.CREATE, Operation.REPLACE);
        assertThat(page.changes().getLast().previousLsn()).isEqualTo(2);
        assertThat(page.nextLsn()).isEqualTo(page.headLsn()).isEqualTo(4);
        assertThat(page.charge().documents()).isEqualTo(2);
    }

    /** A page is continued by LSN, and must not grow by a whole transaction for that. */
    @Test
    void aTransactionThatDoesNotFitWaitsForTheNextPage() {
        put("1", "a", 1);
        String text = "x".repeat(1000);
        List<BatchStep> steps =
                IntStream.range(0, 5)
                        .<BatchStep>mapToObj(
                                i ->
                                        new BatchStep.Write(
                                                fixture.key("t" + i, "b"),
                                                new WriteAction.Create(
                                                        Bytes.ofUtf8(
                                                                "{\"s\":\"%s\"}".formatted(text))),
                                                Precondition.NONE))
                        .toList();
        fixture.call(new WriteRequest.Batch(PARTITION, fixture.newRequest(), steps, 0));
        put("2", "a", 2);

        ReadResponse.Changes first = page(0, 3000);
        assertThat(first.changes()).hasSize(1);
        assertThat(first.nextLsn()).isEqualTo(2);
        ReadResponse.Changes second = page(first.nextLsn(), 3000);
        assertThat(second.changes()).hasSize(5);
        assertThat(second.nextLsn()).isEqualTo(3);
        assertThat(page(second.nextLsn(), 3000).changes()).hasSize(1);
        assertThat(page(0, 30_000).changes()).hasSize(7);
    }

    private ReadResponse.Changes page(long after, int maxBytes) {
        return (ReadResponse.Changes)
                fixture.call(
                        new ReadRequest.ReadChanges(
                                PARTITION,
                                KeyRange.FULL,
                                Optional.empty(),
                                new ChangeStart(after, 0),
                                MANY,
                                maxBytes,
                                0));
    }

    @Test
    void pagesGoOnByLsnAndSeeWhatIsOverwrittenMeanwhileOnlyOnce() {
        IntStream.range(0, 5).forEach(i -> put("i" + i, "k" + i, i));
        ReadResponse.Changes first = read(ChangeStart.BEGINNING, 2);
        put("i2", "k2", 20);
        List<String> rest = new ArrayList<>();
        long after = first.nextLsn();
        while (true) {
            ReadResponse.Changes page = read(new ChangeStart(after, 0), 2);
            if (page.changes().isEmpty()) {
                break;
            }
            rest.addAll(bodies(page));
            after = page.nextLsn();
        }
        assertThat(rest)
                .containsExactly(
                        "{\"id\":\"i3\",\"pk\":\"k3\",\"v\":3}",
                        "{\"id\":\"i4\",\"pk\":\"k4\",\"v\":4}",
                        "{\"id\":\"i2\",\"pk\":\"k2\",\"v\":20}");
    }

    @Test
    void fromNowSkipsAllThatIsThere() {
        put("1", "a", 1);
        ReadResponse.Changes nothing = read(ChangeStart.NOW, MANY);
        assertThat(nothing.changes()).isEmpty();
        put("2", "a", 2);
        assertThat(bodies(read(new ChangeStart(nothing.nextLsn(), 0), MANY)))
                .containsExactly("{\"id\":\"2\",\"pk\":\"a\",\"v\":2}");
    }

    @Test
    void deletesAreNotSeenAndDoNotStopAReader() {
        put("1", "a", 1);
        fixture.write(fixture.key("1", "a"), new WriteAction.Delete(), Precondition.NONE);
        ReadResponse.Changes page = read(ChangeStart.BEGINNING, MANY);
        assertThat(page.changes()).isEmpty();
        assertThat(page.nextLsn()).isEqualTo(page.headLsn()).isEqualTo(3);
    }

    @Test
    void aPageHoldsNoMoreBytesThanAskedFor() {
        IntStream.range(0, 4).forEach(i -> put("i" + i, "k", i));
        ReadResponse.Changes all = read(ChangeStart.BEGINNING, MANY);
        int one = Charges.billedBytes(all.changes().getFirst().item().body());
        ReadResponse.Changes page =
                (ReadResponse.Changes)
                        fixture.call(
                                new ReadRequest.ReadChanges(
                                        PARTITION,
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        ChangeStart.BEGINNING,
                                        MANY,
                                        2 * one + 1,
                                        0));
        assertThat(page.changes()).hasSize(2);
        assertThat(page.nextLsn()).isEqualTo(3);
    }

    @Test
    void oneKeyOrASubRangeLeavesTheRestOut() {
        IntStream.range(0, 20).forEach(i -> put("i" + i, "k" + i % 4, i));
        ItemKey key = fixture.key("i0", "k1");
        KeyRange only =
                new KeyRange(
                        key.epk(), new EffectiveKey(Bytes.ofHex(key.epk().bytes().toHex() + "00")));
        ReadResponse.Changes ofKey =
                (ReadResponse.Changes)
                        fixture.call(
                                request(
                                        PARTITION,
                                        only,
                                        Optional.of(key.partitionKey()),
                                        ChangeStart.BEGINNING,
                                        MANY));
        assertThat(bodies(ofKey)).hasSize(5).allMatch(body -> body.contains("\"pk\":\"k1\""));
        KeyRange below = new KeyRange(EffectiveKey.MIN, key.epk());
        KeyRange above = new KeyRange(key.epk(), EffectiveKey.MAX);
        assertThat(clipped(below) + clipped(above)).isEqualTo(20);
    }

    private int clipped(KeyRange clip) {
        PartitionRequest request =
                request(PARTITION, clip, Optional.empty(), ChangeStart.BEGINNING, MANY);
        return ((ReadResponse.Changes) fixture.call(request)).changes().size();
    }

    @Test
    void aTimeLeavesOutWhatIsOlder() {
        put("1", "a", 1);
        assertThat(read(new ChangeStart(0, NOW), MANY).changes()).hasSize(1);
        assertThat(read(new ChangeStart(0, NOW + 1), MANY).changes()).isEmpty();
        assertThat(read(new ChangeStart(0, NOW + 600_000), MANY).changes()).isEmpty();
        assertThat(read(new ChangeStart(0, 1), MANY).changes()).hasSize(1);
    }

    @Test
    void aChildGoesOnWhereItsParentWasLeft() {
        IntStream.range(0, 40).forEach(i -> put("i" + i, "k" + i, i));
        ReadResponse.Changes before = read(ChangeStart.BEGINNING, 10);
        assertThat(
                        fixture.call(
                                new ControlRequest.Split(
                                        PARTITION, 1, 2, 1, 2, SplitAim.THROUGHPUT)))
                .isInstanceOf(ControlResponse.SplitAt.class);
        List<String> after = new ArrayList<>();
        for (int child = 1; child <= 2; child++) {
            after.addAll(
                    bodies(
                            (ReadResponse.Changes)
                                    fixture.call(
                                            request(
                                                    new PartitionId(PARTITION.container(), child),
                                                    KeyRange.FULL,
                                                    Optional.empty(),
                                                    new ChangeStart(before.nextLsn(), 0),
                                                    MANY))));
        }
        assertThat(after)
                .hasSize(30)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(bodies(before));
        assertThat(
                        HostFixture.failureOf(
                                fixture.call(
                                        request(
                                                PARTITION,
                                                KeyRange.FULL,
                                                Optional.empty(),
                                                ChangeStart.BEGINNING,
                                                MANY))))
                .isEqualTo(ErrorCode.RANGE_GONE);
    }

    @Test
    void aReaderDoesNotGoBackInTime() {
        put("1", "a", 1);
        assertThat(
                        HostFixture.failureOf(
                                fixture.call(
                                        new ReadRequest.ReadChanges(
                                                PARTITION,
                                                KeyRange.FULL,
                                                Optional.empty(),
                                                ChangeStart.BEGINNING,
                                                MANY,
                                                MANY,
                                                99))))
                .isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
    }
}
