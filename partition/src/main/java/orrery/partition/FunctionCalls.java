package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import orrery.model.ScriptSource;
import orrery.query.evaluate.UserFunctions;
import orrery.script.ScriptEngine;

/** Lets a query call functions of users while it makes a page. */
final class FunctionCalls {
    private FunctionCalls() {}

    /**
     * Makes a page on a thread on which scripts may run.
     *
     * @param wait for such a thread at most
     */
    static <T> T during(
            ScriptEngine scripts,
            List<ScriptSource> sources,
            Duration wait,
            Function<UserFunctions, T> page) {
        Set<String> names = sources.stream().map(ScriptSource::name).collect(Collectors.toSet());
        return scripts.call(
                wait,
                () -> {
                    try (var open = scripts.functions(sources, scripts.limits().time())) {
                        return page.apply(
                                name -> {
                                    if (!names.contains(name)) {
                                        throw UserFunctions.unknown(name);
                                    }
                                    return arguments -> open.call(name, arguments);
                                });
                    }
                });
    }
}
