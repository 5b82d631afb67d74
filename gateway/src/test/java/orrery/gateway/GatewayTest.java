package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.Throughput;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PhysicalPartition;

final class GatewayTest {
    @TempDir Path directory;
    private EngineFixture fixture;
    private Gateway engine;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 10_000, 10_100, 50_000})
    void provisionsOnePartitionPerTenThousandRequestUnits(int requestUnits) {
        ContainerRef container = fixture.container("c", requestUnits, "/pk");
        List<PhysicalPartition> partitions =
                engine.resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions();
        assertThat(partitions).hasSize(Math.ceilDiv(requestUnits, 10_000));
        assertThat(partitions.stream().map(PhysicalPartition::range))
                .containsExactlyElementsOf(IntStream.range(0, partitions.size()).boxed().toList());
    }

    @Test
    void aDatabaseExistsOnce() {
        ThrowingCallable create =
                () ->
                        engine.resources()
                                .createDatabase(EngineFixture.context(), "once", Optional.empty());
        assertThatCode(create).doesNotThrowAnyException();
        assertThat(failure(create).code()).isEqualTo(ErrorCode.DATABASE_EXISTS);
    }

    @Test
    void oneIdUnderTwoKeysIsTwoItems() {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"v\":1}");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"b\",\"v\":2}");
        assertThat(read(container, "a", "1").body().toUtf8()).contains("\"v\":1");
        assertThat(read(container, "b", "1").body().toUtf8()).contains("\"v\":2");
        assertThat(failure(() -> fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}")).code())
                .isEqualTo(ErrorCode.CONFLICT);
    }

    @Test
    void aKeyWithoutComponentsDeletesNothingOfAHierarchicalContainer() {
        ContainerRef container = fixture.container("c", 20_000, "/tenant", "/user");
        fixture.create(container, "{\"id\":\"1\",\"tenant\":\"a\",\"user\":\"u\"}");
        assertThat(
                        failure(
                                        () ->
                                                engine.items()
                                                        .deleteItems(
                                                                EngineFixture.context(),
                                                                container,
                                                                PartitionKey.EMPTY))
                                .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(
                        engine.items()
                                .readItems(
                                        EngineFixture.context(),
                                        container,
                                        new FeedScope.Everything(),
                                        new PageRequest(OptionalInt.of(10), Optional.empty()))
                                .items())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 60, 1000})
    void feedGivesEveryItemOnceAndEndsExactly(int pageSize) {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        for (int i = 0; i < 60; i++) {
            fixture.create(container, "{\"id\":\"" + i + "\",\"pk\":\"k" + i % 17 + "\"}");
        }
        List<Long> docids = new ArrayList<>();
        int pages = 0;
        Optional<String> continuation = Optional.empty();
        do {
            ItemPage page =
                    engine.items()
                            .readItems(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Everything(),
                                    new PageRequest(OptionalInt.of(pageSize), continuation));
            assertThat(page.items().size()).isLessThanOrEqualTo(pageSize);
            page.items().forEach(item -> docids.add(item.docid()));
            continuation = page.continuation();
            pages++;
        } while (continuation.isPresent());
        assertThat(docids).hasSize(60).doesNotHaveDuplicates();
        assertThat(pages).isEqualTo(Math.ceilDiv(60, pageSize));
    }

    /** A place among the items of one key is no place among those of another. */
    @Test
    void theTokenOfAKeyIsGoodForThatKeyOnly() {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        for (int i = 0; i < 20; i++) {
            fixture.create(container, "{\"id\":\"" + i + "\",\"pk\":" + i % 2 + "}");
        }
        ItemPage first = pageOfKey(container, 0, Optional.empty());
        assertThat(pageOfKey(container, 0, first.continuation()).items()).hasSize(5);
        assertThat(failure(() -> pageOfKey(container, 1, first.continuation())).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    private ItemPage pageOfKey(ContainerRef container, int key, Optional<String> continuation) {
        return engine.items()
                .readItems(
                        EngineFixture.context(),
                        container,
                        new FeedScope.Key(PartitionKey.of(new KeyComponent.Numeric(key))),
                        new PageRequest(OptionalInt.of(5), continuation));
    }

    @Test
    void feedOfAKeyAndOfARangeHoldOnlyTheirOwn() {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        for (int i = 0; i < 100; i++) {
            fixture.create(container, "{\"id\":\"" + i + "\",\"pk\":" + i % 10 + "}");
        }
        ItemPage key =
                engine.items()
                        .readItems(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Key(PartitionKey.of(new KeyComponent.Numeric(3))),
                                PageRequest.FIRST);
        assertThat(key.items()).hasSize(10);
        assertThat(key.range()).isPresent();
        Set<Long> overRanges = new HashSet<>();
        int total = 0;
        for (int range = 0; range < 5; range++) {
            ItemPage page =
                    engine.items()
                            .readItems(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Range(range, Optional.empty()),
                                    PageRequest.FIRST);
            total += page.items().size();
            page.items().forEach(item -> overRanges.add(item.docid()));
        }
        assertThat(total).isEqualTo(100);
        assertThat(overRanges).hasSize(100);
        assertThat(
                        failure(
                                        () ->
                                                engine.items()
                                                        .readItems(
                                                                EngineFixture.context(),
                                                                container,
                                                                new FeedScope.Range(
                                                                        9, Optional.empty()),
                                                                PageRequest.FIRST))
                                .code())
                .isEqualTo(ErrorCode.RANGE_GONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rangeClippedToOneEffectiveKeyHoldsItsItems(int hashVersion) {
        engine.resources().createDatabase(EngineFixture.context(), "d", Optional.empty());
        ContainerDefinition definition =
                EngineFixture.withHashVersion(EngineFixture.definition("/pk"), hashVersion);
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        "c",
                        definition,
                        Optional.of(new Throughput.Manual(50_000)));
        ContainerRef container = EngineFixture.ref("c");
        for (int i = 0; i < 40; i++) {
            fixture.create(container, "{\"id\":\"" + i + "\",\"pk\":\"k" + i % 4 + "\"}");
        }
        EffectiveKey epk = EffectiveKeys.of(definition.partitionKey(), PartitionKey.ofText("k2"));
        Bytes successor = new BinaryWriter().raw(epk.bytes()).u8(0).toBytes();
        KeyRange only = new KeyRange(epk, new EffectiveKey(successor));
        KeyRange above = new KeyRange(new EffectiveKey(successor), EffectiveKey.MAX);
        int inside = 0;
        int outside = 0;
        for (int range = 0; range < 5; range++) {
            inside += feed(container, new FeedScope.Range(range, Optional.of(only))).size();
            outside += feed(container, new FeedScope.Range(range, Optional.of(above))).size();
        }
        assertThat(inside).isEqualTo(10);
        assertThat(outside % 10).isZero();
        assertThat(feed(container, new FeedScope.Keys(only))).hasSize(10);
    }

    /** Strings beyond 100 characters share an effective key under the first hash version. */
    @Test
    void longKeysThatHashAlikeStayApart() {
        engine.resources().createDatabase(EngineFixture.context(), "d", Optional.empty());
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        "c",
                        EngineFixture.withHashVersion(EngineFixture.definition("/pk"), 1),
                        Optional.empty());
        ContainerRef container = EngineFixture.ref("c");
        String shared = "k".repeat(200);
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"" + shared + "a\"}");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"" + shared + "b\"}");
        assertThat(feed(container, PartitionKey.ofText(shared + "a"))).hasSize(1);
        assertThat(feed(container, PartitionKey.ofText(shared + "b"))).hasSize(1);
        assertThat(feed(container, PartitionKey.ofText(shared))).isEmpty();
    }

    @Test
    void prefixOfAHierarchicalKeyCoversWhatIsUnderIt() {
        ContainerRef container = fixture.container("c", 30_000, "/tenant", "/user", "/session");
        for (String tenant : List.of("t1", "t2")) {
            for (String user : List.of("u1", "u2")) {
                for (String session : List.of("s1", "s2", "s3")) {
                    fixture.create(
                            container,
                            "{\"id\":\"x\",\"tenant\":\"%s\",\"user\":\"%s\",\"session\":\"%s\"}"
                                    .formatted(tenant, user, session));
                }
            }
        }
        assertThat(feed(container, texts("t1"))).hasSize(6);
        assertThat(feed(container, texts("t1", "u2"))).hasSize(3);
        assertThat(feed(container, texts("t1", "u2", "s3"))).hasSize(1);
        assertThat(feed(container, texts("t3"))).isEmpty();
        assertThat(
                        failure(
                                        () ->
                                                engine.items()
                                                        .readItem(
                                                                EngineFixture.context(),
                                                                container,
                                                                texts("t1", "u2"),
                                                                new ItemRef.Named("x")))
                                .code())
                .isEqualTo(ErrorCode.PARTITION_KEY_MISMATCH);
    }

    /** A page may end where a partition does; its token then lies behind narrower scopes. */
    @Test
    void continuationBehindItsScopeGivesAnEmptyLastPage() {
        ContainerRef container = fixture.container("c", 20_000, "/pk");
        for (int i = 0; i < 20; i++) {
            fixture.create(container, "{\"id\":\"" + i + "\",\"pk\":\"k" + i + "\"}");
        }
        int first = feed(container, new FeedScope.Range(0, Optional.empty())).size();
        ItemPage page =
                engine.items()
                        .readItems(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Everything(),
                                new PageRequest(OptionalInt.of(first), Optional.empty()));
        KeyRange lower =
                engine.resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions()
                        .getFirst()
                        .keys();
        ItemPage behind =
                engine.items()
                        .readItems(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Range(1, Optional.of(lower)),
                                new PageRequest(OptionalInt.empty(), page.continuation()));
        assertThat(behind.items()).isEmpty();
        assertThat(behind.continuation()).isEmpty();
    }

    @Test
    void continuationsAreRefusedWhenAlteredOrFromAnotherFeed() {
        ContainerRef first = fixture.container("c1", 400, "/pk");
        ContainerRef second = fixture.container("c2", 400, "/pk");
        for (int i = 0; i < 3; i++) {
            fixture.create(first, "{\"id\":\"" + i + "\",\"pk\":\"a\"}");
            fixture.create(second, "{\"id\":\"" + i + "\",\"pk\":\"a\"}");
        }
        String token =
                engine.items()
                        .readItems(
                                EngineFixture.context(),
                                first,
                                new FeedScope.Everything(),
                                new PageRequest(OptionalInt.of(1), Optional.empty()))
                        .continuation()
                        .orElseThrow();
        assertThat(token.length()).isLessThan(1024);
        for (String bad : List.of("x", "", "AAAA", token.substring(1), token + "A", flip(token))) {
            assertThat(failure(() -> resume(first, bad)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
        assertThat(failure(() -> resume(second, token)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(resume(first, token).items()).hasSize(2);
    }

    @Test
    void keyInTheHeaderMustBeTheOneInTheBody() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        OrreryException failure =
                failure(
                        () ->
                                engine.items()
                                        .writeItem(
                                                EngineFixture.context(),
                                                container,
                                                new ItemWrite.Create(
                                                        Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}"),
                                                        Optional.of(PartitionKey.ofText("b")))));
        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_KEY_MISMATCH);
    }

    @Test
    void itemsAreFoundByRidAsByName() {
        ContainerRef container = fixture.container("c", 20_000, "/pk");
        ItemAnswer created = fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        Container resolved = created.container();
        ResourceId rid =
                ResourceId.ofItem(
                        resolved.database(),
                        resolved.number(),
                        created.item().orElseThrow().docid());
        PartitionKey key = PartitionKey.ofText("a");
        assertThat(
                        engine.items()
                                .readItem(
                                        EngineFixture.context(),
                                        container,
                                        key,
                                        new ItemRef.Identified(rid))
                                .item())
                .isPresent();
        engine.items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Delete(new ItemRef.Identified(rid), key, Precondition.NONE));
        assertThat(
                        failure(
                                        () ->
                                                engine.items()
                                                        .readItem(
                                                                EngineFixture.context(),
                                                                container,
                                                                key,
                                                                new ItemRef.Identified(rid)))
                                .code())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void readBehindItsSessionTokenIsRefusedAndUnknownRangesAreIgnored() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        ItemAnswer created = fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(readWith(container, created.sessionToken()).lsn())
                .isGreaterThanOrEqualTo(created.lsn());
        assertThat(readWith(container, SessionToken.of(77, 1_000_000)).item()).isPresent();
        OrreryException failure =
                failure(() -> readWith(container, SessionToken.of(0, created.lsn() + 1)));
        assertThat(failure.code()).isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
    }

    @Test
    void failedWritesTellChargeAndProgress() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        OrreryException conflict =
                failure(() -> fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}"));
        assertThat(conflict.charge().ru()).isGreaterThan(0);
        assertThat(conflict.sessionToken()).isPresent();
    }

    @Test
    void deletedContainerIsGoneAndItsNameIsFree() {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        engine.resources().deleteContainer(EngineFixture.context(), container, Precondition.NONE);
        assertThat(failure(() -> read(container, "a", "1")).code())
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        fixture.container("c", 400, "/pk");
        assertThat(failure(() -> read(container, "a", "1")).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void everythingSurvivesARestart() {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"n\":1.10}");
        Item before = read(container, "a", "1");
        fixture.close();
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        assertThat(read(container, "a", "1")).isEqualTo(before);
        assertThat(engine.resources().readUsage(EngineFixture.context(), container).items())
                .isEqualTo(1);
    }

    @Test
    void ofTwoReplacesWithOneEtagOneIsTooLate() {
        ContainerRef ref = fixture.container("c", 400, "/pk");
        Container container = engine.resources().readContainer(EngineFixture.context(), ref);
        Offer offer =
                engine.resources()
                        .findOffer(EngineFixture.context(), container.rid())
                        .orElseThrow();
        Precondition same = new Precondition.Matches(offer.etag());

        engine.resources()
                .replaceOffer(
                        EngineFixture.context(), offer.rid(), new Throughput.Manual(500), same);

        assertThat(
                        failure(
                                        () ->
                                                engine.resources()
                                                        .replaceOffer(
                                                                EngineFixture.context(),
                                                                offer.rid(),
                                                                new Throughput.Manual(600),
                                                                same))
                                .code())
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
    }

    @Test
    void throughputFollowsItsRules() {
        ContainerRef ref = fixture.container("c", 20_000, "/pk");
        Container container = engine.resources().readContainer(EngineFixture.context(), ref);
        Offer offer =
                engine.resources()
                        .findOffer(EngineFixture.context(), container.rid())
                        .orElseThrow();
        assertThat(replace(offer, new Throughput.Manual(400)).throughput())
                .isEqualTo(new Throughput.Manual(400));
        assertThat(replace(offer, new Throughput.Autoscale(20_000)).throughput())
                .isEqualTo(new Throughput.Autoscale(20_000));
        for (Throughput bad :
                List.of(
                        new Throughput.Manual(300),
                        new Throughput.Manual(450),
                        new Throughput.Manual(1_000_100),
                        new Throughput.Autoscale(1500),
                        new Throughput.Autoscale(0))) {
            assertThat(failure(() -> replace(offer, bad)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Test
    void readOnlyKeysReadButDoNotWrite() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(
                        engine.items()
                                .readItem(
                                        EngineFixture.readOnly(),
                                        container,
                                        PartitionKey.ofText("a"),
                                        new ItemRef.Named("1"))
                                .item())
                .isPresent();
        assertThat(
                        failure(
                                        () ->
                                                engine.items()
                                                        .writeItem(
                                                                EngineFixture.readOnly(),
                                                                container,
                                                                new ItemWrite.Delete(
                                                                        new ItemRef.Named("1"),
                                                                        PartitionKey.ofText("a"),
                                                                        Precondition.NONE)))
                                .code())
                .isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void sharedThroughputCutsItsContainersAlike() {
        engine.resources()
                .createDatabase(
                        EngineFixture.context(), "d", Optional.of(new Throughput.Manual(30_000)));
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        "shared",
                        EngineFixture.definition("/pk"),
                        Optional.empty());
        assertThat(
                        engine.resources()
                                .readPartitionMap(
                                        EngineFixture.context(), EngineFixture.ref("shared"))
                                .partitions())
                .hasSize(3);
        Container shared =
                engine.resources()
                        .readContainer(EngineFixture.context(), EngineFixture.ref("shared"));
        assertThat(engine.resources().findOffer(EngineFixture.context(), shared.rid())).isEmpty();
        OrreryException fixed =
                failure(
                        () ->
                                engine.resources()
                                        .createContainer(
                                                EngineFixture.context(),
                                                new ResourceRef.Named("d"),
                                                "fixed",
                                                EngineFixture.definition(),
                                                Optional.empty()));
        assertThat(fixed.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void quotasOfTheServiceHoldOnlyWhenAsked() {
        engine.resources()
                .createDatabase(
                        EngineFixture.context(), "d", Optional.of(new Throughput.Manual(400)));
        for (int i = 0; i < 26; i++) {
            share("c" + i);
        }
        fixture.close();
        // All within one minute, however long it takes.
        fixture =
                new EngineFixture(
                        directory, AccountSettings.DEFAULT.withServiceQuotas(true), () -> 0);
        engine = fixture.engine;
        assertThat(failure(() -> share("c26")).code()).isEqualTo(ErrorCode.SHARED_CONTAINER_LIMIT);
        OrreryException tooFast =
                failure(
                        () -> {
                            for (int i = 0; i < 101; i++) {
                                engine.resources()
                                        .createDatabase(
                                                EngineFixture.context(),
                                                "db" + i,
                                                Optional.empty());
                            }
                        });
        assertThat(tooFast.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(tooFast.retryAfter()).isPresent();
    }

    @Test
    void replacedPolicyReachesExistingItems() throws InterruptedException {
        ContainerRef container = fixture.container("c", 20_000, "/pk");
        for (int i = 0; i < 300; i++) {
            fixture.create(container, "{\"id\":\"" + i + "\",\"pk\":" + i + ",\"a\":1,\"b\":2}");
        }
        long before = engine.resources().readUsage(EngineFixture.context(), container).indexBytes();
        var present =
                engine.resources().readContainer(EngineFixture.context(), container).definition();
        engine.resources()
                .replaceContainer(
                        EngineFixture.context(),
                        container,
                        new ContainerDefinition(
                                present.partitionKey(),
                                new IndexingPolicy(
                                        IndexingPolicy.Mode.CONSISTENT,
                                        true,
                                        List.of("/a/?"),
                                        List.of("/*"),
                                        List.of(),
                                        List.of()),
                                present.conflictResolution(),
                                present.geospatial()),
                        Precondition.NONE);
        ContainerUsage usage = engine.resources().readUsage(EngineFixture.context(), container);
        while (usage.indexingProgressPercent() < 100) {
            Thread.onSpinWait();
            usage = engine.resources().readUsage(EngineFixture.context(), container);
        }
        assertThat(usage.items()).isEqualTo(300);
        assertThat(usage.indexBytes()).isLessThan(before);
    }

    private void share(String name) {
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        name,
                        EngineFixture.definition("/pk"),
                        Optional.empty());
    }

    private Offer replace(Offer offer, Throughput throughput) {
        return engine.resources().replaceOffer(EngineFixture.context(), offer.rid(), throughput);
    }

    private Item read(ContainerRef container, String key, String id) {
        return engine.items()
                .readItem(
                        EngineFixture.context(),
                        container,
                        PartitionKey.ofText(key),
                        new ItemRef.Named(id))
                .item()
                .orElseThrow();
    }

    private ItemAnswer readWith(ContainerRef container, SessionToken token) {
        return engine.items()
                .readItem(
                        EngineFixture.context(Optional.of(token)),
                        container,
                        PartitionKey.ofText("a"),
                        new ItemRef.Named("1"));
    }

    private ItemPage resume(ContainerRef container, String token) {
        return engine.items()
                .readItems(
                        EngineFixture.context(),
                        container,
                        new FeedScope.Everything(),
                        new PageRequest(OptionalInt.empty(), Optional.of(token)));
    }

    private List<Item> feed(ContainerRef container, PartitionKey key) {
        return feed(container, new FeedScope.Key(key));
    }

    private List<Item> feed(ContainerRef container, FeedScope scope) {
        return engine.items()
                .readItems(EngineFixture.context(), container, scope, PageRequest.FIRST)
                .items();
    }

    private static PartitionKey texts(String... values) {
        return new PartitionKey(
                List.of(values).stream()
                        .map(value -> (KeyComponent) new KeyComponent.Text(value))
                        .toList());
    }

    private static String flip(String token) {
        char middle = token.charAt(token.length() / 2);
        return token.substring(0, token.length() / 2)
                + (middle == 'A' ? 'B' : 'A')
                + token.substring(token.length() / 2 + 1);
    }

    private static OrreryException failure(ThrowingCallable call) {
        OrreryException failure = catchThrowableOfType(OrreryException.class, call);
        assertThat(failure).isNotNull();
        return failure;
    }

    /** Keeps the import of the whole key space honest: every map tiles it. */
    @Test
    void rangesTileTheKeySpace() {
        ContainerRef container = fixture.container("c", 70_000, "/pk");
        List<PhysicalPartition> partitions =
                engine.resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions();
        assertThat(partitions.getFirst().keys().min()).isEqualTo(KeyRange.FULL.min());
        assertThat(partitions.getLast().keys().max()).isEqualTo(KeyRange.FULL.max());
    }
}
