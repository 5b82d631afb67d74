package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.metering.Charge;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

@Timeout(900)
class PartitionHostTest {
    private static final PartitionId PARTITION = HostFixture.PARTITION;

    private HostFixture host;
    private ItemKey key;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        key = host.key("i1", "north");
    }

    @AfterEach
    void close() {
        host.close();
    }

    private static Bytes json(String text) {
        return Bytes.ofUtf8(text.replace('\'', '"'));
    }

    private Item created(String body) {
        return host.create(key, body.replace('\'', '"')).item().orElseThrow();
    }

    // Reads and writes

    @Test
    void whatWasWrittenIsRead() {
        WriteResponse.Written created = host.create(key, "{\"id\":\"i1\"}");
        ReadResponse.Found found = host.find(key);

        assertThat(created.change()).isEqualTo(WriteResponse.Change.CREATED);
        assertThat(found.item().body()).isEqualTo(Bytes.ofUtf8("{\"id\":\"i1\"}"));
        assertThat(found.item().etag()).isEqualTo(created.item().orElseThrow().etag());
        assertThat(found.key()).isEqualTo(key);
        assertThat(found.headLsn()).isEqualTo(created.headLsn()).isEqualTo(2);
        assertThat(found.charge().ru()).isPositive();
    }

    @Test
    void aFullFixedContainerNamesItsLimitAndTheWayOut() {
        var unlimited = host.definition(2, IndexingPolicy.DEFAULT);
        host.call(
                new ControlRequest.SetDefinition(
                        PARTITION,
                        new PartitionDefinition(2, unlimited.definition(), 1L << 40, 2048)));

        var failed =
                (PartitionResponse.Failed)
                        host.write(
                                key,
                                new WriteAction.Create(
                                        json("{'id':'i1','s':'" + "x".repeat(2048) + "'}")),
                                Precondition.NONE);
        assertThat(failed.code()).isEqualTo(ErrorCode.FIXED_CONTAINER_FULL);
        assertThat(failed.text())
                .contains("maximum size of 2 KB", "migration tool", "change feed", "partition key");
        host.create(key, "{\"id\":\"i1\"}");
    }

    @Test
    void everyWriteActionAnswersWithWhatItDid() {
        Item first = created("{'id':'i1'}");

        var upserted =
                (WriteResponse.Written)
                        host.write(
                                key,
                                new WriteAction.Upsert(json("{'id':'i1','v':2}")),
                                Precondition.NONE);
        assertThat(upserted.change()).isEqualTo(WriteResponse.Change.REPLACED);
        assertThat(
                        HostFixture.failureOf(
                                host.write(
                                        key,
                                        new WriteAction.Replace(json("{'id':'i1'}")),
                                        new Precondition.Matches(first.etag()))))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        assertThat(
                        HostFixture.failureOf(
                                host.write(
                                        key,
                                        new WriteAction.Create(json("{'id':'i1'}")),
                                        Precondition.NONE)))
                .isEqualTo(ErrorCode.CONFLICT);
        var deleted =
                (WriteResponse.Written)
                        host.write(key, new WriteAction.Delete(), Precondition.NONE);
        assertThat(deleted.change()).isEqualTo(WriteResponse.Change.DELETED);
        assertThat(deleted.item()).isEmpty();
        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);
        var missing = (PartitionResponse.Failed) host.read(key, 0);
        assertThat(missing.headLsn()).isEqualTo(deleted.headLsn());
    }

    @Test
    void aReadBehindItsSessionIsRefused() {
        long lsn = host.create(key, "{\"id\":\"i1\"}").headLsn();

        assertThat(host.read(key, lsn)).isInstanceOf(ReadResponse.Found.class);
        assertThat(HostFixture.failureOf(host.read(key, lsn + 1)))
                .isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        new ReadRequest.ReadByDocid(
                                                PARTITION, 1, Optional.empty(), lsn + 1))))
                .isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
    }

    @Test
    void aReadNeverReportsLessThanItReturns() throws Exception {
        created("{'id':'i1'}");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writer =
                    threads.submit(
                            () -> {
                                for (int i = 0; i < 300; i++) {
                                    host.write(
                                            key,
                                            new WriteAction.Upsert(json("{'id':'i1'}")),
                                            Precondition.NONE);
                                }
                            });
            long last = 0;
            while (!writer.isDone()) {
                ReadResponse.Found found = host.find(key);
                assertThat(found.headLsn()).isGreaterThanOrEqualTo(found.item().lsn());
                assertThat(found.item().lsn()).isGreaterThanOrEqualTo(last);
                last = found.item().lsn();
            }
            writer.get();
        }
    }

    @Test
    void aRestartKeepsEverything() {
        Item item = created("{'id':'i1'}");
        host.restart();

        assertThat(host.find(key).item().etag()).isEqualTo(item.etag());
        assertThat(host.find(key).headLsn()).isEqualTo(2);
    }

    @Test
    void aResentRequestHasOneEffect() {
        RequestId request = host.newRequest();
        PartitionRequest create =
                new WriteRequest.WriteItem(
                        PARTITION,
                        request,
                        key,
                        new WriteAction.Create(json("{'id':'i1'}")),
                        Precondition.NONE);
        PartitionResponse first = host.call(create);

        assertThat(host.call(create)).isEqualTo(first);
        host.restart();
        assertThat(host.call(create)).isEqualTo(first);
        assertThat(host.find(key).headLsn()).isEqualTo(2);
    }

    // Docids

    @Test
    void anItemIsFoundByItsDocid() {
        Item item = created("{'id':'i1'}");

        ReadResponse.Found found = (ReadResponse.Found) byDocid(item.docid(), Optional.of(key));
        assertThat(found.key()).isEqualTo(key);
        assertThat(found.item().etag()).isEqualTo(item.etag());
        assertThat(byDocid(item.docid(), Optional.empty())).isInstanceOf(ReadResponse.Found.class);
        assertThat(
                        HostFixture.failureOf(
                                byDocid(item.docid(), Optional.of(host.key("i1", "south")))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(HostFixture.failureOf(byDocid(item.docid() + 1, Optional.empty())))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aDocidDoesNotLeadToTheSuccessor() {
        Item item = created("{'id':'i1'}");
        host.write(key, new WriteAction.Delete(), Precondition.NONE);
        Item second = created("{'id':'i1'}");

        assertThat(HostFixture.failureOf(byDocid(item.docid(), Optional.empty())))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(byDocid(second.docid(), Optional.empty()))
                .isInstanceOf(ReadResponse.Found.class);
    }

    private PartitionResponse byDocid(long docid, Optional<ItemKey> wanted) {
        return host.call(
                new ReadRequest.ReadByDocid(
                        PARTITION, docid, wanted.map(ItemKey::partitionKey), 0));
    }

    // Feeds

    private List<List<Item>> pages(
            KeyRange clip, Optional<ItemKey> only, int maxItems, int maxBytes) {
        List<List<Item>> pages = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        do {
            ReadResponse.Feed page =
                    (ReadResponse.Feed)
                            host.call(
                                    new ReadRequest.ReadFeed(
                                            PARTITION,
                                            clip,
                                            only.map(ItemKey::partitionKey),
                                            after,
                                            maxItems,
                                            maxBytes,
                                            0));
            pages.add(page.items());
            after = page.next();
        } while (after.isPresent());
        return pages;
    }

    @ParameterizedTest
    @CsvSource({"1,12", "3,4", "4,3", "5,3", "11,2", "12,1", "13,1"})
    void aFeedHasNoPageBeyondItsItems(int maxItems, int expectedPages) {
        for (int i = 0; i < 12; i++) {
            host.create(host.key("i" + i, "key" + i % 5), "{\"id\":\"i\"}");
        }

        List<List<Item>> pages =
                pages(KeyRange.FULL, Optional.empty(), maxItems, 4 * HostFixture.MB);

        assertThat(pages).hasSize(expectedPages).allMatch(page -> !page.isEmpty());
        assertThat(pages.stream().flatMap(List::stream).map(Item::docid).distinct()).hasSize(12);
    }

    @Test
    void anEmptyFeedIsOneEmptyPage() {
        assertThat(pages(KeyRange.FULL, Optional.empty(), 10, HostFixture.MB))
                .containsExactly(List.of());
    }

    @Test
    void aPageIsBoundedInBytesButNeverEmpty() {
        String body = "{\"id\":\"i\",\"s\":\"" + "x".repeat(1000) + "\"}";
        for (int i = 0; i < 6; i++) {
            host.create(host.key("i" + i, "north"), body);
        }

        assertThat(pages(KeyRange.FULL, Optional.empty(), 100, 10))
                .hasSize(6)
                .allMatch(page -> page.size() == 1);
        assertThat(pages(KeyRange.FULL, Optional.empty(), 100, 2 * (body.length() + 205)))
                .hasSize(3)
                .allMatch(page -> page.size() == 2);
    }

    @Test
    void aFeedOfOneKeyHasItsItemsInTheOrderOfTheirCreation() {
        for (String id : List.of("b", "a", "c")) {
            host.create(host.key(id, "north"), "{\"id\":\"" + id + "\"}");
            host.create(host.key(id, "south"), "{\"id\":\"" + id + "\"}");
        }
        ItemKey north = host.key("", "north");

        List<List<Item>> pages =
                pages(
                        new KeyRange(north.epk(), EffectiveKey.MAX),
                        Optional.of(north),
                        2,
                        HostFixture.MB);

        assertThat(pages).hasSize(2);
        assertThat(pages.stream().flatMap(List::stream).map(item -> item.body().toUtf8()))
                .containsExactly("{\"id\":\"b\"}", "{\"id\":\"a\"}", "{\"id\":\"c\"}");
    }

    @Test
    void aFeedSeesOneMoment() throws Exception {
        created("{'id':'i1'}");
        ReadResponse.Feed feed =
                (ReadResponse.Feed)
                        host.call(
                                new ReadRequest.ReadFeed(
                                        PARTITION,
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        Optional.empty(),
                                        10,
                                        HostFixture.MB,
                                        2));

        assertThat(feed.headLsn()).isEqualTo(2);
        assertThat(feed.next()).isEmpty();
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        new ReadRequest.ReadFeed(
                                                PARTITION,
                                                KeyRange.FULL,
                                                Optional.empty(),
                                                Optional.empty(),
                                                10,
                                                HostFixture.MB,
                                                3))))
                .isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
    }

    @Test
    void aPrefixOfAHierarchicalKeyReadsAllBelowIt(@TempDir Path directory) {
        try (HostFixture tree = new HostFixture(directory, HostFixture.TWO_PATHS)) {
            for (String sub : List.of("x", "y", "z")) {
                tree.create(tree.key("i", "north", sub), "{\"id\":\"i\"}");
                tree.create(tree.key("i", "south", sub), "{\"id\":\"i\"}");
            }
            PartitionKey prefix = PartitionKey.ofText("north");
            ReadResponse.Feed feed =
                    (ReadResponse.Feed)
                            tree.call(
                                    new ReadRequest.ReadFeed(
                                            PARTITION,
                                            EffectiveKeys.prefixRange(
                                                    HostFixture.TWO_PATHS, prefix),
                                            Optional.of(prefix),
                                            Optional.empty(),
                                            3,
                                            HostFixture.MB,
                                            0));
            assertThat(feed.items()).hasSize(3);
            assertThat(feed.next()).isEmpty();
        }
    }

    // Patches

    private static WriteAction.Evaluate patch(String operations) {
        return HostFixture.patch(json("[" + operations + "]"));
    }

    private WriteResponse.Written patched(WriteAction.Evaluate patch) {
        return (WriteResponse.Written) host.write(key, patch, Precondition.NONE);
    }

    @Test
    void aPatchAnswersWithTheItemItMade() {
        created("{'id':'i1','pk':'north','n':1}");

        WriteResponse.Written written = patched(patch("{'op':'incr','path':'/n','value':2}"));

        assertThat(written.change()).isEqualTo(WriteResponse.Change.REPLACED);
        assertThat(written.item().orElseThrow().body())
                .isEqualTo(json("{'id':'i1','pk':'north','n':3}"))
                .isEqualTo(host.find(key).item().body());
        assertThat(written.item().orElseThrow().etag()).isEqualTo(host.find(key).item().etag());
    }

    @Test
    void aPatchOfNothingOrOfAnotherVersionIsRefused() {
        WriteAction.Evaluate increment = patch("{'op':'incr','path':'/n','value':1}");
        assertThat(HostFixture.failureOf(host.write(key, increment, Precondition.NONE)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        created("{'id':'i1','pk':'north','n':1}");

        assertThat(
                        HostFixture.failureOf(
                                host.write(
                                        key, increment, new Precondition.Matches(new Etag(5, 5)))))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        assertThat(
                        HostFixture.failureOf(
                                host.write(
                                        key,
                                        patch("{'op':'remove','path':'/missing'}"),
                                        Precondition.NONE)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(host.find(key).item().lsn()).isEqualTo(2);
    }

    @Test
    void noPatchIsLostInARace() throws Exception {
        created("{'id':'i1','pk':'north','n':0}");
        int callers = 8;
        int each = 25;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                all.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; n < each; n++) {
                                        patched(patch("{'op':'incr','path':'/n','value':1}"));
                                    }
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(host.find(key).item().body())
                .isEqualTo(json("{'id':'i1','pk':'north','n':" + callers * each + "}"));
    }

    @Test
    void aResentPatchHasOneEffectAndItsFirstAnswer() {
        created("{'id':'i1','pk':'north','n':0}");
        PartitionRequest request =
                new WriteRequest.WriteItem(
                        PARTITION,
                        host.newRequest(),
                        key,
                        patch("{'op':'incr','path':'/n','value':1}"),
                        Precondition.NONE);
        PartitionResponse first = host.call(request);

        assertThat(host.call(request)).isEqualTo(first);
        assertThat(host.find(key).item().body()).isEqualTo(json("{'id':'i1','pk':'north','n':1}"));
    }

    @Test
    void aResentPatchThatNoLongerFitsHearsOfItsSuccess() {
        Item item = created("{'id':'i1','pk':'north','n':0}");
        PartitionRequest byEtag =
                new WriteRequest.WriteItem(
                        PARTITION,
                        host.newRequest(),
                        key,
                        patch("{'op':'remove','path':'/n'}"),
                        new Precondition.Matches(item.etag()));
        WriteRequest.WriteItem once =
                new WriteRequest.WriteItem(
                        PARTITION,
                        host.newRequest(),
                        key,
                        patch(
                                "{'op':'set','path':'/m','value':1},{'op':'move','from':'/m','path':'/k'}"),
                        Precondition.NONE);
        PartitionResponse first = host.call(byEtag);
        assertThat(host.call(byEtag)).isEqualTo(first);
        assertThat(host.call(once)).isInstanceOf(WriteResponse.Written.class);

        host.write(key, new WriteAction.Delete(), Precondition.NONE);
        WriteResponse.Written late = (WriteResponse.Written) host.call(once);
        assertThat(late.item().orElseThrow().lsn()).isEqualTo(4);
        assertThat(late.item().orElseThrow().body())
                .isEqualTo(json("{'id':'i1','pk':'north','k':1}"));
        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    private static WriteAction.Evaluate conditional(int expected, int next) {
        return HostFixture.patch(
                "from c where c.n = " + expected,
                json("[{'op':'set','path':'/n','value':%d}]".formatted(next)));
    }

    @Test
    void aConditionDecidesWhetherThePatchHappens() {
        created("{'id':'i1','pk':'north','n':0}");

        assertThat(HostFixture.failureOf(host.write(key, conditional(5, 6), Precondition.NONE)))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        assertThat(host.find(key).item().lsn()).isEqualTo(2);
        assertThat(patched(conditional(0, 6)).item().orElseThrow().body())
                .isEqualTo(json("{'id':'i1','pk':'north','n':6}"));
    }

    @Test
    void aConditionMayAskForSystemProperties() {
        created("{'id':'i1','pk':'north','n':0}");
        Bytes increment = json("[{'op':'incr','path':'/n','value':1}]");

        assertThat(
                        HostFixture.failureOf(
                                host.write(
                                        key,
                                        HostFixture.patch(
                                                "from c where c._ts > 1800000000", increment),
                                        Precondition.NONE)))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        patched(HostFixture.patch("from c where c._ts = 1800000000", increment));
        assertThat(host.find(key).item().lsn()).isEqualTo(3);
    }

    /** Each system property that a read shows, as the read shows it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "c._rid = 'AwAAAIAAAAcBAAAAAAAAAA=='",
                "c._self = 'dbs/AwAAAA==/colls/AwAAAIAAAAc=/docs/AwAAAIAAAAcBAAAAAAAAAA==/'",
                "c._attachments = 'attachments/'",
                "is_string(c._etag)",
                "c._ts = 1800000000"
            })
    void aConditionSeesTheItemAsItsReaderDoes(String condition) {
        created("{'id':'i1','pk':'north','n':0}");

        patched(
                HostFixture.patch(
                        "from c where " + condition,
                        json("[{'op':'incr','path':'/n','value':1}]")));

        assertThat(host.find(key).item().body()).isEqualTo(json("{'id':'i1','pk':'north','n':1}"));
    }

    /**
     * Exactly one of all writers that step from n to n + 1 succeeds, in whatever order they meet.
     */
    @Test
    void aConditionHoldsAtTheMomentOfTheWrite() throws Exception {
        created("{'id':'i1','pk':'north','n':0}");
        int steps = 20;
        for (int n = 0; n < steps; n++) {
            int from = n;
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<PartitionResponse>> all = new ArrayList<>();
                for (int caller = 0; caller < 4; caller++) {
                    all.add(
                            threads.submit(
                                    () ->
                                            host.write(
                                                    key,
                                                    conditional(from, from + 1),
                                                    Precondition.NONE)));
                }
                int written = 0;
                for (Future<PartitionResponse> one : all) {
                    if (one.get() instanceof WriteResponse.Written) {
                        written++;
                    } else {
                        assertThat(HostFixture.failureOf(one.get()))
                                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
                    }
                }
                assertThat(written).isEqualTo(1);
            }
        }
        assertThat(host.find(key).item().lsn()).isEqualTo(2 + steps);
    }

    @Test
    void aResentConditionalPatchHearsOfItsSuccess() {
        created("{'id':'i1','pk':'north','n':0}");
        PartitionRequest request =
                new WriteRequest.WriteItem(
                        PARTITION, host.newRequest(), key, conditional(0, 1), Precondition.NONE);
        PartitionResponse first = host.call(request);

        assertThat(host.call(request)).isEqualTo(first);
    }

    // Partitions

    @Test
    void aPartitionIsDescribed() {
        created("{'id':'i1'}");
        host.create(host.key("i2", "north"), "{\"id\":\"i2\"}");

        ControlResponse.Description description =
                (ControlResponse.Description) host.call(new ControlRequest.Describe(PARTITION));

        assertThat(description.headLsn()).isEqualTo(3);
        assertThat(description.items()).isEqualTo(2);
        assertThat(description.itemBytes()).isPositive();
        assertThat(description.indexBytes()).isPositive();
        assertThat(description.reindexPercent()).isEqualTo(100);
    }

    @Test
    void aPolicyThatCannotBeUsedIsRefusedWithTheReason() {
        IndexingPolicy incomplete =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/a/?"),
                        List.of(),
                        List.of(),
                        List.of());

        PartitionResponse.Failed failed =
                (PartitionResponse.Failed)
                        host.call(
                                new ControlRequest.SetDefinition(
                                        PARTITION, host.definition(2, incomplete)));

        assertThat(failed.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failed.text()).contains("/*");
        created("{'id':'i1'}");
    }

    @Test
    void aDroppedPartitionIsGone() {
        created("{'id':'i1'}");
        assertThat(host.call(new ControlRequest.Drop(PARTITION)))
                .isEqualTo(new ControlResponse.Done());

        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.RANGE_GONE);
        assertThat(HostFixture.failureOf(host.call(new ControlRequest.Describe(PARTITION))))
                .isEqualTo(ErrorCode.RANGE_GONE);
        assertThat(
                        HostFixture.failureOf(
                                host.write(key, new WriteAction.Delete(), Precondition.NONE)))
                .isEqualTo(ErrorCode.RANGE_GONE);
        assertThat(host.call(new ControlRequest.Drop(PARTITION)))
                .isEqualTo(new ControlResponse.Done());
    }

    @Test
    void theTimeToComeBackReachesTheCaller(@TempDir Path directory) {
        ReplicaStore store = ReplicaStore.open(directory, new StoreOptions(4 << 20, 4 << 20));
        CommandLog<Command, Outcome> full =
                new CommandLog<>() {
                    @Override
                    public Outcome submit(Command command, Duration timeout) {
                        throw new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "Later.")
                                .withRetryAfter(Duration.ofMillis(50));
                    }

                    @Override
                    public void close() {}
                };
        try (Replica replica = new Replica(store, machine -> full);
                PartitionHost busy =
                        new PartitionHost(Map.of(1, replica), InstantSource.fixed(Instant.EPOCH))) {
            assertThat(
                            busy.call(
                                    PartitionEnvelope.ofNode(
                                            1,
                                            new ControlRequest.Drop(PARTITION),
                                            HostFixture.PATIENCE)))
                    .isEqualTo(
                            new PartitionResponse.Failed(
                                    ErrorCode.TOO_MANY_REQUESTS, "Later.", 50, 0, Charge.NONE));
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(
                            () ->
                                    busy.call(
                                            PartitionEnvelope.ofNode(
                                                    2,
                                                    new ControlRequest.Drop(PARTITION),
                                                    HostFixture.PATIENCE)))
                    .matches(failure -> failure.code() == ErrorCode.UNAVAILABLE);
        }
    }
}
