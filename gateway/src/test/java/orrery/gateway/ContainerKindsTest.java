package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BodyFormat;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TriggerNames;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.ScriptDefinition.When;
import orrery.model.SizeLimits;
import orrery.model.TriggerOperation;
import orrery.query.write.Evaluation;

/** Containers of all kinds through the door: each keeps bodies in its encoding. */
class ContainerKindsTest {
    private static final PartitionKey KEY = PartitionKey.ofText("a");

    /** Every kind of BSON but a pattern, which SQL may not write. */
    private static final String KINDS =
            """
            "int":1,"long":{"$numberLong":"2"},"whole":{"$numberDouble":"3.0"},\
            "nan":{"$numberDouble":"NaN"},"decimal":{"$numberDecimal":"1.10"},"text":"x",\
            "none":null,"yes":true,"list":[1,{"$oid":"507f1f77bcf86cd799439011"}],\
            "date":{"$date":"2026-11-17T04:30:00.125Z"},\
            "data":{"$binary":{"base64":"AQID","subType":"04"}},\
            "time":{"$timestamp":{"t":1,"i":2}},"code":{"$code":"f()"},\
            "symbol":{"$symbol":"s"},"min":{"$minKey":1},"max":{"$maxKey":1}""";

    private static final String PATTERN =
            "\"pattern\":{\"$regularExpression\":{\"pattern\":\"^a\",\"options\":\"i\"}}";

    private EngineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ContainerRef container(ContainerKind kind) {
        return container(kind, 400);
    }

    private ContainerRef container(ContainerKind kind, int requestUnits) {
        return fixture.container(
                kind.name(), requestUnits, EngineFixture.definition("/pk").withKind(kind));
    }

    private static Body json(String text) {
        return Body.json(Bytes.ofUtf8(text));
    }

    /** The document that this is the JSON form of. */
    private static Body bson(String text) {
        return new Body(Encoding.BSON, BodyFormat.of(Encoding.BSON).show(json(text)));
    }

    private static String document(String id, String rest) {
        return "{\"_id\":\"" + id + "\",\"pk\":\"a\"," + rest + "}";
    }

    private ItemAnswer create(ContainerRef container, Body body) {
        return write(container, new ItemWrite.Create(body, Optional.empty()));
    }

    private ItemAnswer write(ContainerRef container, ItemWrite write) {
        return fixture.engine.items().writeItem(EngineFixture.context(), container, write);
    }

    private ItemAnswer read(ContainerRef container, String id) {
        return fixture.engine
                .items()
                .readItem(EngineFixture.context(), container, KEY, new ItemRef.Named(id));
    }

    private static Value shown(ItemAnswer answer) {
        return JsonText.parse(answer.body(Encoding.JSON).orElseThrow().bytes());
    }

