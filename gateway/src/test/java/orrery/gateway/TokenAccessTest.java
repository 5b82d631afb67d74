package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.TriggerNames;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.RowKey;
import orrery.model.resource.Container;
import orrery.model.resource.PermissionMode;
import orrery.model.security.TokenScope;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;

/** The reach of resource tokens at the door, beyond what routes of the SQL API can ask for. */
final class TokenAccessTest {
    private static final PartitionKey A = PartitionKey.ofText("a");
    private static final PartitionKey B = PartitionKey.ofText("b");
    private static final ItemRef ONE = new ItemRef.Named("1");
    private static final QueryCall ALL =
            QueryCall.of(SqlStatement.parse("SELECT * FROM c", Map.of()));

    @TempDir private Path directory;
    private EngineFixture fixture;
    private Gateway engine;
    private ContainerRef c;
    private Container container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        c = fixture.container("c", 400, "/pk");
        container = engine.resources().readContainer(EngineFixture.context(), c);
        fixture.create(c, "{\"id\":\"1\",\"pk\":\"a\"}");
        fixture.create(c, "{\"id\":\"1\",\"pk\":\"b\"}");
        fixture.create(c, "{\"id\":\"2\",\"pk\":\"a\"}");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static RequestContext holder(PermissionMode mode, TokenScope scope) {
        return new RequestContext(
                UUID.randomUUID(),
                new Principal.Resource(mode, scope),
                Optional.empty(),
                Optional.empty(),
                System.nanoTime() + EngineFixture.PATIENCE.toNanos());
    }

    private RequestContext ofKey(PermissionMode mode, PartitionKey key) {
        return holder(mode, new TokenScope.Key(container.rid(), key));
    }

