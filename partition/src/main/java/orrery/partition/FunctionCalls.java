package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.ScriptSource;
import orrery.query.Statement;
import orrery.query.evaluate.UserFunctions;
import orrery.script.FunctionSandbox;
import orrery.script.ScriptEngine;

/**
 * Lets queries call functions of users, in a sandbox of their own that is opened by the first call.
 * Used by one thread, on which scripts may run.
 */
final class FunctionCalls implements UserFunctions, AutoCloseable {
    private final ScriptEngine scripts;
    private final List<ScriptSource> sources;
    private final Supplier<Duration> time;
    private @Nullable FunctionSandbox open;

    /**
     * @param sources of all that may be called
     * @param time that the calls may take together, asked at the first
     */
    FunctionCalls(ScriptEngine scripts, List<ScriptSource> sources, Supplier<Duration> time) {
        this.scripts = scripts;
        this.sources = sources;
        this.time = time;
    }

    /**
     * Makes a page on a thread on which scripts may run.
     *
     * @param container whose functions they are
     * @param wait for such a thread at most
     */
    static <T> T during(
            ScriptEngine scripts,
            int container,
            List<ScriptSource> sources,
            Duration wait,
            Function<UserFunctions, T> page) {
        return scripts.call(
                container,
                wait,
                () -> {
                    try (FunctionCalls calls =
                            new FunctionCalls(scripts, sources, scripts.limits()::time)) {
                        return page.apply(calls);
                    }
                });
    }

    /** The functions among these that a query calls. */
    List<ScriptSource> calledBy(Statement statement) {
        Set<String> names = statement.functions();
        return sources.stream().filter(source -> names.contains(source.name())).toList();
    }

    @Override
    public Function<List<Value>, Value> find(String name) {
        if (sources.stream().noneMatch(source -> source.name().equals(name))) {
            throw UserFunctions.unknown(name);
        }
        return arguments -> opened().call(name, arguments);
    }

    private FunctionSandbox opened() {
        FunctionSandbox functions = open;
        if (functions == null) {
            functions = scripts.functions(sources, time.get());
            open = functions;
        }
        return functions;
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
        }
    }
}
