package orrery.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Scripts that try to get out, to stay, or to take too much. */
class SandboxTest {
    private static final ScriptFixture SCRIPTS = new ScriptFixture();

    @AfterAll
    static void close() {
        SCRIPTS.close();
    }

    private static ScriptLimits limits(Duration time, long statements, long bytes) {
        return new ScriptLimits(time, statements, bytes, 4 << 20, 4096, 2, 2);
    }

    private static ScriptFixture within(Duration time, long statements, long bytes) {
        return new ScriptFixture(limits(time, statements, bytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Java",
                "Packages",
                "Polyglot",
                "Graal",
                "load",
                "loadWithNewGlobal",
                "print",
                "require",
                "process",
                "fetch",
                "XMLHttpRequest",
                "WebSocket",
                "Worker",
                "SharedArrayBuffer",
                "Atomics",
                "WebAssembly",
                "BigInt",
                "Proxy",
                "setTimeout",
                "quit",
                "read",
                "readFully"
            })
    void nothingOfTheHostIsThere(String name) {
        assertThat(
                        SCRIPTS.answer(
                                "function () { getContext().getResponse().setBody(typeof "
                                        + name
                                        + "); }"))
                .isEqualTo("\"undefined\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Classes of the host, from whatever object of it can be had.
                "getContext.constructor('return this')().java.lang.System.exit(3)",
                "getContext.getClass().forName('java.lang.Runtime')",
                "Object.getPrototypeOf(console.log).getClass()",
                "Java.type('java.io.File')",
                "Polyglot.eval('js', '1')",
                "new java.net.Socket('localhost', 8081)",
                "load('/etc/passwd')",
                "load('http://localhost:8081/')",
                "new java.lang.Thread(function () {}).start()",
                "2n ** 3n"
            })
    void whatReachesOutFails(String expression) {
        OrreryException failure = SCRIPTS.failure("function () { " + expression + "; }");
        assertThat(failure.code()).isIn(ErrorCode.SCRIPT_FAILED, ErrorCode.SCRIPT_NOT_COMPILED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/etc/passwd", "fs", "file:///etc/passwd", "http://localhost:8081/x.mjs"})
    void modulesAreNotLoaded(String module) {
        OrreryException failure =
                SCRIPTS.failure("async function run() { await import('" + module + "'); }");
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
    }

    @Test
    void runsDoNotSeeEachOther() {
        SCRIPTS.run(
                "function () { globalThis.left = 1; Array.prototype.push = null; JSON.parse = null; }");
        assertThat(
                        SCRIPTS.answer(
                                "function () { __.response.setBody([typeof left, typeof [].push, typeof"
                                        + " JSON.parse]); }"))
                .isEqualTo("[\"undefined\",\"function\",\"function\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (true) {}",
                "try { while (true) {} } catch (e) {} finally { while (true) {} }",
                "/^(a+)+\\\\1$/.test('a'.repeat(60) + 'b')",
                "[3, 1, 2].sort(function () { while (true) {} })",
                "(function again() { Promise.resolve().then(again); })()",
                "for (const x of (function* () { while (true) { yield 1; } })()) {}"
            })
    void endsWhenItsTimeIsOver(String endless) {
        try (ScriptFixture scripts = within(Duration.ofMillis(300), 1L << 60, 1L << 40)) {
            OrreryException failure =
                    scripts.failure("function () { " + endless.replace("\\\\", "\\") + "; }");
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure.text()).contains("exceeded maximum alloted time");
        }
    }

    /** In its preparations, in its first line, or anywhere else. */
    @Test
    void isToldSoWhereverItsTimeEnds() {
        String endless = "function f() { while (true) { g(); } }\nfunction g() { return [1]; }";
        for (int micros = 0; micros < 60_000; micros += 500) {
            OrreryException failure =
                    SCRIPTS.failure(Duration.of(micros, ChronoUnit.MICROS), endless);
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    @Test
    void callbacksThatNeverEndAreStoppedToo() {
        ScriptHost always = (operation, link, body, options) -> new ScriptHost.Reply.Done("{}");
        try (ScriptFixture scripts = within(Duration.ofMillis(300), 1L << 60, 1L << 40)) {
            OrreryException failure =
                    catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    scripts.run(
                                            always,
                                            "function f() { __.readDocument('x', {}, f); }"));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    @Test
    void endsWhenNobodyWaitsForIt() {
        Cancellation cancellation = new Cancellation();
        ScriptHost leaving =
                (operation, link, body, options) -> {
                    cancellation.cancel();
                    return new ScriptHost.Reply.Done("{}");
                };
        try (ScriptFixture scripts = within(ScriptFixture.TIME, 1L << 60, 1L << 40)) {
            OrreryException failure =
                    catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    cancellation.during(
                                            () ->
                                                    scripts.run(
                                                            leaving,
                                                            "function f() { __.readDocument('x',"
                                                                    + " {}, function () { while"
                                                                    + " (true) {} }); }")));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure.text()).contains("nobody waits");
            // Its thread is free for the next.
            assertThat(scripts.answer("function () { __.response.setBody(1); }")).isEqualTo("1");
        }
    }

    @Test
    void whatCannotBeStoppedHoldsNobodyUp() {
        CountDownLatch released = new CountDownLatch(1);
        ScriptHost deaf =
                (operation, link, body, options) -> {
                    while (!isReleased(released)) {
                        // Interrupted: as deaf as a built-in function of the engine.
                    }
                    return new ScriptHost.Reply.NotAccepted();
                };
        try (ScriptFixture scripts =
                new ScriptFixture(
                        new ScriptLimits(
                                Duration.ofSeconds(1), 1L << 60, 1L << 40, 100, 100, 1, 1))) {
            OrreryException failure =
                    catchThrowableOfType(
                            OrreryException.class,
                            () -> scripts.run(deaf, "function () { __.readDocument('x'); }"));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(
                            scripts.engine.call(
                                    ScriptFixture.CONTAINER, Duration.ofMinutes(1), () -> true))
                    .isTrue();
        } finally {
            released.countDown();
        }
    }

    private static boolean isReleased(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException again) {
            return false;
        }
    }

    @Test
    void statementsAreCounted() {
        try (ScriptFixture scripts = within(ScriptFixture.TIME, 100_000, 1L << 40)) {
            OrreryException failure = scripts.failure("function () { while (true) {} }");
            assertThat(failure.code()).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(failure.text()).contains("statements");
            assertThat(scripts.answer("function () { __.response.setBody(1); }")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const a = []; while (true) { a.push(new Array(1000).fill(a.length)); }",
                "const a = []; while (true) { a.push('x'.repeat(100000) + a.length); }",
                "let a = [1]; while (true) { a = a.concat(a); }",
                "const a = []; while (true) { a.push(new Uint8Array(1000000)); }",
                "const a = {}; let i = 0; while (true) { a['k' + i++] = {}; }",
                "const a = new Array(9000000); while (true) { a.push(a.slice()); }"
            })
    void memoryIsBounded(String greedy) {
        try (ScriptFixture scripts = within(ScriptFixture.TIME, 1L << 60, 64 << 20)) {
            OrreryException failure = scripts.failure("function () { " + greedy + " }");
            assertThat(failure.code()).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(failure.text()).contains("memory");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x'.repeat(1000000000)",
                "let s = 'x'; while (true) { s += s; }",
                "new Array(1000000000).join('x')",
                "new ArrayBuffer(2000000000)",
                "new Float64Array(2000000000)",
                "(function f() { f(); })()",
                "Array.from({ length: 1000000000 })",
                "new Array(1000000000).fill(0)",
                "new Array(4000000000).sort()",
                "Array.prototype.indexOf.call({ length: 9007199254740991 }, 1)",
                "Array.prototype.slice.call({ get length() { return 5; } })",
                "Math.max.apply(null, { length: 1000000000 })",
                "const f = () => 1; Object.defineProperty(f, 'length', { value: 1e15 });"
                        + " Array.prototype.indexOf.call(f, 1)",
                "Array.prototype.indexOf.call(Object.create({ length: 1e15 }), 1)",
                "Number.prototype.length = 1e15; Array.prototype.indexOf.call(5, 1)",
                "let n = 0; Array.prototype.indexOf.call("
                        + "{ length: { valueOf() { return n++ > 0 ? 1e15 : 1; } } }, 1)",
                "Array.prototype.indexOf.call({ length: 9000000 }, 1)",
                "Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length',"
                        + " { get() { return 1e15; } });"
                        + " Array.prototype.indexOf.call(new Uint8Array(3), 1)",
                "JSON.stringify({}, new Array(4000000000))",
                "new Uint8Array(2000000)"
            })
    void whatIsSuddenlyLargeIsRefused(String huge) {
        OrreryException failure = SCRIPTS.failure("function () { " + huge + " }");
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failure.text()).contains("RangeError");
    }

    @Test
    void boundedFunctionsStillWork() {
        assertThat(
                        SCRIPTS.answer(
                                """
                                function () {
                                    const copy = Array.prototype.slice.call(arguments, 1);
                                    __.response.setBody([
                                        copy, Array.from('ab'), Math.max.apply(null, copy), [1, 2].indexOf(2),
                                        [...copy].map(x => x + 1), Array.prototype.join.call('xy', '-'), [3, 1].sort()
                                    ]);
                                }""",
                                "1",
                                "2",
                                "3"))
                .isEqualTo("[[2,3],[\"a\",\"b\"],3,1,[3,4],\"x-y\",[1,3]]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{ length: 1 }", "[1]"})
    void aListDoesNotGrowWhileItIsLookedAt(String list) {
        OrreryException failure =
                SCRIPTS.failure(
                        """
                        function () {
                            const list = %s;
                            Object.defineProperty(list, Symbol.iterator, { get() {
                                list.length = 4e9;
                                return undefined;
                            } });
                            Array.from.call(Object, list);
                        }"""
                                .formatted(list));
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failure.text()).contains("must not be a getter");
    }

    @Test
    void resultsAreBounded() {
        OrreryException failure =
                SCRIPTS.failure("function () { __.response.setBody('x'.repeat(5000000)); }");
        assertThat(failure.code()).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void logsAreCutOff() {
        ScriptResult result =
                SCRIPTS.run(
                        "function () { for (let i = 0; i < 1000; i++) console.log('x'.repeat(100)); }");
        assertThat(result.log().orElseThrow()).hasSize(SCRIPTS.engine.limits().logChars());
    }

    @Test
    void errorsNameTheLine() {
        OrreryException failure =
                SCRIPTS.failure(
                        """
                        function outer() {
                            function inner() {
                                throw new Error('boom');
                            }
                            inner();
                        }""");
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failure.text())
                .startsWith(
                        "Encountered exception while executing Javascript. Exception = Error: boom")
                .contains("Stack trace: Error: boom")
                .contains("at inner (sample.js:3:")
                .contains("at outer (sample.js:5:")
                .doesNotContain("api.js");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1, b: [null]}        | {\"a\":1,\"b\":[null]}",
                "[1, 2]                   | [1,2]",
                "{toString() { return 1}} | {}",
                "`text`                   | text",
                "17                       | 17",
                "null                     | null",
                "undefined                | undefined",
                "new TypeError(`no`)      | TypeError: no",
                "(() => { const a = {}; a.a = a; return a; })() | Error",
                "{toJSON() { throw 1; }}  | Error"
            })
    void whatIsThrownIsTold(String thrown, String told) {
        String expected = "Exception = " + told + "\r\nStack trace: " + told + "\n";
        assertThat(SCRIPTS.failure("function f() {\n  throw " + thrown + ";\n}").text())
                .contains(expected)
                .contains("at f (sample.js:2:");
        expected = "Exception = " + told + "\r\n";
        assertThat(SCRIPTS.failure("async () => { throw " + thrown + "; }").text())
                .contains(expected);
        assertThat(
                        SCRIPTS.failure("() => { try { __.abort(" + thrown + "); } catch (e) {} }")
                                .text())
                .contains(expected);
    }

