package orrery.script;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Source;
import orrery.document.BsonValue;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ScriptSource;

/**
 * User-defined functions that a query calls, often, in one sandbox. Used by the thread that opened
 * it, which must be one of the script engine's; see {@link ScriptEngine#call}.
 */
public final class FunctionSandbox implements AutoCloseable {
    /** Makes of each result what needs no second look at its type. */
    private static final Source WRAPPER =
            Source.newBuilder(
                            "js",
                            """
                            (function () {
                                const stringify = JSON.stringify;
                                return (main) => (...args) => {
                                    const result = main(...args);
                                    switch (typeof result) {
                                        case 'undefined': return 'u';
                                        case 'string': return 's' + result;
                                        case 'number': return result;
                                        case 'boolean': return result;
                                        case 'object': {
                                            const json = stringify(result);
                                            return result === null ? 'n' : json === undefined ? 'u' : 'j' + json;
                                        }
                                        default: return 'u';
                                    }
                                };
                            })()
                            """,
                            "functions.js")
                    .internal(true)
                    .buildLiteral();

    private static final Source PARSE =
            Source.newBuilder("js", "JSON.parse", "parse.js").internal(true).buildLiteral();
    private static final Source UNDEFINED =
            Source.newBuilder("js", "undefined", "undefined.js").internal(true).buildLiteral();

    private final Sandbox sandbox;
    private final ScriptLimits limits;
    private final Map<String, ScriptSource> sources = new HashMap<>();
    private final Map<String, org.graalvm.polyglot.Value> functions = new HashMap<>();
    private final org.graalvm.polyglot.Value wrapper;
    private final org.graalvm.polyglot.Value parse;
    private final org.graalvm.polyglot.Value undefined;

    FunctionSandbox(Sandbox sandbox, ScriptLimits limits, List<ScriptSource> functions) {
        this.sandbox = sandbox;
        this.limits = limits;
        functions.forEach(each -> sources.put(each.name(), each));
        this.parse = sandbox.eval(PARSE);
        this.undefined = sandbox.eval(UNDEFINED);
        this.wrapper = sandbox.eval(WRAPPER);
    }

    /** Throws SCRIPT_FAILED, or what else ends a script, with the function's own message. */
    public Value call(String name, List<Value> arguments) {
        org.graalvm.polyglot.Value function = functions.get(name);
        if (function == null) {
            function = compile(name);
            functions.put(name, function);
        }
        org.graalvm.polyglot.Value callee = function;
        return sandbox.run(
                () -> {
                    Object[] given = new Object[arguments.size()];
                    for (int i = 0; i < given.length; i++) {
                        given[i] = toScript(arguments.get(i));
                    }
                    return toValue(callee.execute(given));
                });
    }

    private org.graalvm.polyglot.Value compile(String name) {
        ScriptSource source = sources.get(name);
        if (source == null) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "'udf." + name + "' is not a user-defined function.");
        }
        org.graalvm.polyglot.Value main = sandbox.function(source);
        return sandbox.run(() -> wrapper.execute(main));
    }

    /** JavaScript knows doubles only, so integers beyond 2^53 are rounded. */
    private Object toScript(Value value) {
        return switch (value) {
            case Value.Undefined _ -> undefined;
            case Value.Null _ -> parse.execute("null");
            case Value.Bool(boolean bool) -> bool;
            case Value.Int(long number) -> (double) number;
            case Value.Real(double number) -> number;
            case Value.Text(String text) -> text;
            case Value.Array _, Value.Obj _, BsonValue _ -> parse.execute(JsonText.write(value));
        };
    }

    private Value toValue(org.graalvm.polyglot.Value result) {
        if (result.isBoolean()) {
            return Value.of(result.asBoolean());
        }
        if (result.isNumber()) {
            double number = result.asDouble();
            return Double.isFinite(number) ? Value.of(number) : Value.Undefined.UNDEFINED;
        }
        String text = result.asString();
        if (text.length() > limits.resultBytes()) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE, "A user-defined function returned more than it may.");
        }
        return switch (text.charAt(0)) {
            case 's' -> Value.of(text.substring(1));
            case 'j' -> JsonText.parse(text.substring(1));
            case 'n' -> Value.Null.NULL;
            default -> Value.Undefined.UNDEFINED;
        };
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
