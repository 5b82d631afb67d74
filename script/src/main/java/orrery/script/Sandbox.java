package orrery.script;

import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ScriptSource;
import orrery.script.SourceCache.Compiled;

/**
 * A world of its own for one run: globals that nobody else sees, no way out, and a guard. Used by
 * the thread that opened it.
 */
final class Sandbox implements AutoCloseable {
    /**
     * One string or array of numbers; larger ones would come too suddenly for the watchdog. Each
     * character and each number is a key as well, and all keys are made in one step, of some 130
     * bytes each.
     */
    private static final int MAX_STRING_CHARS = 5 << 20;

    private static final int MAX_TYPED_ARRAY_LENGTH = 1 << 20;

    private static final Source BOUNDS = Resources.source("bounds.js");

    private static final Pattern DECLARATION =
            Pattern.compile(
                    "\\A(?:\\s|//[^\\n]*\\n|/\\*.*?\\*/|\"use strict\";|'use strict';)*+"
                            + "(?:async\\s+)?function\\s*\\*?\\s*([\\p{L}_$][\\p{L}\\p{N}_$]*)",
                    Pattern.DOTALL);

    private final Context context;
    private final Watchdog.Guard guard;
    private final SourceCache sources;

    Sandbox(Engine engine, SourceCache sources, Watchdog watchdog, ScriptLimits limits) {
        this.sources = sources;
        context = context(engine, limits.statements());
        guard = watchdog.guard(context, limits);
        try {
            run(() -> context.eval(BOUNDS).execute());
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /** Not guarded yet. */
    static Context context(Engine engine, long statements) {
        return Context.newBuilder("js")
                .engine(engine)
                .allowHostAccess(HostAccess.NONE)
                .allowPolyglotAccess(PolyglotAccess.NONE)
                .allowEnvironmentAccess(EnvironmentAccess.NONE)
                .allowIO(IOAccess.NONE)
                .allowCreateThread(false)
                .allowCreateProcess(false)
                .allowNativeAccess(false)
                // The bounds below are experimental options; scripts cannot set options.
                .allowExperimentalOptions(true)
                .option("js.string-length-limit", String.valueOf(MAX_STRING_CHARS))
                .option("js.max-typed-array-length", String.valueOf(MAX_TYPED_ARRAY_LENGTH))
                // A power of two big integers runs for hours and cannot be stopped.
                .option("js.bigint", "false")
                .option("js.shared-array-buffer", "false")
                .option("js.atomics", "false")
                .option("js.load", "false")
                .option("js.print", "false")
                .option("js.console", "false")
                .option("js.graal-builtin", "false")
                .option("js.polyglot-builtin", "false")
                .option("js.disable-eval", "false")
                .resourceLimits(
                        ResourceLimits.newBuilder().statementLimit(statements, null).build())
                .build();
    }

    /** Runs code of this context; what goes wrong in it is told in the service's form. */
    <T> T run(Supplier<T> work) {
        try {
            return work.get();
        } catch (PolyglotException failure) {
            throw ScriptErrors.of(failure, guard);
        } catch (IllegalStateException closed) {
            // Between two steps of a script its context may have been closed under it.
            throw guard.reason().map(ScriptErrors::stopped).orElseThrow(() -> closed);
        }
    }

    Value eval(Source source) {
        return run(() -> context.eval(source));
    }

    /** The function that a script consists of. */
    Value function(ScriptSource script) {
        Compiled compiled = compile(script);
        return run(
                () -> {
                    Value result = context.eval(compiled.source());
                    Value function =
                            compiled.function() == null
                                    ? result
                                    : context.getBindings("js").getMember(compiled.function());
                    if (function == null || !function.canExecute()) {
                        throw new OrreryException(
                                ErrorCode.SCRIPT_NOT_COMPILED,
                                "The body of " + script.name() + " is not a JavaScript function.");
                    }
                    return function;
                });
    }

    /**
     * Most scripts are one function, which may lack a name; some declare others beside it, and then
     * the first is the one that is called.
     */
    Compiled compile(ScriptSource script) {
        Compiled known = sources.find(script.name(), script.body());
        if (known != null) {
            return known;
        }
        Compiled compiled;
        try {
            compiled = parsed(script, "(" + bare(script.body()) + "\n)", false);
        } catch (OrreryException notAnExpression) {
            // An error inside a function without a name must not be reported as a missing name.
            if (notAnExpression.code() != ErrorCode.SCRIPT_NOT_COMPILED
                    || !DECLARATION.matcher(script.body()).find()) {
                throw notAnExpression;
            }
            compiled = parsed(script, " " + script.body(), true);
        }
        sources.put(script.name(), script.body(), compiled);
        return compiled;
    }

    private Compiled parsed(ScriptSource script, String text, boolean isDeclared) {
        Source source = Source.newBuilder("js", text, script.name() + ".js").buildLiteral();
        run(() -> parse(source));
        if (!isDeclared) {
            return new Compiled(source, null);
        }
        Matcher declaration = DECLARATION.matcher(script.body());
        if (!declaration.find()) {
            throw new IllegalStateException("no declaration was found where there was one");
        }
        return new Compiled(source, declaration.group(1));
    }

    /** A script can throw syntax errors of its own, which are failures like any other. */
    private Value parse(Source source) {
        try {
            return context.parse(source);
        } catch (PolyglotException failure) {
            throw failure.isSyntaxError() ? ScriptErrors.notCompiled(failure) : failure;
        }
    }

    private static String bare(String body) {
        int end = body.length();
        while (end > 0 && (body.charAt(end - 1) == ';' || body.charAt(end - 1) <= ' ')) {
            end--;
        }
        return body.substring(0, end);
    }

    @Override
    public void close() {
        guard.close();
        try {
            context.close(true);
        } catch (PolyglotException stopped) {
            if (!stopped.isCancelled()) {
                throw stopped;
            }
            // The watchdog had the same thought.
        }
    }
}
