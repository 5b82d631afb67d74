package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ChangeStart;
import orrery.model.EffectiveKey;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.VersionPlace;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.machine.Command;
import orrery.query.sql.SqlStatement;

/** Messages whose sender has left, or has no time any more, end in the middle of their loops. */
final class AbandonedMessageTest {
    private static final int ITEMS = 200;
    private static final ErrorCode OVER = ErrorCode.TIMEOUT;

    private HostFixture host;

    /** The LSN before the items were created. */
    private long before;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        host.redefine(2, definition -> definition.withChangeRetention(60));
        before = host.replica().find(HostFixture.PARTITION).orElseThrow().record().headLsn();
        List<Command.ItemChange> changes =
                IntStream.range(0, ITEMS)
                        .<Command.ItemChange>mapToObj(
                                i ->
                                        new Command.ItemChange.Put(
                                                key(i),
                                                Command.Expect.ABSENT,
                                                Precondition.NONE,
                                                Encoding.JSON,
                                                Bytes.ofUtf8("{\"id\":\"i" + i + "\",\"n\":1}")))
                        .toList();
        host.replica()
                .submit(
                        new Command.WriteItems(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                host.clock().millis(),
                                changes),
                        HostFixture.PATIENCE);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private ItemKey key(int number) {
        return host.key("i" + number, "north");
    }

    private PartitionResponse abandoned(PartitionRequest request) {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel();
        return cancellation.during(() -> host.call(request));
    }

    private PartitionResponse late(PartitionRequest request) {
        return host.call(PartitionEnvelope.ofNode(1, request, Duration.ZERO));
    }

    private Map<String, PartitionRequest> reads() {
        KeyRange ofKey = new KeyRange(key(0).epk(), KeyRange.FULL.max());
        KeyRange others = new KeyRange(EffectiveKey.MIN, key(0).epk());
        Optional<PartitionKey> north = Optional.of(key(0).partitionKey());
        Map<String, PartitionRequest> reads = new LinkedHashMap<>();
        reads.put("the feed of a range", feed(KeyRange.FULL, Optional.empty()));
        reads.put("the feed of a key", feed(ofKey, north));
        reads.put("changes of a range", changes(KeyRange.FULL, Optional.empty()));
        reads.put("changes of a key", changes(ofKey, north));
        reads.put("changes of others", changes(others, Optional.empty()));
        reads.put("versions of a range", versions(KeyRange.FULL, Optional.empty()));
        reads.put("versions of others", versions(others, Optional.empty()));
        reads.put(
                "items by their keys",
                new ReadRequest.ReadItems(
                        HostFixture.PARTITION,
                        IntStream.range(0, ITEMS).mapToObj(this::key).toList(),
                        HostFixture.MB,
                        0));
        reads.put(
                "items by a value",
                new ReadRequest.FindEqual(
                        HostFixture.PARTITION,
                        IndexPath.of("n"),
                        List.of(IndexValue.encodeWhole(Value.of(1))),
                        KeyRange.FULL,
                        Optional.empty(),
                        Optional.empty(),
                        ITEMS,
                        HostFixture.MB,
                        0));
        return reads;
    }

    private static PartitionRequest feed(KeyRange keys, Optional<PartitionKey> key) {
        return new ReadRequest.ReadFeed(
                HostFixture.PARTITION, keys, key, Optional.empty(), ITEMS, HostFixture.MB, 0);
    }

    private static PartitionRequest changes(KeyRange keys, Optional<PartitionKey> key) {
        return new ReadRequest.ReadChanges(
                HostFixture.PARTITION, keys, key, ChangeStart.BEGINNING, ITEMS, HostFixture.MB, 0);
    }

    private PartitionRequest versions(KeyRange keys, Optional<PartitionKey> key) {
        return new ReadRequest.ReadVersions(
                HostFixture.PARTITION,
                keys,
                key,
                VersionPlace.after(before),
                ITEMS,
                HostFixture.MB,
                0);
    }

    private static void expectOver(String what, PartitionResponse answer, String why) {
        assertThat(answer).as(what).isInstanceOf(PartitionResponse.Failed.class);
        assertThat(HostFixture.failureOf(answer)).as(what).isEqualTo(OVER);
        assertThat(((PartitionResponse.Failed) answer).text()).as(what).contains(why);
    }

    @Test
    void pagesEndAndOthersDoNot() {
        reads().forEach(
                        (what, read) -> {
                            expectOver(what, abandoned(read), "client left");
                            expectOver(what, late(read), "time was over");
                            assertThat(host.call(read))
                                    .as(what)
                                    .isNotInstanceOf(PartitionResponse.Failed.class);
                        });
    }

    @Test
    void aBatchEndsAndWritesNothing() {
        List<BatchStep> steps =
                IntStream.range(ITEMS, ITEMS + 50)
                        .<BatchStep>mapToObj(
                                i ->
                                        new BatchStep.Write(
                                                key(i),
                                                new WriteAction.Create(
                                                        Bytes.ofUtf8("{\"id\":\"i" + i + "\"}")),
                                                Precondition.NONE))
                        .toList();

        expectOver("a batch", abandoned(batch(steps)), "client left");
        expectOver("a batch", late(batch(steps)), "time was over");
        assertThat(HostFixture.failureOf(host.read(key(ITEMS), 0))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(host.call(batch(steps))).isNotInstanceOf(PartitionResponse.Failed.class);
        assertThat(host.find(key(ITEMS + 49)).item().body().toUtf8()).contains("i249");
    }

    private WriteRequest.Batch batch(List<BatchStep> steps) {
        return new WriteRequest.Batch(HostFixture.PARTITION, host.newRequest(), steps, 0);
    }

    /** It pays for what it has read until then, and a short one for little. */
    @Test
    void aSearchEndsAndCostsWhatItRead() {
        double cutOff = ((PartitionResponse.Failed) abandoned(search("north"))).charge().ru();
        expectOver("a search", abandoned(search("north")), "client left");
        PartitionResponse nothing = host.call(search("south"));

        assertThat(HostFixture.failureOf(nothing)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(cutOff).isGreaterThan(1);
        double all = ((PartitionResponse.Failed) host.call(search("north"))).charge().ru();
        assertThat(cutOff).isLessThan(all);
    }

    /** No index serves the filter. */
    private PartitionRequest search(String key) {
        ItemKey any = host.key("x", key);
        return new WriteRequest.WriteFirst(
                HostFixture.PARTITION,
                host.newRequest(),
                any.epk(),
                any.partitionKey(),
                SqlStatement.parse("SELECT * FROM c WHERE c.n + LENGTH(c.id) > 99", Map.of())
                        .encoded(),
                HostFixture.DATABASE,
                new WriteAction.Delete());
    }
}