    @Test
    void showingWhatIsThrownIsBoundedToo() {
        try (ScriptFixture scripts = within(Duration.ofSeconds(1), 1L << 60, 1L << 40)) {
            assertThat(scripts.failure("() => { throw {toJSON() { while (true) {} }}; }").code())
                    .isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    @Test
    void faultyTextIsNotCompiled() {
        OrreryException failure = SCRIPTS.failure("function a() {\n  return ) 1;\n}");
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_NOT_COMPILED);
        assertThat(failure.text()).contains("SyntaxError").contains("sample.js:2:");
    }

    @Test
    void whatIsWrongInAFunctionWithoutNameIsNamed() {
        OrreryException failure = SCRIPTS.failure("function () {\n  const x = 1;\n  var y = ;\n}");
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_NOT_COMPILED);
        assertThat(failure.text()).contains("sample.js:3:").doesNotContain("ident");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JSON.parse('{')", "eval('var 1')", "new RegExp('(')"})
    void syntaxErrorsThatAScriptThrowsAreItsFailures(String faulty) {
        OrreryException failure = SCRIPTS.failure("function f() {\n  " + faulty + ";\n}");
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failure.text()).contains("SyntaxError").contains("at f (sample.js:2:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function f(x) { __.response.setBody(x + 1); }",
                "function (x) { __.response.setBody(x + 1); };",
                "x => __.response.setBody(x + 1)",
                "async function f(x) { await null; __.response.setBody(x + 1); }",
                "// a comment\nfunction f(x) { __.response.setBody(plus(x)); }\nfunction plus(x) { return x + 1; }",
                "/* a\n comment */ function f(x) { __.response.setBody(x + 1); } // the end"
            })
    void aScriptIsAFunctionInAnyOfItsForms(String body) {
        assertThat(SCRIPTS.answer(body, "41")).isEqualTo("42");
    }

