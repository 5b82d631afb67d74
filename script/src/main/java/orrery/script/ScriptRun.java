package orrery.script;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** One run of a stored procedure or trigger in its sandbox, until no callback waits any more. */
final class ScriptRun {
    private final ScriptCall call;
    private final ScriptHost host;
    private final ScriptLimits limits;
    private final StringBuilder log = new StringBuilder();
    private boolean hasLogged;

    /** The failure that ends the script even if the script caught it. */
    private @Nullable RuntimeException fatal;

    ScriptRun(ScriptCall call, ScriptHost host, ScriptLimits limits) {
        this.call = call;
        this.host = host;
        this.limits = limits;
    }

    ScriptResult run(Sandbox sandbox, Value api) {
        try {
            Value steps = sandbox.run(() -> api.execute(operations(), console(), input(api)));
            Value main = sandbox.function(call.source());
            sandbox.run(() -> steps.invokeMember("start", main));
            while (!sandbox.run(() -> steps.invokeMember("isDone").asBoolean())) {
                sandbox.run(() -> steps.invokeMember("proceed"));
            }
            Optional<String> request = sandbox.run(() -> text(steps.invokeMember("request")));
            Optional<String> response = sandbox.run(() -> text(steps.invokeMember("response")));
            throwIfFatal();
            return new ScriptResult(
                    request, response, hasLogged ? Optional.of(log.toString()) : Optional.empty());
        } catch (OrreryException failure) {
            throwIfFatal();
            throw failure;
        }
    }

    private void throwIfFatal() {
        if (fatal != null) {
            throw fatal;
        }
    }

    private Optional<String> text(Value body) {
        if (body.isNull()) {
            return Optional.empty();
        }
        String text = body.asString();
        if (text.getBytes(StandardCharsets.UTF_8).length > limits.resultBytes()) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "The script's result is larger than the "
                            + limits.resultBytes()
                            + " bytes that a script may return.");
        }
        return Optional.of(text);
    }

    private ProxyExecutable operations() {
        return arguments -> {
            try {
                ScriptHost.Reply reply =
                        host.call(
                                arguments[0].asString(),
                                arguments[1].asString(),
                                arguments[2].isNull() ? null : arguments[2].asString(),
                                arguments[3].asString());
                return switch (reply) {
                    case ScriptHost.Reply.Done(String json) -> "+" + json;
                    case ScriptHost.Reply.Failed(int number, String text) ->
                            "-" + failure(number, text);
                    case ScriptHost.Reply.NotAccepted _ -> null;
                };
            } catch (RuntimeException failure) {
                fatal = failure;
                throw failure;
            }
        };
    }

    private ProxyExecutable console() {
        return arguments -> {
            String line = (hasLogged ? "\n" : "") + arguments[0].asString();
            hasLogged = true;
            int room = limits.logChars() - log.length();
            log.append(line, 0, Math.min(line.length(), room));
            return null;
        };
    }

    private static String failure(int number, String text) {
        Map<String, orrery.document.Value> members = new LinkedHashMap<>();
        members.put("number", orrery.document.Value.of((long) number));
        members.put("body", orrery.document.Value.of(text));
        return JsonText.write(new orrery.document.Value.Obj(members));
    }

    /**
     * Makes an object of the sandbox, because an object from outside would look foreign to the
     * script.
     */
    private Value input(Value api) {
        Map<String, orrery.document.Value> members = new LinkedHashMap<>();
        members.put("arguments", call.arguments());
        members.put("operationType", orrery.document.Value.of(call.operationType()));
        members.put("selfLink", orrery.document.Value.of(call.selfLink()));
        members.put("altLink", orrery.document.Value.of(call.altLink()));
        call.requestBody().ifPresent(body -> members.put("requestBody", body));
        call.responseBody().ifPresent(body -> members.put("responseBody", body));
        return api.getContext()
                .getBindings("js")
                .getMember("JSON")
                .invokeMember("parse", JsonText.write(new orrery.document.Value.Obj(members)));
    }
}