    private static OrreryException refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }

    private List<String> all(ContainerRef container, String query) {
        return fixture.all(container, new FeedScope.Everything(), query, 3);
    }

    @ParameterizedTest
    @EnumSource
    void theKindIsKept(ContainerKind kind, @TempDir Path other) {
        ContainerRef container;
        try (EngineFixture first = new EngineFixture(other)) {
            container = first.container("c", 400, EngineFixture.definition("/pk").withKind(kind));
        }
        try (EngineFixture again = new EngineFixture(other)) {
            var present =
                    again.engine.resources().readContainer(EngineFixture.context(), container);
            assertThat(present.definition().kind()).isEqualTo(kind);
            for (ContainerKind wanted : ContainerKind.values()) {
                ThrowingCallable replace =
                        () ->
                                again.engine
                                        .resources()
                                        .replaceContainer(
                                                EngineFixture.context(),
                                                container,
                                                present.definition().withKind(wanted),
                                                Precondition.NONE);
                assertThat(Optional.ofNullable(refusal(replace)).map(OrreryException::code))
                        .isEqualTo(
                                wanted == kind
                                        ? Optional.empty()
                                        : Optional.of(ErrorCode.BAD_REQUEST));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void bsonIsKeptAsItArrived(int requestUnits) {
        ContainerRef container = container(ContainerKind.MONGODB, requestUnits);
        for (int i = 0; i < 20; i++) {
            String text =
                    document("i" + i, KINDS + "," + PATTERN).replace("\"a\"", "\"k" + i + "\"");
            Item made = create(container, bson(text)).item().orElseThrow();
            assertThat(made.content()).isEqualTo(bson(text));
        }
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);

        for (int i = 0; i < 20; i++) {
            String text =
                    document("i" + i, KINDS + "," + PATTERN).replace("\"a\"", "\"k" + i + "\"");
            ItemAnswer found =
                    fixture.engine
                            .items()
                            .readItem(
                                    EngineFixture.context(),
                                    container,
                                    PartitionKey.ofText("k" + i),
                                    new ItemRef.Named("i" + i));
            assertThat(found.item().orElseThrow().content()).isEqualTo(bson(text));
            assertThat(found.body(Encoding.BSON)).contains(bson(text));
        }
        assertThat(
                        all(
                                container,
                                "SELECT VALUE c.id FROM c WHERE c.data[\"$binary\"].subType = '04'"))
                .hasSize(20);
        ItemPage feed =
                fixture.engine
                        .items()
                        .readItems(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Everything(),
                                new PageRequest(OptionalInt.empty(), Optional.empty()));
        assertThat(feed.items()).allMatch(item -> item.encoding() == Encoding.BSON);
    }

    @Test
    void sqlSeesTheFormInJsonAndMayWriteIt() {
        ContainerRef container = container(ContainerKind.MONGODB);
        create(container, json(document("x", KINDS)));
        ItemAnswer found = read(container, "x");

        assertThat(found.item().orElseThrow().content()).isEqualTo(bson(document("x", KINDS)));
        String form =
                document("x", KINDS + ",\"id\":\"x\"")
                        .replace("{\"$numberLong\":\"2\"}", "2")
                        .replace("{\"$numberDouble\":\"3.0\"}", "3");
        assertThat(shown(found)).isEqualTo(JsonText.parse(form));
        assertThat(all(container, "SELECT VALUE c.list[1] FROM c WHERE c.long = 2"))
                .containsExactly("{\"$oid\":\"507f1f77bcf86cd799439011\"}");
    }

    @Test
    void aDocumentContainerKeepsTheFormAndShowsTheKinds() {
        ContainerRef container = container(ContainerKind.DOCUMENT);
        create(container, bson(document("x", KINDS + "," + PATTERN)));
        create(container, json("{\"id\":\"y\",\"pk\":\"a\",\"odd\":{\"$oid\":\"no id\"}}"));

        Item kept = read(container, "x").item().orElseThrow();
        assertThat(kept.encoding()).isEqualTo(Encoding.JSON);
        assertThat(JsonText.parse(kept.body())).isEqualTo(shown(read(container, "x")));
        Value inBson =
                BodyFormat.of(Encoding.BSON)
                        .value(read(container, "x").body(Encoding.BSON).orElseThrow().bytes());
        Value.Obj sent =
                BodyFormat.of(Encoding.BSON)
                        .value(bson(document("x", KINDS + "," + PATTERN)).bytes());
        // JSON has no widths of numbers; all else is what it was.
        for (String name : List.of("decimal", "nan", "list", "date", "data", "time", "pattern")) {
            assertThat(((Value.Obj) inBson).properties().get(name))
                    .isEqualTo(sent.properties().get(name));
        }
        // Its writer thought of JSON only, and it can be read as BSON all the same.
        assertThat(read(container, "y").body(Encoding.BSON))
                .contains(bson("{\"id\":\"y\",\"pk\":\"a\",\"odd\":{\"$oid\":\"no id\"}}"));
    }

    @Test
    void whatCannotBeKeptIsRefused() {
        ContainerRef documents = container(ContainerKind.DOCUMENT);
        ContainerRef mongo = container(ContainerKind.MONGODB);
        String lookalike = document("x", "\"o\":{\"$oid\":\"no id\"}");

        assertRefused(documents, json("{\"id\":\"x\",\"pk\":\"a\",\"n\":1e400}"), "number");
        assertRefused(mongo, json("{\"id\":\"x\",\"pk\":\"a\",\"n\":1e400}"), "number");
        assertRefused(mongo, json(document("x", PATTERN)), "regular expression");
        assertRefused(mongo, json(lookalike), "$oid");
        assertRefused(documents, bson(lookalike), "$oid");
        assertRefused(documents, bson("{\"id\":5,\"pk\":\"a\"}"), "'id' must be a string");
        assertRefused(mongo, new Body(Encoding.BSON, Bytes.ofHex("FFFFFF7F00")), "bytes long");
        assertRefused(documents, new Body(Encoding.BSON, Bytes.ofHex("FFFFFF7F00")), "bytes long");
        assertRefused(
                mongo, json(document("x", "\"d\":" + "[".repeat(120) + "]".repeat(120))), "levels");
    }

    private void assertRefused(ContainerRef container, Body body, String reason) {
        OrreryException refusal = refusal(() -> create(container, body));
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal.text()).contains(reason);
    }

    @ParameterizedTest
    @EnumSource
    void anItemMayBeAsLargeAsItsKindSays(ContainerKind kind) {
        ContainerRef container = container(kind);
        SizeLimits limits = kind.limits();
        Body fits = sized(kind.encoding(), limits.maxItemBytes());
        Body tooLarge = sized(kind.encoding(), limits.maxItemBytes() + 1);

        assertThat(fits.bytes().length()).isEqualTo(limits.maxItemBytes());
        create(container, fits);
        assertThat(read(container, "x").item().map(Item::content)).contains(fits);
        assertThat(refusal(() -> write(container, upsert(tooLarge))).code())
                .isEqualTo(ErrorCode.TOO_LARGE);
        // A patch may not make it longer either.
        ItemWrite longer =
                new ItemWrite.Evaluate(
                        new ItemRef.Named("x"),
                        KEY,
                        EngineFixture.patch("[{\"op\":\"set\",\"path\":\"/m\",\"value\":1}]"),
                        Precondition.NONE);
        assertThat(refusal(() -> write(container, longer)).code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(all(container, "SELECT * FROM c")).hasSize(1);
    }

    /** A body may arrive in a longer form than the one it is kept in. */
    @Test
    void theLimitIsThatOfTheFormThatIsKept() {
        ContainerRef container = container(ContainerKind.DOCUMENT);
        int most = ContainerKind.DOCUMENT.limits().maxItemBytes();
        // "{"_id":"x","pk":"a","s":"…","id":"x"} in JSON.
        int around = "{\"_id\":\"x\",\"pk\":\"a\",\"s\":\"\",\"id\":\"x\"}".length();

        write(container, upsert(bson(document("x", text(most - around)))));
        ItemWrite tooLarge = upsert(bson(document("x", text(most - around + 1))));
        assertThat(refusal(() -> write(container, tooLarge)).code()).isEqualTo(ErrorCode.TOO_LARGE);
    }

    private static String text(int length) {
        return "\"s\":\"" + "s".repeat(length) + "\"";
    }

    private static ItemWrite upsert(Body body) {
        return new ItemWrite.Upsert(body, Optional.empty(), Precondition.NONE);
    }

    private static Body sized(Encoding encoding, int bytes) {
        return switch (encoding) {
            case JSON -> {
                int around = "{\"id\":\"x\",\"pk\":\"a\",\"s\":\"\"}".length();
                yield json("{\"id\":\"x\",\"pk\":\"a\"," + text(bytes - around) + "}");
            }
            case BSON -> {
                int around = bson(document("x", text(0))).bytes().length();
                yield bson(document("x", text(bytes - around)));
            }
        };
    }

    @Test
    void patchesAndBatchesKeepTheTypesThatTheyDoNotName() {
        String addOne = "[{\"op\":\"add\",\"path\":\"/n\",\"value\":1}]";
        ContainerRef container = container(ContainerKind.MONGODB);
        create(container, bson(document("x", KINDS + "," + PATTERN)));
        Evaluation patch =
                EngineFixture.patch(
                        "[{\"op\":\"incr\",\"path\":\"/long\",\"value\":1},"
                                + "{\"op\":\"set\",\"path\":\"/int\","
                                + "\"value\":{\"$oid\":\"507f1f77bcf86cd799439012\"}}]");
        ItemWrite modify =
                new ItemWrite.Evaluate(new ItemRef.Named("x"), KEY, patch, Precondition.NONE);
        String once =
                document("x", KINDS + "," + PATTERN)
                        .replace("\"int\":1", "\"int\":{\"$oid\":\"507f1f77bcf86cd799439012\"}")
                        .replace("{\"$numberLong\":\"2\"}", "{\"$numberLong\":\"3\"}");

        assertThat(write(container, modify).item().map(Item::content)).contains(bson(once));
        assertThat(read(container, "x").item().map(Item::content)).contains(bson(once));

        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Atomic(
                                        KEY,
                                        List.of(
                                                new BatchOperation.Write(modify),
                                                new BatchOperation.Read(
                                                        "x", KEY, new Precondition.Impossible()),
                                                new BatchOperation.Write(
                                                        new ItemWrite.Create(
                                                                bson(document("y", PATTERN)),
                                                                Optional.empty())),
                                                new BatchOperation.Write(
                                                        new ItemWrite.Evaluate(
                                                                new ItemRef.Named("y"),
                                                                KEY,
                                                                EngineFixture.patch(addOne),
                                                                Precondition.NONE)))));
        String twice = once.replace("{\"$numberLong\":\"3\"}", "{\"$numberLong\":\"4\"}");
        assertThat(bodies(answer))
                .containsExactly(
                        bson(twice),
                        bson(twice),
                        bson(document("y", PATTERN)),
                        bson(document("y", PATTERN + ",\"n\":1")));
    }

    private static List<Body> bodies(BatchAnswer answer) {
        return answer.results().stream()
                .map(result -> ((BatchAnswer.Result.Done) result).item().orElseThrow().content())
                .toList();
    }

    @Test
    void scriptsSeeAndWriteTheForm() {
        ContainerRef container = container(ContainerKind.MONGODB);
        create(container, bson(document("x", KINDS)));
        script(
                container,
                new ScriptDefinition(
                        Kind.PROCEDURE,
                        "copy",
                        """
                        function () {
                            __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', function (err, found) {
                                if (err) throw err;
                                __.createDocument(
                                    __.getSelfLink(), { pk: 'a', of: found[0].list[1] }, function (e, made) {
                                        if (e) throw e;
                                        __.response.setBody(made.id);
                                    });
                            });
                        }"""));
        ProcedureAnswer answer =
                fixture.engine
                        .items()
                        .execute(
                                EngineFixture.context(),
                                container,
                                KEY,
                                new ResourceRef.Named("copy"),
                                Bytes.EMPTY,
                                false);
        String id = ((Value.Text) JsonText.parse(answer.body().orElseThrow())).value();

        assertThat(read(container, id).item().map(Item::content))
                .contains(
                        bson(
                                "{\"_id\":\""
                                        + id
                                        + "\",\"pk\":\"a\","
                                        + "\"of\":{\"$oid\":\"507f1f77bcf86cd799439011\"}}"));
    }

    @Test
    void aTriggerThatLeavesTheItemAloneLeavesItsBytes() {
        ContainerRef container = container(ContainerKind.MONGODB);
        script(
                container,
                new ScriptDefinition(
                        Kind.TRIGGER,
                        "look",
                        "function () { __.request.getBody(); }",
                        Optional.of(new Trigger(When.PRE, TriggerOperation.ALL))));
        script(
                container,
                new ScriptDefinition(
                        Kind.TRIGGER,
                        "stamp",
                        """
                        function () {
                            var item = __.request.getBody();
                            item.stamp = { "$numberDecimal": "2.50" };
                            __.request.setBody(item);
                        }""",
                        Optional.of(new Trigger(When.PRE, TriggerOperation.ALL))));

        assertThat(triggered(container, "x", "look"))
                .contains(bson(document("x", KINDS + "," + PATTERN)));
        OrreryException refusal = refusal(() -> triggered(container, "y", "stamp"));
        assertThat(refusal.text()).contains("regular expression");
    }

    private Optional<Body> triggered(ContainerRef container, String id, String trigger) {
        return fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        upsert(bson(document(id, KINDS + "," + PATTERN))),
                        new TriggerNames(List.of(trigger), List.of(), false))
                .answer()
                .item()
                .map(Item::content);
    }

    private void script(ContainerRef container, ScriptDefinition definition) {
        fixture.engine.resources().scripts().create(EngineFixture.context(), container, definition);
    }

    @Test
    void changesOfAnItemAreInItsEncoding() {
        ContainerRef container = container(ContainerKind.MONGODB);
        create(container, bson(document("x", KINDS)));
        ChangePage<ChangedItem> page =
                fixture.engine
                        .items()
                        .readChanges(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Everything(),
                                ChangeRequest.FROM_BEGINNING);

        assertThat(page.changes().stream().map(change -> change.item().content()))
                .containsExactly(bson(document("x", KINDS)));
    }

    @Test
    void etagsOfATableAreMomentsThatGrow() {
        ContainerRef container = container(ContainerKind.TABLE);
        List<Etag> etags =
                new ArrayList<>(
                        IntStream.range(0, 30)
                                .mapToObj(i -> json("{\"id\":\"i" + i % 3 + "\",\"pk\":\"a\"}"))
                                .map(body -> write(container, upsert(body)))
                                .map(answer -> answer.item().orElseThrow().etag())
                                .toList());

        assertThat(etags)
                .extracting(etag -> FileTime.ofEtag(etag).orElseThrow().ticks())
                .isSorted()
                .doesNotHaveDuplicates();
        ItemWrite onOld =
                new ItemWrite.Upsert(
                        json("{\"id\":\"i0\",\"pk\":\"a\"}"),
                        Optional.empty(),
                        new Precondition.Matches(etags.getFirst()));
        assertThat(refusal(() -> write(container, onOld)).code())
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
    }
}