    @Test
    void whatIsNoFunctionIsRefused() {
        assertThat(SCRIPTS.failure("42").code()).isEqualTo(ErrorCode.SCRIPT_NOT_COMPILED);
        assertThat(SCRIPTS.failure("var x = 1; function f() {}").code())
                .isEqualTo(ErrorCode.SCRIPT_NOT_COMPILED);
    }

    @Test
    void aScriptIsCompiledOnce() {
        try (ScriptFixture scripts = new ScriptFixture()) {
            for (int i = 0; i < 10; i++) {
                scripts.run("function () {}");
            }
            assertThat(scripts.engine.compiled()).isEqualTo(1);
        }
    }

    @Test
    void tooManyAtOnceAreRefused() throws InterruptedException {
        ScriptLimits limits =
                new ScriptLimits(ScriptFixture.TIME, 1L << 60, 1L << 40, 100, 100, 1, 1);
        try (ScriptFixture scripts = new ScriptFixture(limits)) {
            CountDownLatch began = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            AtomicReference<String> waited = new AtomicReference<>("");
            Thread running =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            scripts.engine.call(
                                                    ScriptFixture.CONTAINER,
                                                    ScriptFixture.TIME,
                                                    () -> {
                                                        began.countDown();
                                                        return await(end);
                                                    }));
            began.await();
            // One waits for the only thread; which of the next two that is, they decide.
            Runnable next =
                    () -> {
                        try {
                            scripts.engine.call(
                                    ScriptFixture.CONTAINER, ScriptFixture.TIME, () -> true);
                        } catch (OrreryException refusal) {
                            waited.set(refusal.code().name());
                            end.countDown();
                        }
                    };
            Thread second = Thread.ofVirtual().start(next);
            Thread third = Thread.ofVirtual().start(next);
            running.join();
            second.join();
            third.join();
            assertThat(waited).hasValue(ErrorCode.TOO_MANY_SCRIPTS.name());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "function () { let = = 1; }|Expected an operand but found = at sample.js:1:21",
                "function () {|The script ends too early.",
                "function f() {|Expected } but found eof at sample.js:1:15",
            })
    void aSyntaxErrorIsPlacedInTheScriptItself(String body, String text) {
        assertThat(SCRIPTS.failure(body).text())
                .isEqualTo(
                        "Encountered exception while compiling Javascript. Exception ="
                                + " SyntaxError: "
                                + text);
    }

    /** A host ends scripts on purpose too, for instance to fetch functions that they call. */
    @Test
    void whatTheHostThrowsEndsTheScriptAndIsNotLogged() {
        Logger log = Logger.getLogger(ScriptErrors.class.getName());
        List<String> said = new ArrayList<>();
        log.setFilter(record -> !said.add(record.getMessage()));
        try {
            RuntimeException thrown = new UnsupportedOperationException("on purpose");
            assertThatThrownBy(
                            () ->
                                    SCRIPTS.run(
                                            (_, _, _, _) -> {
                                                throw thrown;
                                            },
                                            "function () { try { getContext().getCollection()"
                                                    + ".queryDocuments('', 'SELECT * FROM c',"
                                                    + " function () {}); } catch (e) { } }"))
                    .isSameAs(thrown);
            assertThat(said).isEmpty();
        } finally {
            log.setFilter(null);
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
