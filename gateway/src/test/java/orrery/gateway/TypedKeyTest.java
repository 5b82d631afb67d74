package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;

/** Row keys at the door, and the rules for ids wherever one comes in. */
final class TypedKeyTest {
    private static final PartitionKey KEY = PartitionKey.ofText("a");
    private static final RowKey OBJECT_ID = RowKey.of(Bytes.ofHex("2C507F1F77BCF86CD799439011"));
    private static final String LONGEST = "x".repeat(RowKey.MAX_BYTES - 1);

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef documents;
    private ContainerRef tables;
    private ContainerRef mongo;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        documents = fixture.container("c", 400, "/pk");
        tables = ofKind("t", ContainerKind.TABLE);
        mongo = ofKind("m", ContainerKind.MONGODB);
    }

    private ContainerRef ofKind(String name, ContainerKind kind) {
        return fixture.container(name, 400, EngineFixture.definition("/pk").withKind(kind));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Bytes body(String id) {
        return Bytes.ofUtf8("{\"id\":" + JsonText.write(Value.of(id)) + ",\"pk\":\"a\"}");
    }

    private static ItemWrite create(String id) {
        return new ItemWrite.Create(body(id), Optional.empty());
    }

    private static ItemWrite upsert(String id) {
        return new ItemWrite.Upsert(body(id), Optional.empty(), Precondition.NONE);
    }

    private static ItemWrite rename(String from, String to) {
        return new ItemWrite.Replace(
                new ItemRef.Named(from), Optional.empty(), body(to), Precondition.NONE);
    }

    private ItemAnswer write(ContainerRef container, ItemWrite write) {
        return fixture.engine.items().writeItem(EngineFixture.context(), container, write);
    }

    private ItemAnswer read(ContainerRef container, PartitionKey key, RowKey item) {
        return fixture.engine
                .items()
                .readItem(EngineFixture.context(), container, key, new ItemRef.Named(item));
    }

    private BatchAnswer batch(ContainerRef container, ItemBatch batch) {
        return fixture.engine.items().batch(EngineFixture.context(), container, batch);
    }

    private static String refusal(ThrowingCallable call) {
        OrreryException refused = catchThrowableOfType(OrreryException.class, call);
        assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return refused.text();
    }

    @Test
    void aKeyOfAnyKindNamesAnItem() {
        for (ContainerRef container : List.of(documents, tables, mongo)) {
            OrreryException absent =
                    catchThrowableOfType(
                            OrreryException.class, () -> read(container, KEY, OBJECT_ID));
            assertThat(absent.code()).isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    /** An empty key, a backslash and 2,047 bytes are for the front-end of tables to judge. */
    @Test
    void onlyDocumentsHaveTheRulesOfSql() {
        for (String id : List.of("", "a\\b", LONGEST)) {
            write(tables, create(id));
            assertThat(read(tables, KEY, RowKey.ofText(id)).outcome())
                    .isEqualTo(ItemAnswer.Outcome.READ);
            write(tables, upsert(id));
            write(tables, rename(id, id + (id.equals(LONGEST) ? "" : "2")));
        }
        assertThat(read(tables, KEY, RowKey.ofText("2")).outcome())
                .isEqualTo(ItemAnswer.Outcome.READ);
    }

    @Test
    void aKeyOfAnItemHas2048Bytes() {
        write(tables, create("there"));
        for (ItemWrite write :
                List.of(
                        create(LONGEST + "x"),
                        upsert(LONGEST + "x"),
                        rename("there", LONGEST + "x"))) {
            assertThat(refusal(() -> write(tables, write)))
                    .contains("may have 2048 bytes")
                    .contains("this one has 2049");
        }
    }

    /** Every way by which an id comes in. */
    @Test
    void theRulesOfSqlHoldWhereverAnIdComesIn() {
        write(documents, create("there"));
        List<ItemWrite> writes = List.of(create("a\\b"), upsert("a\\b"), rename("there", "a\\b"));
        for (ItemWrite write : writes) {
            assertThat(refusal(() -> write(documents, write)))
                    .contains("Id contains illegal chars");
            assertThat(
                            texts(
                                    batch(
                                            documents,
                                            new ItemBatch.Atomic(
                                                    KEY,
                                                    List.of(new BatchOperation.Write(write))))))
                    .singleElement()
                    .asString()
                    .contains("Id contains illegal chars");
            assertThat(
                            texts(
                                    batch(
                                            documents,
                                            new ItemBatch.Bulk(
                                                    List.of(new BatchOperation.Write(write)),
                                                    false,
                                                    true))))
                    .singleElement()
                    .asString()
                    .contains("Id contains illegal chars");
        }
        for (String call :
                List.of(
                        "createDocument(c.getSelfLink()",
                        "upsertDocument(c.getSelfLink()",
                        "replaceDocument(c.getAltLink() + '/docs/there'")) {
            assertThat(run(call + ", {id: 'a\\\\b', pk: 'a'}"))
                    .contains("Id contains illegal chars");
        }
    }

    private static List<String> texts(BatchAnswer answer) {
        return answer.results().stream()
                .map(result -> ((BatchAnswer.Result.Refused) result).failure().text())
                .toList();
    }

    /** The message of the error that a script gets for a call. */
    private String run(String call) {
        ScriptDefinition script =
                new ScriptDefinition(
                        ScriptDefinition.Kind.PROCEDURE,
                        "p" + call.hashCode(),
                        """
                        function () {
                            var c = getContext().getCollection();
                            c.%s, function (err) {
                                getContext().getResponse().setBody(err.message);
                            });
                        }"""
                                .formatted(call));
        Scripts scripts = fixture.engine.resources().scripts();
        scripts.create(EngineFixture.context(), documents, script);
        return fixture.engine
                .items()
                .execute(
                        EngineFixture.context(),
                        documents,
                        KEY,
                        new ResourceRef.Named(script.name()),
                        Bytes.EMPTY,
                        false)
                .body()
                .orElseThrow()
                .toUtf8();
    }

    /** A script only looks for the id that it names; an id that no item can have is its error. */
    @Test
    void aScriptThatNamesNoKeyHearsWhy() {
        assertThat(run("readDocument(c.getAltLink() + '/docs/a\\\\b'")).contains("Not Found");
        assertThat(run("readDocument(c.getAltLink() + '/docs/' + 'x'.repeat(2048)"))
                .contains("may have 2048 bytes");
        assertThat(run("readDocument(c.getAltLink() + '/docs/\\uD800'"))
                .contains("not well-formed");
    }

    /** The front-end could not name an item; the others are carried out, or not, as ever. */
    @Test
    void anOperationThatIsRefusedInAdvanceHasItsPlace() {
        BatchOperation refused =
                new BatchOperation.Refused(
                        new OrreryException(ErrorCode.BAD_REQUEST, "no such id"));
        BatchOperation good = new BatchOperation.Write(create("1"));

        BatchAnswer atomic = batch(documents, new ItemBatch.Atomic(KEY, List.of(good, refused)));
        assertThat(texts(atomic).getLast()).isEqualTo("no such id");
        assertThat(((BatchAnswer.Result.Refused) atomic.results().getFirst()).failure().code())
                .isEqualTo(ErrorCode.FAILED_DEPENDENCY);

        BatchAnswer bulk =
                batch(documents, new ItemBatch.Bulk(List.of(refused, good), false, true));
        assertThat(bulk.results().getFirst()).isInstanceOf(BatchAnswer.Result.Refused.class);
        assertThat(bulk.results().getLast()).isInstanceOf(BatchAnswer.Result.Done.class);
        BatchAnswer stopped =
                batch(documents, new ItemBatch.Bulk(List.of(refused, good), true, false));
        assertThat(stopped.results()).allMatch(BatchAnswer.Result.Refused.class::isInstance);
    }

    /** A key that looks tagged and is not stands for nothing, so whoever asks has erred. */
    @Test
    void aKeyThatOnlyLooksTaggedIsRefusedWhereTagsAreKnown() {
        PartitionKey wrong = PartitionKey.ofText("\0abc");
        FeedScope scope = new FeedScope.Key(wrong);
        PageRequest page = new PageRequest(OptionalInt.of(1), Optional.empty());
        List<Supplier<Object>> requests =
                List.of(
                        () -> read(mongo, wrong, OBJECT_ID),
                        () ->
                                batch(
                                        mongo,
                                        new ItemBatch.Atomic(
                                                wrong,
                                                List.of(
                                                        new BatchOperation.Read(
                                                                OBJECT_ID,
                                                                wrong,
                                                                new Precondition.Impossible())))),
                        () ->
                                fixture.engine
                                        .items()
                                        .readItems(EngineFixture.context(), mongo, scope, page),
                        () -> fixture.all(mongo, scope, "SELECT * FROM c", 1),
                        () ->
                                fixture.engine
                                        .items()
                                        .deleteItems(EngineFixture.context(), mongo, wrong));
        for (Supplier<Object> request : requests) {
            assertThat(refusal(request::get)).contains("U+0000");
        }
        PartitionKey right = PartitionKey.ofText("\0" + "2c507f1f77bcf86cd799439011");
        assertThat(fixture.all(mongo, new FeedScope.Key(right), "SELECT * FROM c", 1)).isEmpty();
        // In JSON bodies a string is a string.
        assertThat(fixture.all(documents, scope, "SELECT * FROM c", 1)).isEmpty();
    }

    @Test
    void documentsAreNotAffectedByTags() {
        String pk = "\0abc";
        write(
                documents,
                new ItemWrite.Create(
                        JsonText.writeBytes(
                                new Value.Obj(Map.of("id", Value.of("1"), "pk", Value.of(pk)))),
                        Optional.of(PartitionKey.ofText(pk))));
        Container container =
                read(documents, PartitionKey.ofText(pk), RowKey.ofText("1")).container();
        assertThat(container.definition().kind()).isEqualTo(ContainerKind.DOCUMENT);
    }
}
