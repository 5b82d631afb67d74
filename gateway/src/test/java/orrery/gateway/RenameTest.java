package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TriggerNames;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.TriggerOperation;
import orrery.partition.audit.StoreAudit;
import orrery.storage.StoreSnapshot;

/** A replace whose body has another id renames the item. */
@Timeout(900)
class RenameTest {
    private static final FeedScope ALL = new FeedScope.Everything();
    private static final PartitionKey KEY = PartitionKey.ofText("a");

    @TempDir Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container =
                fixture.container(
                        "c",
                        400,
                        EngineFixture.definition("/pk")
                                .withChangeRetention(60)
                                .withUniqueKeys(
                                        List.of(new UniqueKey(List.of(PropertyPath.parse("/u"))))));
    }

    @AfterEach
    void close() {
        try (StoreSnapshot snapshot = fixture.replica.store().snapshot()) {
            assertThat(StoreAudit.run(snapshot)).isEmpty();
        }
        fixture.close();
    }

    private static String json(String id, String unique) {
        return "{\"id\":\"%s\",\"pk\":\"a\",\"u\":\"%s\"}".formatted(id, unique);
    }

    private static ItemWrite replace(String id, String json, Precondition precondition) {
        return new ItemWrite.Replace(
                new ItemRef.Named(id), Optional.of(KEY), Bytes.ofUtf8(json), precondition);
    }

    private ItemAnswer rename(String id, String json) {
        return fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(), container, replace(id, json, Precondition.NONE));
    }

    private List<ChangedItem> changes() {
        return fixture.engine
                .items()
                .readChanges(EngineFixture.context(), container, ALL, ChangeRequest.FROM_BEGINNING)
                .changes();
    }

    private Item read(String id) {
        return read(new ItemRef.Named(id));
    }

    private Item read(ItemRef item) {
        return fixture.engine
                .items()
                .readItem(EngineFixture.context(), container, KEY, item)
                .item()
                .orElseThrow();
    }

    private static Optional<String> previous(ItemVersion version) {
        return version.previous().map(item -> item.body().toUtf8());
    }

    private ErrorCode refused(Runnable request) {
        return catchThrowableOfType(OrreryException.class, request::run).code();
    }

    private List<String> ids() {
        return fixture.all(container, ALL, "SELECT VALUE c.id FROM c WHERE c.u >= ''", 10);
    }

    @Test
    void theItemStaysTheSame() {
        Item before = fixture.create(container, json("1", "x")).item().orElseThrow();

        ItemAnswer renamed = rename("1", json("2", "x"));

        assertThat(renamed.outcome()).isEqualTo(ItemAnswer.Outcome.REPLACED);
        assertThat(renamed.item().orElseThrow().docid()).isEqualTo(before.docid());
        assertThat(renamed.item().orElseThrow().etag()).isNotEqualTo(before.etag());
        assertThat(read("2").body().toUtf8()).isEqualTo(json("2", "x"));
        assertThat(refused(() -> read("1"))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(ids()).containsExactly("\"2\"");
        fixture.create(container, json("1", "y"));
        assertThat(ids()).containsExactlyInAnyOrder("\"1\"", "\"2\"");
    }

    @Test
    void anIdThatIsThereIsNotTaken() {
        fixture.create(container, json("1", "x"));
        fixture.create(container, json("2", "y"));

        assertThat(refused(() -> rename("1", json("2", "z")))).isEqualTo(ErrorCode.CONFLICT);
        assertThat(refused(() -> rename("3", json("4", "z")))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(read("1").body().toUtf8()).isEqualTo(json("1", "x"));
    }

    @Test
    void preconditionsAreOfTheItemThatIsReplaced() {
        Item first = fixture.create(container, json("1", "x")).item().orElseThrow();
        Precondition known = new Precondition.Matches(first.etag());
        fixture.engine
                .items()
                .writeItem(EngineFixture.context(), container, replace("1", json("2", "x"), known));

        assertThat(
                        refused(
                                () ->
                                        fixture.engine
                                                .items()
                                                .writeItem(
                                                        EngineFixture.context(),
                                                        container,
                                                        replace("2", json("3", "x"), known))))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
    }

    @Test
    void uniqueValuesGoWithTheItem() {
        fixture.create(container, json("1", "x"));
        fixture.create(container, json("2", "y"));
        rename("1", json("3", "x"));

        assertThat(refused(() -> fixture.create(container, json("1", "x"))))
                .isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
        assertThat(refused(() -> rename("3", json("4", "y"))))
                .isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
        rename("3", json("4", "z"));
        fixture.create(container, json("1", "x"));
    }

    @Test
    void bothFeedsShowOneChange() {
        String start =
                fixture.engine
                        .items()
                        .readVersions(
                                EngineFixture.context(), container, ALL, ChangeRequest.FROM_NOW)
                        .continuation();
        fixture.create(container, json("1", "x"));
        rename("1", json("2", "x"));

        assertThat(changes())
                .singleElement()
                .satisfies(
                        change -> {
                            assertThat(change.operation()).isEqualTo(ItemVersion.Operation.REPLACE);
                            assertThat(change.item().body().toUtf8()).isEqualTo(json("2", "x"));
                        });
        assertThat(
                        fixture.engine
                                .items()
                                .readVersions(
                                        EngineFixture.context(),
                                        container,
                                        ALL,
                                        ChangeRequest.after(start))
                                .changes())
                .extracting(ItemVersion::operation, RenameTest::previous)
                .containsExactly(
                        tuple(ItemVersion.Operation.CREATE, Optional.empty()),
                        tuple(ItemVersion.Operation.REPLACE, Optional.of(json("1", "x"))));
    }

    @Test
    void itemsOfASplitPartitionCanBeRenamed() {
        ItemAnswer created = fixture.create(container, json("1", "x"));
        ItemRef byRid =
                new ItemRef.Identified(
                        ResourceId.ofItem(
                                created.container().rid().database().orElseThrow(),
                                created.container().number(),
                                created.item().orElseThrow().docid()));
        rename("1", json("2", "x"));
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);

        rename("2", json("3", "x"));

        assertThat(ids()).containsExactly("\"3\"");
        assertThat(read(byRid).body().toUtf8()).isEqualTo(json("3", "x"));
        assertThat(changes()).hasSize(1);
    }

    @Test
    void aBatchRenamesAndGoesOnWithTheNewId() {
        fixture.create(container, json("1", "x"));
        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Atomic(
                                        KEY,
                                        List.of(
                                                new BatchOperation.Write(
                                                        replace(
                                                                "1",
                                                                json("2", "x"),
                                                                Precondition.NONE)),
                                                new BatchOperation.Write(
                                                        replace(
                                                                "2",
                                                                json("1", "x"),
                                                                Precondition.NONE)),
                                                new BatchOperation.Write(
                                                        replace(
                                                                "1",
                                                                json("5", "x"),
                                                                Precondition.NONE)),
                                                new BatchOperation.Read(
                                                        "5", KEY, new Precondition.Impossible()))));

        assertThat(answer.isRefused()).isFalse();
        assertThat(ids()).containsExactly("\"5\"");
    }

    @Test
    void operationsOfABulkSeeTheRenamesBeforeThem() {
        fixture.create(container, json("1", "x"));
        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Bulk(
                                        List.of(
                                                new BatchOperation.Write(
                                                        replace(
                                                                "1",
                                                                json("2", "x"),
                                                                Precondition.NONE)),
                                                new BatchOperation.Write(
                                                        replace(
                                                                "2",
                                                                json("3", "x"),
                                                                Precondition.NONE)),
                                                new BatchOperation.Read(
                                                        "3", KEY, new Precondition.Impossible())),
                                        false,
                                        true));

        assertThat(answer.isRefused()).isFalse();
    }

    @Test
    void triggersMayRenameToo() {
        fixture.create(container, json("1", "x"));
        fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        container,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.TRIGGER,
                                "rename",
                                """
                                function () {
                                    var item = __.request.getBody();
                                    item.id += 'b';
                                    __.request.setBody(item);
                                }""",
                                Optional.of(
                                        new ScriptDefinition.Trigger(
                                                ScriptDefinition.When.PRE,
                                                TriggerOperation.REPLACE))));

        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        replace("1", json("2", "x"), Precondition.NONE),
                        new TriggerNames(List.of("rename"), List.of(), false));

        assertThat(ids()).containsExactly("\"2b\"");
    }

    @Test
    void scriptsRenameToo() {
        fixture.create(container, json("1", "x"));
        fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        container,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.PROCEDURE,
                                "rename",
                                """
                                function () {
                                    __.replaceDocument(__.getAltLink() + '/docs/1',
                                        {id: '2', pk: 'a', u: 'x'});
                                    __.replaceDocument(__.getAltLink() + '/docs/2',
                                        {id: '3', pk: 'a', u: 'y'});
                                }"""));

        fixture.engine
                .items()
                .execute(
                        EngineFixture.context(),
                        container,
                        KEY,
                        new ResourceRef.Named("rename"),
                        Bytes.ofUtf8("[]"),
                        false);

        assertThat(ids()).containsExactly("\"3\"");
    }

    @Test
    void anIdThatIsPartOfTheKeyStays() {
        ContainerRef byId = fixture.container("byId", 400, "/id");
        fixture.create(byId, "{\"id\":\"1\"}");

        for (Optional<PartitionKey> key :
                List.of(Optional.<PartitionKey>empty(), Optional.of(PartitionKey.ofText("1")))) {
            assertThat(
                            catchThrowableOfType(
                                            OrreryException.class,
                                            () ->
                                                    fixture.engine
                                                            .items()
                                                            .writeItem(
                                                                    EngineFixture.context(),
                                                                    byId,
                                                                    new ItemWrite.Replace(
                                                                            new ItemRef.Named("1"),
                                                                            key,
                                                                            Bytes.ofUtf8(
                                                                                    "{\"id\":\"2\"}"),
                                                                            Precondition.NONE)))
                                    .code()
                                    .status())
                    .isEqualTo(400);
        }
    }
}
