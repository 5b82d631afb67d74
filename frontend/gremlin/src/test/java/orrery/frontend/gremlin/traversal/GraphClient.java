package orrery.frontend.gremlin.traversal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import orrery.gateway.EngineFixture;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;

/** Sends scripts to a graph in an engine, and counts what they ask of it. */
final class GraphClient {
    private final EngineFixture fixture;
    private final ContainerRef.Addressed container;
    private final ContainerGraphs graphs;
    private final List<String> calls = new ArrayList<>();
    private double charge;
    private String failing = "";
    private Supplier<RuntimeException> failure = IllegalStateException::new;
    private int left;

    GraphClient(EngineFixture fixture, ContainerRef.Addressed container) {
        this(fixture, container, Long.MAX_VALUE);
    }

    /**
     * @param memoryLimit the bytes that one traversal may gather
     */
    GraphClient(EngineFixture fixture, ContainerRef.Addressed container, long memoryLimit) {
        this.fixture = fixture;
        this.container = container;
        this.graphs =
                new ContainerGraphs(
                        counting(fixture.engine.items()), new SecureRandom(), memoryLimit);
    }

    private Items counting(Items items) {
        return (Items)
                Proxy.newProxyInstance(
                        Items.class.getClassLoader(),
                        new Class<?>[] {Items.class},
                        (_, method, arguments) -> {
                            failIfTold(method.getName());
                            calls.add(
                                    method.getName().equals("writeItem")
                                            ? arguments[2].getClass().getSimpleName()
                                            : method.getName());
                            try {
                                return method.invoke(items, arguments);
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }

    /** Has calls of a name fail at the door once so many were answered. */
    void failAfter(String call, int answered) {
        failAfter(call, answered, () -> new IllegalStateException("ended by the test"));
    }

    /** Has one call of a name refused for want of throughput once so many were answered. */
    void throttleAfter(String call, int answered) {
        failAfter(
                call,
                answered,
                () ->
                        new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "throttled by the test")
                                .withRetryAfter(Duration.ofMillis(1)));
    }

    private void failAfter(String call, int answered, Supplier<RuntimeException> with) {
        failing = call;
        left = answered;
        failure = with;
    }

    private void failIfTold(String call) {
        if (call.equals(failing) && left-- == 0) {
            throw failure.get();
        }
    }

    GraphRun start(RequestContext context, GraphRequest request) {
        ContainerRef.Resolved resolved =
                fixture.engine.resources().resolve(context, container, ContainerRef.Role.OWNER);
        return graphs.run(context, resolved, request);
    }

    /** The results of a script. */
    List<Object> results(String script, Map<String, Object> bindings) {
        return results(new GraphRequest.Script(script, bindings));
    }

    List<Object> results(GraphRequest request) {
        calls.clear();
        try (GraphRun run = start(EngineFixture.context(), request)) {
            List<Object> results = new ArrayList<>();
            run.forEachRemaining(results::add);
            charge = run.charge();
            return results;
        }
    }

    List<Object> results(String script) {
        return results(script, Map.of());
    }

    /** The results as text, those of a traversal without an order sorted. */
    String text(String script) {
        return results(script).stream()
                .map(GraphClient::text)
                .sorted()
                .collect(Collectors.joining(" "));
    }

    double charge() {
        return charge;
    }

    /** The calls of the last script at the door, each with how often it came. */
    String calls() {
        return calls.stream()
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }

    static String text(Object result) {
        return switch (result) {
            case null -> "null";
            case Vertex vertex -> "v[" + vertex.id() + "]";
            case VertexProperty<?> property -> property.key() + "=" + text(property.value());
            case Element element -> "e[" + element.id() + "]";
            case Property<?> property -> property.key() + "=" + text(property.value());
            case Traverser<?> traverser ->
                    text(traverser.get()) + (traverser.bulk() > 1 ? "*" + traverser.bulk() : "");
            case Path path -> text(path.objects());
            case Map.Entry<?, ?> entry -> text(entry.getKey()) + ":" + text(entry.getValue());
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(GraphClient::text)
                            .sorted()
                            .collect(Collectors.joining(",", "{", "}"));
            case Collection<?> list ->
                    list.stream().map(GraphClient::text).collect(Collectors.joining(",", "[", "]"));
            case Long number -> number + "L";
            default -> result.toString();
        };
    }

    /** The rows of a query in SQL. */
    List<String> sql(String query) {
        QueryPage page =
                fixture.engine
                        .items()
                        .query(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Everything(),
                                QueryCall.of(SqlStatement.parse(query, Map.of())),
                                PageRequest.FIRST);
        return page.rows().stream().map(Bytes::toUtf8).toList();
    }

    void create(String json) {
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(Bytes.ofUtf8(json), Optional.empty()));
    }
}
