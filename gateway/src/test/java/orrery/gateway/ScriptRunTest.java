package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.ScriptDefinition.When;
import orrery.model.TriggerOperation;

/** Scripts from the door to the partition of their key and back. */
final class ScriptRunTest {
    private static final PartitionKey KEY = PartitionKey.ofText("a");
    private static final String STAMP =
            """
            function () {
                var request = getContext().getRequest();
                var item = request.getBody();
                item.stamp = true;
                request.setBody(item);
            }""";

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;
    private Scripts scripts;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, "/pk");
        scripts = fixture.engine.resources().scripts();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void proceduresAnswerAndAdvanceTheSession() {
        procedure(
                "make",
                """
                function (id) {
                    var collection = getContext().getCollection();
                    console.log('making ' + id);
                    collection.createDocument(
                        collection.getSelfLink(), { id: id, pk: 'a' }, function (err, made) {
                            if (err) throw err;
                            getContext().getResponse().setBody(made.id);
                        });
                }""");
        ProcedureAnswer answer = execute("make", "[\"x\"]", true);

        assertThat(answer.body()).contains(Bytes.ofUtf8("\"x\""));
        assertThat(answer.log()).contains("making x");
        assertThat(answer.charge().ru()).isPositive();
        ItemAnswer read =
                fixture.engine
                        .items()
                        .readItem(
                                EngineFixture.context(Optional.of(answer.sessionToken())),
                                container,
                                KEY,
                                new ItemRef.Named("x"));
        assertThat(read.lsn()).isEqualTo(answer.lsn());
    }

    /** The names are the partition's to check; here it matters that they arrive. */
    @Test
    void scriptsKnowTheirContainer() {
        procedure(
                "where",
                """
                function () {
                    getContext().getResponse().setBody(getContext().getCollection().getAltLink());
                }""");

        assertThat(execute("where", "", false).body()).contains(Bytes.ofUtf8("\"dbs/d/colls/c\""));
    }

    @Test
    void queriesOfScriptsCallFunctionsThatTheyName() {
        function("twice", "function (n) { return 2 * n; }");
        function("never", "function () { throw new Error('never called'); }");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"n\":21}");
        procedure(
                "ask",
                """
                function (query) {
                    __.queryDocuments(__.getSelfLink(), query, function (err, found) {
                        if (err) throw err;
                        __.response.setBody(found);
                    });
                }""");
        assertThat(execute("ask", "[\"SELECT VALUE udf.twice(c.n) FROM c\"]", false).body())
                .contains(Bytes.ofUtf8("[42]"));
        OrreryException unknown =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> execute("ask", "[\"SELECT VALUE udf.thrice(c.n) FROM c\"]", false));
        assertThat(unknown.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(unknown.text()).contains("udf.thrice does not exist");

        trigger(
                "sum",
                When.PRE,
                TriggerOperation.CREATE,
                """
                function () {
                    __.queryDocuments(
                        __.getSelfLink(), 'SELECT VALUE udf.twice(c.n) FROM c', function (err, found) {
                            if (err) throw err;
                            var item = __.request.getBody();
                            item.stamp = found[0];
                            __.request.setBody(item);
                        });
                }""");
        TriggeredAnswer created =
                fixture.engine
                        .items()
                        .writeItem(
                                EngineFixture.context(),
                                container,
                                new ItemWrite.Create(
                                        Bytes.ofUtf8("{\"id\":\"2\",\"pk\":\"a\"}"),
                                        Optional.empty()),
                                new TriggerNames(List.of("sum"), List.of(), false));
        assertThat(body(created)).contains("\"stamp\":42");
    }

    @Test
    void namesOfFunctionsMayBePutTogether() {
        function("twice", "function (n) { return 2 * n; }");
        function("half", "function (n) { return n / 2; }");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"n\":21}");
        String ask =
                """
                function () {
                    var all = [];
                    function ask(names) {
                        if (names.length === 0) {
                            return __.createDocument(__.getSelfLink(), {id: 'log', pk: 'a', all}, (err) => {
                                if (err) throw err;
                                __.response.setBody(all);
                            });
                        }
                        var query = 'SELECT VALUE u' + 'df.' + names[0].join('') + '(c.n) FROM c';
                        __.queryDocuments(__.getSelfLink(), query, (err, found) => {
                            all.push(err ? err.number : found[0]);
                            ask(names.slice(1));
                        });
                    }
                    ask([['tw', 'ice'], ['ha', 'lf'], ['no', 'ne'], ['tw', 'ice']]);
                }""";
        procedure("ask", ask);
        assertThat(execute("ask", "", false).body()).contains(Bytes.ofUtf8("[42,10.5,400,42]"));
    }

    @Test
    void aScriptBeginsAnewOnlySoOften() {
        procedure(
                "ask",
                """
                function () {
                    for (var i = 0; i < 20; i++) {
                        try {
                            __.queryDocuments(__.getSelfLink(), 'SELECT VALUE u' + 'df.f' + i + '(1) FROM c');
                        } catch (unknown) {}
                    }
                }""");
        OrreryException refusal =
                catchThrowableOfType(OrreryException.class, () -> execute("ask", "", false));
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal.text()).contains("too many functions");
        assertThat(refusal.charge().ru()).as("17 runs").isGreaterThanOrEqualTo(17);
    }

    @Test
    void proceduresFindTheirPartitionAfterASplit() {
        procedure("one", "function () { getContext().getResponse().setBody(1); }");
        execute("one", "", false);
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);

        ProcedureAnswer answer = execute("one", "", false);
        assertThat(answer.body()).contains(Bytes.ofUtf8("1"));
        assertThat(answer.range()).isNotZero();
    }

    @Test
    void triggersOfAnUpsertRunForWhatItTurnsInto() {
        trigger("stamp", When.PRE, TriggerOperation.CREATE, STAMP);
        TriggerNames names = new TriggerNames(List.of("stamp"), List.of(), false);

        TriggeredAnswer created = upsert(names);
        assertThat(created.answer().outcome()).isEqualTo(ItemAnswer.Outcome.CREATED);
        assertThat(body(created)).contains("\"stamp\":true");
        TriggeredAnswer replaced = upsert(names);
        assertThat(replaced.answer().outcome()).isEqualTo(ItemAnswer.Outcome.REPLACED);
        assertThat(body(replaced)).doesNotContain("stamp");
    }

    @Test
    void triggersForUpsertsRunForUpsertsOnly() {
        trigger("stamp", When.PRE, TriggerOperation.UPSERT, STAMP);
        TriggerNames names = new TriggerNames(List.of("stamp"), List.of(), false);

        assertThat(body(upsert(names))).contains("\"stamp\":true");
        assertThat(body(upsert(names))).contains("\"stamp\":true");
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                fixture.engine
                                        .items()
                                        .writeItem(
                                                EngineFixture.context(),
                                                container,
                                                new ItemWrite.Create(
                                                        Bytes.ofUtf8("{\"id\":\"2\",\"pk\":\"a\"}"),
                                                        Optional.empty()),
                                                names));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    private TriggeredAnswer upsert(TriggerNames names) {
        return fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Upsert(
                                Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}"),
                                Optional.empty(),
                                Precondition.NONE),
                        names);
    }

    private static String body(TriggeredAnswer answer) {
        return answer.answer().item().map(Item::body).orElseThrow().toUtf8();
    }

    private void function(String name, String body) {
        scripts.create(
                EngineFixture.context(),
                container,
                new ScriptDefinition(Kind.FUNCTION, name, body));
    }

    private void procedure(String name, String body) {
        scripts.create(
                EngineFixture.context(),
                container,
                new ScriptDefinition(Kind.PROCEDURE, name, body));
    }

    private void trigger(String name, When when, TriggerOperation operation, String body) {
        scripts.create(
                EngineFixture.context(),
                container,
                new ScriptDefinition(
                        Kind.TRIGGER, name, body, Optional.of(new Trigger(when, operation))));
    }

    private ProcedureAnswer execute(String name, String arguments, boolean logs) {
        return fixture.engine
                .items()
                .execute(
                        EngineFixture.context(),
                        container,
                        KEY,
                        new ResourceRef.Named(name),
                        Bytes.ofUtf8(arguments),
                        logs);
    }
}