    private static void assertRefused(ThrowingCallable call) {
        OrreryException refused = catchThrowableOfType(OrreryException.class, call);
        assertThat(refused).isNotNull();
        assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refused.text()).isEqualTo(Authorizer.insufficient().text());
    }

    private static ItemWrite.Create create(String id, String pk, Optional<PartitionKey> key) {
        return new ItemWrite.Create(
                Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\"}"), key);
    }

    @Test
    void manyItemsAreReadOnlyIfAllHaveTheKey() {
        RequestContext tenant = ofKey(PermissionMode.READ, A);
        RowKey one = RowKey.ofText("1");
        RowKey two = RowKey.ofText("2");
        assertThat(
                        engine.items()
                                .readMany(
                                        tenant,
                                        c,
                                        List.of(new ItemAddress(A, one), new ItemAddress(A, two)))
                                .results())
                .hasSize(2);
        assertRefused(
                () ->
                        engine.items()
                                .readMany(
                                        tenant,
                                        c,
                                        List.of(new ItemAddress(A, one), new ItemAddress(B, one))));
    }

    @Test
    void whatNamesNoKeyIsRefused() {
        RequestContext tenant = ofKey(PermissionMode.ALL, A);
        for (FeedScope scope :
                List.of(
                        new FeedScope.Everything(),
                        new FeedScope.Range(0, Optional.empty()),
                        new FeedScope.Keys(KeyRange.FULL),
                        new FeedScope.Key(B))) {
            assertRefused(() -> engine.items().readItems(tenant, c, scope, PageRequest.FIRST));
            assertRefused(() -> engine.items().query(tenant, c, scope, ALL, PageRequest.FIRST));
            assertRefused(
                    () ->
                            engine.items()
                                    .readChanges(tenant, c, scope, ChangeRequest.FROM_BEGINNING));
            assertRefused(
                    () ->
                            engine.items()
                                    .readVersions(tenant, c, scope, ChangeRequest.FROM_BEGINNING));
        }
        assertRefused(
                () -> engine.items().writeItem(tenant, c, create("n", "a", Optional.empty())));
        assertRefused(() -> engine.items().awaitTime(tenant, c, Instant.EPOCH));
        assertRefused(() -> engine.resources().readUsage(tenant, c));
        assertRefused(() -> engine.resources().inspect(tenant, c, 1));
        FeedScope own = new FeedScope.Key(A);
        assertThat(engine.items().readItems(tenant, c, own, PageRequest.FIRST).items()).hasSize(2);
        assertThat(engine.items().query(tenant, c, own, ALL, PageRequest.FIRST).rows()).hasSize(2);
        assertThat(
                        engine.items()
                                .readChanges(tenant, c, own, ChangeRequest.FROM_BEGINNING)
                                .changes())
                .hasSize(2);
    }

    /** A body cannot take a write to another key than the one that was checked. */
    @Test
    void theKeyInABodyMustBeTheOneThatIsNamed() {
        RequestContext tenant = ofKey(PermissionMode.ALL, A);
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.items()
                                        .writeItem(tenant, c, create("n", "b", Optional.of(A))));
        assertThat(refused.code()).isEqualTo(ErrorCode.PARTITION_KEY_MISMATCH);
    }

    @Test
    void theOperationsOfABulkAreCheckedOneByOne() {
        ItemBatch bulk =
                new ItemBatch.Bulk(
                        List.of(
                                new BatchOperation.Read("1", A, new Precondition.Impossible()),
                                new BatchOperation.Read("1", B, new Precondition.Impossible()),
                                new BatchOperation.Write(create("n", "a", Optional.of(A))),
                                new BatchOperation.Write(create("n", "b", Optional.of(B))),
                                new BatchOperation.Write(create("m", "a", Optional.empty()))),
                        false,
                        true);
        assertThat(statuses(ofKey(PermissionMode.READ, A), bulk))
                .containsExactly(200, 403, 403, 403, 403);
        assertThat(statuses(ofKey(PermissionMode.ALL, A), bulk))
                .containsExactly(200, 403, 200, 403, 403);
        assertThat(fixture.all(c, new FeedScope.Everything(), "SELECT VALUE c.id FROM c", 100))
                .containsExactlyInAnyOrder("\"1\"", "\"1\"", "\"2\"", "\"n\"");
    }

    private List<Integer> statuses(RequestContext context, ItemBatch batch) {
        return engine.items().batch(context, c, batch).results().stream()
                .map(
                        result ->
                                result instanceof Result.Refused(OrreryException reason)
                                        ? reason.code().status()
                                        : 200)
                .toList();
    }

    @Test
    void aTokenMayHoldTheFirstLevelsOfAKey() {
        ContainerRef h = fixture.container("h", 400, "/t", "/u");
        fixture.create(h, "{\"id\":\"1\",\"t\":\"a\",\"u\":\"x\"}");
        fixture.create(h, "{\"id\":\"2\",\"t\":\"a\",\"u\":\"y\"}");
        fixture.create(h, "{\"id\":\"3\",\"t\":\"b\",\"u\":\"x\"}");
        Container hierarchical = engine.resources().readContainer(EngineFixture.context(), h);
        RequestContext tenant =
                holder(PermissionMode.ALL, new TokenScope.Key(hierarchical.rid(), A));
        PartitionKey ax = key("a", "x");
        assertThat(engine.items().readItem(tenant, h, ax, ONE).item()).isPresent();
        assertThat(
                        engine.items()
                                .query(tenant, h, new FeedScope.Key(A), ALL, PageRequest.FIRST)
                                .rows())
                .hasSize(2);
        assertThat(
                        engine.items()
                                .query(tenant, h, new FeedScope.Key(ax), ALL, PageRequest.FIRST)
                                .rows())
                .hasSize(1);
        assertRefused(
                () -> engine.items().readItem(tenant, h, key("b", "x"), new ItemRef.Named("3")));
        assertRefused(
                () ->
                        engine.items()
                                .query(
                                        tenant,
                                        h,
                                        new FeedScope.Key(PartitionKey.EMPTY),
                                        ALL,
                                        PageRequest.FIRST));
        // The holder of all levels does not reach what the first of them leads to.
        RequestContext one = holder(PermissionMode.ALL, new TokenScope.Key(hierarchical.rid(), ax));
        assertRefused(
                () -> engine.items().query(one, h, new FeedScope.Key(A), ALL, PageRequest.FIRST));
        assertRefused(() -> engine.items().deleteItems(one, h, A));
    }

    private static PartitionKey key(String first, String second) {
        return PartitionKey.of(new KeyComponent.Text(first), new KeyComponent.Text(second));
    }

    @Test
    void aTokenForAnItemIsHeldToItInEitherForm() {
        ResourceId own = rid("1", A);
        RequestContext named =
                holder(
                        PermissionMode.ALL,
                        new TokenScope.NamedItem(container.rid(), A, RowKey.ofText("1")));
        RequestContext identified =
                holder(
                        PermissionMode.ALL,
                        new TokenScope.IdentifiedItem(container.rid(), Optional.of(A), own));
        for (RequestContext holder : List.of(named, identified)) {
            for (ItemRef item : List.of(ONE, new ItemRef.Identified(own))) {
                assertThat(engine.items().readItem(holder, c, A, item).item()).isPresent();
                assertThatCode(() -> engine.items().writeItem(holder, c, replace(item, "1")))
                        .doesNotThrowAnyException();
                assertRefused(() -> engine.items().writeItem(holder, c, replace(item, "renamed")));
                assertRefused(
                        () ->
                                engine.items()
                                        .writeItem(
                                                holder,
                                                c,
                                                replace(item, "1"),
                                                new TriggerNames(List.of("t"), List.of(), false)));
            }
            for (ItemRef item :
                    List.of(
                            new ItemRef.Named("2"),
                            new ItemRef.Identified(rid("2", A)),
                            new ItemRef.Named("none"),
                            new ItemRef.Identified(
                                    ResourceId.ofItem(
                                            container.database(), container.number(), 999)))) {
                assertRefused(() -> engine.items().readItem(holder, c, A, item));
                assertRefused(() -> engine.items().writeItem(holder, c, replace(item, "2")));
            }
            assertRefused(() -> engine.items().readItem(holder, c, B, ONE));
            assertRefused(() -> engine.items().readItem(holder, c, key("a", "x"), ONE));
            assertRefused(
                    () -> engine.items().writeItem(holder, c, create("1", "a", Optional.of(A))));
            assertRefused(
                    () ->
                            engine.items()
                                    .readItems(holder, c, new FeedScope.Key(A), PageRequest.FIRST));
        }
    }

    private ResourceId rid(String id, PartitionKey key) {
        long docid =
                engine.items()
                        .readItem(EngineFixture.context(), c, key, new ItemRef.Named(id))
                        .item()
                        .orElseThrow()
                        .docid();
        return ResourceId.ofItem(container.database(), container.number(), docid);
    }

    private static ItemWrite.Replace replace(ItemRef item, String id) {
        return new ItemWrite.Replace(
                item,
                Optional.of(A),
                Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"a\"}"),
                Precondition.NONE);
    }

    /** A key in which nothing can be is as refused as one in which something is. */
    @Test
    void theHolderOfAWholeContainerHearsWhatIsWrong() {
        RequestContext holder =
                holder(PermissionMode.ALL, new TokenScope.WholeContainer(container.rid()));
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> engine.items().readItem(holder, c, key("a", "x"), ONE));
        assertThat(refused.code()).isEqualTo(ErrorCode.PARTITION_KEY_MISMATCH);
        assertRefused(
                () ->
                        engine.resources()
                                .readContainer(holder, ContainerRef.Addressed.byName("d", "none")));
        assertRefused(
                () ->
                        engine.resources()
                                .readContainer(holder, ContainerRef.Addressed.byName("none", "c")));
    }
}
