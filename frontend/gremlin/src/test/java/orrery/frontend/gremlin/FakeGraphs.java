package orrery.frontend.gremlin;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.remote.traversal.DefaultRemoteTraverser;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.GraphRequest;
import orrery.frontend.gremlin.traversal.GraphRun;
import orrery.frontend.gremlin.traversal.Graphs;
import orrery.gateway.api.ContainerRef;
import orrery.model.RequestContext;

/** Answers scripts with what a test has agreed on; each result costs one request unit. */
final class FakeGraphs implements Graphs {
    static final String BYTECODE = "bytecode";

    private final Map<String, Supplier<Iterator<?>>> answers = new ConcurrentHashMap<>();
    final List<GraphRequest> requests = new ArrayList<>();
    final List<RequestContext> contexts = new ArrayList<>();
    final AtomicInteger pulled = new AtomicInteger();
    final CountDownLatch closed = new CountDownLatch(1);

    FakeGraphs on(String script, Supplier<Iterator<?>> answer) {
        answers.put(script, answer);
        return this;
    }

    FakeGraphs onCount(String script, int count) {
        return on(script, () -> IntStream.range(0, count).boxed().iterator());
    }

    FakeGraphs onFailure(String script, RuntimeException failure) {
        return on(
                script,
                () -> {
                    throw failure;
                });
    }

    /** Results that do not end, until the thread is interrupted. */
    FakeGraphs onEndless(String script, Object each) {
        return on(
                script,
                () ->
                        new Iterator<>() {
                            @Override
                            public boolean hasNext() {
                                if (Thread.interrupted()) {
                                    throw new GraphException(
                                            GraphException.Fault.EXECUTION, "interrupted");
                                }
                                return true;
                            }

                            @Override
                            public Object next() {
                                return each;
                            }
                        });
    }

    @Override
    public synchronized GraphRun run(
            RequestContext context, ContainerRef.Resolved graph, GraphRequest request) {
        requests.add(request);
        contexts.add(context);
        Iterator<?> results =
                switch (request) {
                    case GraphRequest.Script script -> {
                        Supplier<Iterator<?>> answer = answers.get(script.text());
                        if (answer == null) {
                            throw new GraphException(
                                    GraphException.Fault.COMPILE,
                                    "Unable to resolve symbol '" + script.text() + "'.");
                        }
                        yield answer.get();
                    }
                    case GraphRequest.Compiled _ ->
                            List.of(new DefaultRemoteTraverser<>(7, 3)).iterator();
                };
        return new GraphRun() {
            private int count;

            @Override
            public boolean hasNext() {
                return results.hasNext();
            }

            @Override
            public Object next() {
                count++;
                pulled.incrementAndGet();
                return results.next();
            }

            @Override
            public double charge() {
                return count;
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
    }
}
