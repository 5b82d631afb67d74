package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.cluster.api.Catalog;
import orrery.document.Value;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptSource;
import orrery.model.resource.Container;
import orrery.model.resource.Script;
import orrery.query.Statement;
import orrery.query.evaluate.UserFunctions;
import orrery.script.FunctionSandbox;
import orrery.script.ScriptEngine;

/** Finds the functions of users that queries call, and runs them over what is merged here. */
final class QueryFunctions {
    private final Catalog catalog;
    private final ScriptEngine engine;

    QueryFunctions(Catalog catalog, ScriptEngine engine) {
        this.catalog = catalog;
        this.engine = engine;
    }

    /** Fails with BAD_REQUEST where the container has no such function. */
    Called of(Container container, Statement statement) {
        List<ScriptSource> sources = new ArrayList<>();
        for (String name : statement.functions()) {
            sources.add(
                    catalog.findScript(container, Kind.FUNCTION, name)
                            .map(Script::source)
                            .orElseThrow(() -> UserFunctions.unknown(name)));
        }
        return new Called(container.number(), engine, sources);
    }

    /** The functions of one query. */
    static final class Called implements UserFunctions {
        private final int container;
        private final ScriptEngine engine;
        private final List<ScriptSource> sources;
        private volatile @Nullable FunctionSandbox open;

        private Called(int container, ScriptEngine engine, List<ScriptSource> sources) {
            this.container = container;
            this.engine = engine;
            this.sources = List.copyOf(sources);
        }

        /** Returns the sources, for the partitions that call the functions too. */
        List<ScriptSource> sources() {
            return sources;
        }

        @Override
        public Function<List<Value>, Value> find(String name) {
            if (sources.stream().noneMatch(source -> source.name().equals(name))) {
                throw UserFunctions.unknown(name);
            }
            return arguments ->
                    Objects.requireNonNull(open, "called outside of during").call(name, arguments);
        }

        /**
         * Does something in which functions may be called, one such thing at a time. No partition
         * may be asked in it: that would hold a thread for scripts while it waits for another.
         *
         * @param context of the request that waits for it; the functions may be of an earlier one
         */
        <T> T during(RequestContext context, Supplier<T> work) {
            if (sources.isEmpty()) {
                return work.get();
            }
            return engine.call(
                    container,
                    context.remaining(),
                    () -> {
                        try (var functions = engine.functions(sources, engine.limits().time())) {
                            open = functions;
                            return work.get();
                        } finally {
                            open = null;
                        }
                    });
        }
    }
}
