package orrery.script;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.model.ScriptSource;

/** Runs scripts against a host that is given, or against one that has nothing. */
final class ScriptFixture implements AutoCloseable {
    /** A limit that no script here reaches, on any machine. */
    static final Duration TIME = Duration.ofMinutes(5);

    static final int CONTAINER = 1;

    final ScriptEngine engine;

    ScriptFixture() {
        this(limits());
    }

    ScriptFixture(ScriptLimits limits) {
        engine = new ScriptEngine(limits);
    }

    /** The usual ones, but for the time: only tests of it are to depend on the machine. */
    static ScriptLimits limits() {
        ScriptLimits usual = ScriptLimits.standard(2);
        return new ScriptLimits(
                TIME,
                usual.statements(),
                usual.allocatedBytes(),
                usual.resultBytes(),
                usual.logChars(),
                usual.threads(),
                usual.waiting());
    }

    ScriptResult run(String body, String... arguments) {
        return run(NOTHING, body, arguments);
    }

    ScriptResult run(ScriptHost host, String body, String... arguments) {
        return run(
                host,
                body,
                "Execute",
                Optional.empty(),
                Optional.empty(),
                List.of(arguments).stream().map(JsonText::parse).toList());
    }

    ScriptResult run(
            ScriptHost host,
            String body,
            String operation,
            Optional<Value> request,
            Optional<Value> response,
            List<Value> arguments) {
        return run(TIME, host, body, operation, request, response, arguments);
    }

    private ScriptResult run(
            Duration time,
            ScriptHost host,
            String body,
            String operation,
            Optional<Value> request,
            Optional<Value> response,
            List<Value> arguments) {
        ScriptCall call =
                new ScriptCall(
                        new ScriptSource("sample", 1, body),
                        new Value.Array(arguments),
                        operation,
                        request,
                        response,
                        "dbs/AAAA/colls/BBBB/",
                        "dbs/db/colls/coll");
        return engine.call(CONTAINER, TIME, () -> engine.run(call, host, time));
    }

    /** The response's body, as JSON. */
    String answer(String body, String... arguments) {
        return run(body, arguments).responseBody().orElse("");
    }

    OrreryException failure(String body) {
        return catchThrowableOfType(OrreryException.class, () -> run(body));
    }

    /** Returns the failure of a script that has this much time. */
    OrreryException failure(Duration time, String body) {
        return catchThrowableOfType(
                OrreryException.class,
                () ->
                        run(
                                time,
                                NOTHING,
                                body,
                                "Execute",
                                Optional.empty(),
                                Optional.empty(),
                                List.of()));
    }

    static final ScriptHost NOTHING =
            (operation, link, body, options) ->
                    new ScriptHost.Reply.Failed(404, "Resource Not Found.");

    @Override
    public void close() {
        engine.close();
    }
}
