package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.ScriptSource;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** A stored procedure works on the items of its partition key, and on no others. */
@Timeout(900)
class ScriptTest {
    private static final ScriptPlace PLACE =
            new ScriptPlace(
                    HostFixture.DATABASE,
                    "food",
                    "tiny",
                    List.of(
                            new ScriptSource("twice", 1, "function (n) { return 2 * n; }"),
                            new ScriptSource("bad", 1, "function () { throw new Error('no'); }"),
                            new ScriptSource("endless", 1, "function () { while (true) {} }")),
                    Set.of("nowhere"));

    private HostFixture host;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private PartitionResponse call(String body, String arguments) {
        return host.call(request(body, arguments));
    }

    private PartitionRequest request(String body, String arguments) {
        ItemKey scope = key("");
        return new WriteRequest.Execute(
                HostFixture.PARTITION,
                host.newRequest(),
                scope.epk(),
                scope.partitionKey(),
                new ScriptSource("sproc", 1, body),
                Bytes.ofUtf8(arguments),
                PLACE,
                true,
                0);
    }

    /** The second run of the script would meet what the first has made. */
    @Test
    void aProcedureThatIsSentAgainGetsItsFirstAnswer() {
        PartitionRequest request =
                request(
                        """
                        function () {
                            const c = getContext().getCollection();
                            console.log("once");
                            c.createDocument(c.getSelfLink(), {id: "a", pk: "north"}, (e, made) => {
                                if (e) throw e;
                                getContext().getResponse().setBody(made);
                            });
                        }
                        """,
                        "");
        PartitionResponse first = host.call(request);
        assertThat(first).isInstanceOf(WriteResponse.Executed.class);
        host.write(key("a"), new WriteAction.Delete(), Precondition.NONE);

        assertThat(host.call(request)).isEqualTo(first);
        assertThat(HostFixture.failureOf(host.read(key("a"), 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void anAnswerThatIsTooLongIsNotKept() {
        PartitionRequest request =
                request(
                        """
                        function () {
                            const c = getContext().getCollection();
                            c.upsertDocument(c.getSelfLink(), {id: "a", pk: "north"}, (e) => {
                                if (e) throw e;
                                getContext().getResponse().setBody("x".repeat(70000));
                            });
                        }
                        """,
                        "");
        assertThat(host.call(request)).isInstanceOf(WriteResponse.Executed.class);

        assertThat(HostFixture.failureOf(host.call(request))).isEqualTo(ErrorCode.TIMEOUT);
    }

    private WriteResponse.Executed run(String body) {
        PartitionResponse response = call(body, "");
        assertThat(response).isInstanceOf(WriteResponse.Executed.class);
        return (WriteResponse.Executed) response;
    }

    private String answer(String body) {
        return run(body).body().map(Bytes::toUtf8).orElse("");
    }

    private PartitionResponse.Failed failure(String body) {
        PartitionResponse response = call(body, "");
        assertThat(response).isInstanceOf(PartitionResponse.Failed.class);
        return (PartitionResponse.Failed) response;
    }

    private ItemKey key(String id) {
        return host.key(id, "north");
    }

    private void create(String id, String pk, String more) {
        host.create(host.key(id, pk), "{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\"" + more + "}");
    }

    private String body(String id) {
        return host.find(key(id)).item().body().toUtf8();
    }

    private boolean isThere(String id, String pk) {
        return host.read(host.key(id, pk), 0) instanceof ReadResponse.Found;
    }

    private long head() {
        return ((ControlResponse.Description)
                        host.call(new ControlRequest.Describe(HostFixture.PARTITION)))
                .headLsn();
    }

    @Test
    void argumentsGoInAndTheBodyComesOut() {
        WriteResponse.Executed done =
                (WriteResponse.Executed)
                        call(
                                "function (a, b) { getContext().getResponse().setBody({sum: a.n + b}); }",
                                "[{\"n\":1},2]");
        assertThat(done.body()).contains(Bytes.ofUtf8("{\"sum\":3}"));
        assertThat(answer("function () { __.response.setBody('hello'); }")).isEqualTo("\"hello\"");
        assertThat(run("function () {}").body()).isEmpty();
    }

    @Test
    void aSlashAtTheEndOfALinkByNameBelongsToTheId() {
        create("a", "north", "");
        create("a/", "north", "");

        run("function () { __.deleteDocument(__.getAltLink() + '/docs/' + 'a/'); }");

        assertThat(isThere("a", "north")).isTrue();
        assertThat(isThere("a/", "north")).isFalse();
    }

    @Test
    void everyOperationSeesThoseBeforeItAndAllShareOneLsn() {
        create("old", "north", ",\"n\":1");
        long before = head();

        WriteResponse.Executed done =
                run(
                        """
                        function () {
                            const c = getContext().getCollection();
                            const link = c.getSelfLink();
                            const seen = [];
                            const must = (next) => (err, item, options) => {
                                if (err) throw err;
                                next(item, options);
                            };
                            c.createDocument(link, {id: 'a', pk: 'north', n: 5}, must((a) =>
                            c.readDocument(a._self, must((again) => {
                                seen.push(again.n);
                                again.n = 6;
                                c.replaceDocument(again._self, again, {etag: again._etag}, must((b) =>
                            c.upsertDocument(link, {id: 'u', pk: 'north', n: 7}, must(() =>
                            c.queryDocuments(link, {query: 'SELECT VALUE c.n FROM c WHERE c.n >= @n ORDER BY c.n DESC',
                                                    parameters: [{name: '@n', value: 1}]}, must((rows) => {
                                seen.push(rows);
                            c.deleteDocument(c.getAltLink() + '/docs/old', must(() =>
                            c.queryDocuments(link, 'SELECT VALUE COUNT(1) FROM c', must((count) => {
                                seen.push(count);
                            c.readDocuments(link, {pageSize: 1}, must((page, options) => {
                                seen.push(page.length, typeof options.continuation);
                                getContext().getResponse().setBody(seen);
                            })) })) )) })) )) )) })) ));
                        }""");

        assertThat(done.body().map(Bytes::toUtf8)).contains("[5,[7,6,1],[2],1,\"string\"]");
        assertThat(done.headLsn()).isEqualTo(before + 1);
        assertThat(head()).isEqualTo(before + 1);
        assertThat(body("a")).isEqualTo("{\"id\":\"a\",\"pk\":\"north\",\"n\":6}");
        assertThat(isThere("old", "north")).isFalse();
        assertThat(isThere("u", "north")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw new Error('no');",
                "getContext().abort(new Error('no'));",
                "try { __.abort('no'); } catch (e) {}",
                "__.createDocument(__.getSelfLink(), {id: 'a', pk: 'north'});",
                "__.readDocument(__.getAltLink() + '/docs/none', function (err) { if (err) throw err; });",
                "Promise.reject(new Error('no')); throw 'text';",
                "null.x;"
            })
    void whatThrowsLeavesNothing(String end) {
        long before = head();
        PartitionResponse.Failed failed =
                failure(
                        "function () { __.createDocument(__.getSelfLink(), {id: 'a', pk: 'north'}); "
                                + end
                                + " }");
        assertThat(failed.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failed.charge().ru()).isGreaterThan(3);
        assertThat(isThere("a", "north")).isFalse();
        assertThat(head()).isEqualTo(before);
    }

    @Test
    void anAsyncFunctionThatThrowsLeavesNothing() {
        PartitionResponse.Failed failed =
                failure(
                        """
                        async function () {
                            await new Promise((resolve) =>
                                __.createDocument(__.getSelfLink(), {id: 'a', pk: 'north'}, resolve));
                            throw new Error('late');
                        }""");
        assertThat(failed.text()).contains("late");
        assertThat(isThere("a", "north")).isFalse();
    }

    @Test
    void errorsAreNumberedAndTheScriptMayGoOn() {
        create("a", "north", "");
        assertThat(
                        answer(
                                """
                                function () {
                                    const c = getContext().getCollection();
                                    const numbers = [];
                                    const note = (err) => {
                                        numbers.push(err.number, typeof err.body);
                                        __.response.setBody(numbers);
                                    };
                                    c.createDocument(c.getSelfLink(), {id: 'a', pk: 'north'}, note);
                                    c.readDocument(c.getAltLink() + '/docs/b', note);
                                    c.deleteDocument(c.getAltLink() + '/docs/a', {etag: '"x"'}, note);
                                    c.createDocument(c.getSelfLink(), {id: 'a\\\\b', pk: 'north'}, note);
                                    c.queryDocuments(c.getSelfLink(), 'SELEKT', note);
                                    c.createDocument(c.getSelfLink(), {pk: 'north'},
                                        {disableAutomaticIdGeneration: true}, note);
                                    c.createDocument(c.getSelfLink(), {id: 'z', pk: 'north'},
                                        {indexAction: 'exclude'}, note);
                                }"""))
                .isEqualTo(
                        "[409,\"string\",404,\"string\",412,\"string\",400,\"string\",400,\"string\","
                                + "400,\"string\",400,\"string\"]");
        assertThat(answer("function () { __.response.setBody(ErrorCodes.NotFound); }"))
                .isEqualTo("404");
    }

    @Test
    void idsAreMadeWhereThereAreNone() {
        String id =
                answer(
                        "function () { __.createDocument(__.getSelfLink(), {pk: 'north', n: 1}, {}, "
                                + "function (e, d) { __.response.setBody(d.id); }); }");
        assertThat(isThere(id.replace("\"", ""), "north")).isTrue();
    }

    // ---- Nothing of another key ---------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__.getAltLink() + '/docs'",
                "__.getAltLink() + '/docs/'",
                "__.getSelfLink() + 'docs/'",
                "__.getSelfLink() + 'docs//'",
                "__.getAltLink()",
                "''",
                "'/'"
            })
    void linksThatNameNoItemAreRefused(String link) {
        String script =
                "function () { __.readDocument(%s, (err) => __.response.setBody(err.number)); }";
        assertThat(answer(script.formatted(link))).isIn("400", "404");
    }

    @Test
    void optionsThatAreNoneAreRefusedOrEmpty() {
        create("a", "north", "");
        String read =
                "function () { __.readDocument(__.getAltLink() + '/docs/a', %s,"
                        + " (err, item) => __.response.setBody(item.id)); }";
        assertThat(answer(read.formatted("{toJSON() {}}"))).isEqualTo("\"a\"");
        assertThat(failure(read.formatted("() => 1")).text()).contains("options must be an object");
        assertThat(failure(read.formatted("'x'")).text()).contains("options must be an object");
    }

    @Test
    void itemsOfAnotherKeyAreNotFoundByLink() {
        create("mine", "north", "");
        create("other", "south", "");
        long docid = host.find(host.key("other", "south")).item().docid();
        String rid =
                ResourceId.ofItem(HostFixture.DATABASE, HostFixture.PARTITION.container(), docid)
                        .toString();
        for (String link :
                List.of(
                        "__.getSelfLink() + 'docs/" + rid + "'",
                        "__.getSelfLink() + 'docs/" + rid + "/'",
                        "__.getAltLink() + '/docs/other'")) {
            for (String operation :
                    List.of(
                            "__.readDocument(" + link + ", note)",
                            "__.deleteDocument(" + link + ", note)",
                            "__.replaceDocument(" + link + ", {id: 'other', pk: 'north'}, note)")) {
                assertThat(
                                answer(
                                        "function () { const note = (e) => __.response.setBody(e.number); "
                                                + operation
                                                + "; }"))
                        .isEqualTo("404");
            }
        }
        assertThat(isThere("other", "south")).isTrue();
        assertThat(isThere("other", "north")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.id FROM c",
                "SELECT VALUE c.id FROM c WHERE c.pk = 'south'",
                "SELECT VALUE c.id FROM c WHERE c.id = 'other' OR true",
                "SELECT VALUE c.id FROM c WHERE c.n > 0 ORDER BY c.n",
                "SELECT VALUE c.id FROM c ORDER BY c._ts DESC",
                "SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'south'",
                "SELECT DISTINCT VALUE c.pk FROM c"
            })
    void queriesSeeOneKey(String query) {
        create("mine", "north", ",\"n\":1");
        create("other", "south", ",\"n\":2");
        for (String first :
                List.of("", "__.upsertDocument(__.getSelfLink(), {id:'mine',pk:'north',n:1});")) {
            assertThat(
                            answer(
                                    "function () { "
                                            + first
                                            + "__.queryDocuments(__.getSelfLink(), \""
                                            + query
                                            + "\", (e, rows) => __.response.setBody(rows)); }"))
                    .isIn("[]", "[\"mine\"]", "[0]", "[\"north\"]");
        }
    }

    @Test
    void aForgedContinuationLeadsNowhereElse() {
        create("a", "north", "");
        create("other", "south", "");
        for (String forged : List.of("AAAA", "!", "/////////w==", "c291dGg=")) {
            PartitionResponse response =
                    call(
                            "function (c) { __.readDocuments(__.getSelfLink(), {continuation: c}, "
                                    + "(e, rows) => __.response.setBody(e ? e.number : rows.map(r => r.id))); }",
                            "[\"" + forged + "\"]");
            assertThat(((WriteResponse.Executed) response).body().map(Bytes::toUtf8).orElse(""))
                    .isIn("400", "[]", "[\"a\"]");
        }
    }

    @Test
    void aChangedKeyIsRefused() {
        create("mine", "north", "");
        for (String operation :
                List.of(
                        "__.createDocument(__.getSelfLink(), {id: 'x', pk: 'south'}, note)",
                        "__.createDocument(__.getSelfLink(), {id: 'x'}, note)",
                        "__.upsertDocument(__.getSelfLink(), {id: 'mine', pk: 'south'}, note)",
                        "__.replaceDocument(__.getAltLink() + '/docs/mine', {id: 'mine', pk: 'south'}, note)",
                        "__.replaceDocument(__.getAltLink() + '/docs/mine', {id: 'mine', pk: {a: 'north'}}, note)",
                        "__.createDocument(__.getSelfLink(), '{\"id\":\"x\",\"pk\":\"north\",\"pk\":\"south\"}',"
                                + " note)")) {
            assertThat(
                            answer(
                                    "function () { const note = (e) => __.response.setBody(e && e.number); "
                                            + operation
                                            + "; }"))
                    .isEqualTo("400");
        }
        assertThat(isThere("x", "south")).isFalse();
        assertThat(isThere("mine", "south")).isFalse();
    }

    @Test
    void anotherContainerIsRefused() {
        for (String link :
                List.of(
                        "'dbs/food/colls/big'",
                        "'dbs/food/colls/tiny2/'",
                        "'dbs/AAAAAA==/colls/x/'",
                        "''")) {
            assertThat(
                            answer(
                                    "function () { __.createDocument("
                                            + link
                                            + ", {id: 'x', pk: 'north'}, (e) => __.response.setBody(e.number)); }"))
                    .isEqualTo("400");
        }
    }

    // ---- The rest of the API ------------------------------------------------------------------

    @Test
    void theQueryApiOfTheLanguage() {
        create("a", "north", ",\"n\":3,\"tags\":[\"x\",\"y\"]");
        create("b", "north", ",\"n\":1,\"tags\":[\"z\"]");
        create("c", "north", ",\"n\":2,\"tags\":[]");
        create("other", "south", ",\"n\":9,\"tags\":[\"w\"]");

        assertThat(
                        answer(
                                "function () { __.filter(d => d.n > 1, (e, r) =>"
                                        + " __.response.setBody(r.map(d => d.id))); }"))
                .isEqualTo("[\"a\",\"c\"]");
        assertThat(answer("function () { __.pluck('n'); }")).isEqualTo("[3,1,2]");
        assertThat(answer("function () { __.map(d => d.n * 2); }")).isEqualTo("[6,2,4]");
        assertThat(
                        answer(
                                "function () { __.chain().filter(d => d.n < 3)"
                                        + ".sortByDescending(d => d.n).pluck('id').value(); }"))
                .isEqualTo("[\"c\",\"b\"]");
        assertThat(answer("function () { __.chain().pluck('tags').flatten().value(); }"))
                .isEqualTo("[\"x\",\"y\",\"z\"]");
        assertThat(answer("function () { __.chain().sortBy(d => d.n).map(d => d.id).value(); }"))
                .isEqualTo("[\"b\",\"c\",\"a\"]");
        assertThat(
                        answer(
                                "function () { __.unwind(d => d.tags, (d, t) => d.id + t, {},"
                                        + " (e, r) => __.response.setBody(r)); }"))
                .isEqualTo("[\"ax\",\"ay\",\"bz\"]");
        assertThat(
                        answer(
                                "function () { __.response.setBody(__.filter(d => true, () => {}).isAccepted); }"))
                .isEqualTo("true");
        assertThat(
                        answer(
                                """
                                function () {
                                    const ids = [];
                                    const next = (continuation) =>
                                        __.filter(d => d.n !== 1, {pageSize: 1, continuation}, (e, page, options) => {
                                            ids.push(page.map(d => d.id));
                                            if (options.continuation) next(options.continuation);
                                            else __.response.setBody(ids);
                                        });
                                    next();
                                }"""))
                .isEqualTo("[[\"a\"],[\"c\"]]");
    }

    /** One query of a script after another, over what it wrote itself. */
    @Test
    void queriesCallFunctions() {
        assertThat(
                        answer(
                                """
                                function () {
                                    __.createDocument(__.getSelfLink(), {id: '1', pk: 'north', n: 4});
                                    const ask = (query, next) =>
                                        __.queryDocuments(__.getSelfLink(), query, (e, rows) =>
                                            next(e ? e.message : rows));
                                    ask('SELECT VALUE udf.twice(c.n) FROM c', (first) =>
                                        ask('SELECT VALUE udf.twice(udf.twice(c.n)) FROM c WHERE udf.twice(c.n) = 8',
                                            (second) => ask('SELECT VALUE udf.bad(c.n) FROM c', (third) =>
                                                __.response.setBody([first, second, /no/.test(third)]))));
                                }"""))
                .isEqualTo("[[8],[16],true]");
    }

    @Test
    void aFunctionThatDoesNotEndEndsItsScript() {
        host.create(key("1"), "{\"id\":\"1\",\"pk\":\"north\"}");
        host.restart(HostFixture.scriptLimits(Duration.ofSeconds(2)));
        // On a machine so slow that no query is accepted any more, it does not end by itself
        // either.
        PartitionResponse.Failed over =
                failure(
                        """
                        function () {
                            const endless = () => { while (true) {} };
                            __.createDocument(__.getSelfLink(), {id: '2', pk: 'north'});
                            if (!__.queryDocuments(__.getSelfLink(), 'SELECT VALUE udf.endless(c.id) FROM c', endless))
                                endless();
                        }""");
        assertThat(over.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(isThere("2", "north")).isFalse();
    }

    @Test
    void aScriptIsToldToStopBeforeItMust() {
        WriteResponse.Executed done =
                run(
                        """
                        function () {
                            let made = 0;
                            const text = 'x'.repeat(100000);
                            (function next() {
                                const isAccepted = __.createDocument(__.getSelfLink(),
                                    {id: String(made), pk: 'north', text}, (e) => { if (e) throw e; made++; next(); });
                                if (!isAccepted) __.response.setBody(made);
                            })();
                        }""");
        int made = Integer.parseInt(done.body().map(Bytes::toUtf8).orElse(""));
        assertThat(made).isBetween(10, 41);
        assertThat(isThere(String.valueOf(made - 1), "north")).isTrue();
        assertThat(isThere(String.valueOf(made), "north")).isFalse();
    }

    @Test
    void aScriptCannotSpendMoreThanThePartitionHas() {
        host.restart(HostFixture.scriptLimits(Duration.ofSeconds(100)));
        host.call(
                new ControlRequest.SetBudget(
                        HostFixture.PARTITION,
                        new Budget(5, true, Budget.Extras.NONE, Optional.empty())));
        WriteResponse.Executed done =
                run(
                        """
                        function () {
                            let made = 0;
                            while (__.createDocument(__.getSelfLink(), {id: String(made), pk: 'north'})) made++;
                            __.response.setBody(made);
                        }""");
        // A hundred seconds of 5 RU/s, at 5.71 RU an item.
        assertThat(done.body()).contains(Bytes.ofUtf8("88"));
        assertThat(done.charge().ru()).isCloseTo(0.75 * 88 * 5.714, within(1.0));
    }

    @Test
    void consoleAndBodyParts() {
        WriteResponse.Executed done =
                run(
                        """
                        function () {
                            console.log('a', 1, {b: 2});
                            console.error('c');
                            console.log('%s has %d%%, %j of', 'x', '50', ['y'], {z: 1});
                            console.log('%s and %s', 'one');
                            console.log('100 %s');
                            __.response.setBody('x');
                            __.response.appendBody('y');
                            __.response.setValue('k', 3);
                            __.response.appendBody(__.response.getValue('k'));
                            __.response.appendValue('Body', 'z');
                            __.response.appendValue('l', 4);
                            __.response.appendValue('l', 'm');
                            __.response.appendBody(__.response.getValue('l'));
                        }""");
        assertThat(done.log())
                .isEqualTo("a 1 {\"b\":2}\nc\nx has 50%, [\"y\"] of {\"z\":1}\none and %s\n100 %s");
        assertThat(done.body()).contains(Bytes.ofUtf8("\"xy3z4m\""));
    }

    @Test
    void emptyLinesOfTheConsoleCount() {
        assertThat(run("function () { console.log(''); console.log('x'); }").log())
                .isEqualTo("\nx");
        assertThat(run("function () {}").log()).isEmpty();
    }

    @Test
    void aScriptCostsThreeQuartersOfWhatItDid() {
        create("a", "north", "");
        double read = RequestCharge.read(500).ru();
        assertThat(
                        run("function () { __.readDocument(__.getAltLink() + '/docs/a'); }")
                                .charge()
                                .ru())
                .isCloseTo(0.75 * read, within(1e-9));
        assertThat(run("function () {}").charge().ru()).isEqualTo(1.0);
    }

    @Test
    void namesInTheAnswerAreThoseOfTheLog() throws InterruptedException {
        String body =
                """
                function () {
                    __.createDocument(__.getSelfLink(), {id: 'a', pk: 'north'}, (e, d) => {
                        __.response.setBody(d);
                        const until = Date.now() + 300;
                        while (Date.now() < until) {}
                    });
                }""";
        Thread others =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; i < 50; i++) {
                                        create("o" + i, "south", "");
                                    }
                                });
        String answer = answer(body);
        others.join();
        ReadResponse.Found found = host.find(key("a"));
        assertThat(answer)
                .contains(found.item().etag().quoted().replace("\"", "\\\""))
                .contains(
                        ResourceId.ofItem(
                                        HostFixture.DATABASE,
                                        HostFixture.PARTITION.container(),
                                        found.item().docid())
                                .toString());
    }

    @Test
    void functionsThatItWasNotToldOfAreAskedFor() {
        String query = "__.queryDocuments(__.getSelfLink(), 'SELECT VALUE udf.NAME(c.n) FROM c')";
        String caught =
                "function () { try { "
                        + query
                        + "; } catch (e) { __.response.setBody(e.number); } }";
        assertThat(call(caught.replace("NAME", "elsewhere"), ""))
                .isInstanceOfSatisfying(
                        WriteResponse.FunctionsNeeded.class,
                        needed -> assertThat(needed.names()).containsExactly("elsewhere"));
        assertThat(call(caught.replace("NAME", "nowhere"), ""))
                .isInstanceOfSatisfying(
                        WriteResponse.Executed.class,
                        done -> assertThat(done.body()).contains(Bytes.ofUtf8("400")));
    }
}
