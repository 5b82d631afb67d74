package orrery.script;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ScriptSource;

/**
 * Runs JavaScript. One per process: what it compiles is shared by all runs, each of which has a
 * sandbox of its own. Thread-safe.
 */
public final class ScriptEngine implements AutoCloseable {
    /** Apart, because a source loads a part of the engine and a start does not need it. */
    private static final class Api {
        static final Source SOURCE = Resources.source("api.js");
    }

    private final ScriptLimits limits;
    private final ScriptThreads threads;
    private final Watchdog watchdog;
    private final SourceCache sources = new SourceCache();
    private final Lazy engine = new Lazy();

    /**
     * The first use takes a second or more, for some thousand classes, and is no script's fault:
     * the first context is made before any clock runs. On a thread of the platform, which the
     * engine likes better.
     */
    private static final class Lazy {
        private boolean isClosed;
        private @Nullable FutureTask<Engine> engine;

        synchronized FutureTask<Engine> start() {
            if (isClosed) {
                throw new IllegalStateException("the script engine is closed");
            }
            if (engine == null) {
                engine = new FutureTask<>(Lazy::load);
                Thread.ofPlatform().daemon().name("script-load").start(engine);
            }
            return engine;
        }

        /** Should loading fail, the first script says why. */
        synchronized void startUnlessClosed() {
            if (!isClosed) {
                var unused = start();
            }
        }

        Engine get() {
            try {
                return start().get();
            } catch (ExecutionException failure) {
                throw new IllegalStateException("the script engine did not start", failure);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new OrreryException(
                        ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
            }
        }

        private static Engine load() {
            Engine engine =
                    Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
            try (Context first = Sandbox.context(engine, Long.MAX_VALUE)) {
                first.eval(Api.SOURCE);
            }
            return engine;
        }

        void close() {
            FutureTask<Engine> started;
            synchronized (this) {
                isClosed = true;
                started = engine;
            }
            if (started != null) {
                Thread.ofPlatform().name("script-close").start(() -> closeWhenLoaded(started));
            }
        }

        /** Loading cannot be stopped; whoever stops the server need not wait for it. */
        private static void closeWhenLoaded(FutureTask<Engine> started) {
            try {
                started.get().close(true);
            } catch (ExecutionException neverStarted) {
                // Every caller that wanted to use the engine has seen this failure.
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public ScriptEngine(ScriptLimits limits) {
        this.limits = limits;
        this.threads =
                new ScriptThreads(
                        limits.threads(), Math.max(1, limits.threads() / 2), limits.waiting());
        this.watchdog = new Watchdog(threads::lose);
    }

    public ScriptLimits limits() {
        return limits;
    }

    /**
     * Loads the engine in the background, so that the first script need not wait for it. A script
     * that comes before loads it at once.
     */
    public void warmAfter(Duration delay) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                .execute(engine::startUnlessClosed);
    }

    /** Waits until the engine is loaded. */
    public void awaitReady() {
        engine.get();
    }

    /**
     * Does something on a thread on which scripts may run.
     *
     * @param container that the thread is for; containers share threads fairly
     * @param wait for a free thread at most; beyond it, and when too many of the container wait
     *     already, throws TOO_MANY_SCRIPTS
     */
    public <T> T call(int container, Duration wait, Supplier<T> work) {
        return threads.call(container, wait, work);
    }

    /**
     * Runs a stored procedure or a trigger on the calling thread, which must be one of {@link
     * #call}. Throws SCRIPT_NOT_COMPILED unless it is JavaScript, SCRIPT_FAILED when it throws,
     * TIMEOUT or FORBIDDEN when it uses too much, or what the host threw.
     *
     * @param time it may take, if that is less than what every script may
     */
    public ScriptResult run(ScriptCall call, ScriptHost host, Duration time) {
        try (Sandbox sandbox = sandbox(time)) {
            return new ScriptRun(call, host, limits).run(sandbox, sandbox.eval(Api.SOURCE));
        }
    }

    /**
     * Opens functions for a query on the calling thread, which must be one of {@link #call}. They
     * are compiled when they are first called.
     *
     * @param time from now on in which they may be used
     */
    public FunctionSandbox functions(List<ScriptSource> functions, Duration time) {
        Sandbox sandbox = sandbox(time);
        try {
            return new FunctionSandbox(sandbox, limits, functions);
        } catch (RuntimeException failure) {
            sandbox.close();
            throw failure;
        }
    }

    /** Scripts that are held compiled. */
    int compiled() {
        return sources.size();
    }

    private Sandbox sandbox(Duration time) {
        return new Sandbox(engine.get(), sources, watchdog, limits.withTime(time));
    }

    @Override
    public void close() {
        threads.close();
        watchdog.close();
        engine.close();
    }
}
