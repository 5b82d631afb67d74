package orrery.frontend.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;

/** Requests with some bytes changed are read or refused, and nothing else comes of them. */
final class RequestReaderProperties {
    private static final byte[] JSON =
            RequestReaderTest.message(
                    "application/vnd.gremlin-v3.0+json",
                    """
                    {"requestId":{"@type":"g:UUID","@value":"%s"},"op":"bytecode","processor":"",
                     "args":{"@type":"g:Map","@value":["gremlin",{"@type":"g:Bytecode","@value":
                     {"step":[["V"],["has","age",{"@type":"g:P","@value":
                     {"predicate":"gt","value":{"@type":"g:Int32","@value":30}}}]]}}]}}
                    """
                            .formatted(UUID.randomUUID())
                            .getBytes(StandardCharsets.UTF_8));

    private static final byte[] BINARY =
            RequestReaderTest.binary(
                    "bytecode",
                    "traversal",
                    Map.of(
                            "gremlin",
                            new GraphTraversalSource(EmptyGraph.instance())
                                    .V("a").has("age", P.gt(30)).asAdmin().getBytecode(),
                            "x",
                            List.of(1, 2.5, "y")));

    @Property
    void changedBytesHarmNobody(
            @ForAll boolean isBinary,
            @ForAll @IntRange(min = 0, max = 400) int at,
            @ForAll byte first,
            @ForAll byte second) {
        byte[] whole = (isBinary ? BINARY : JSON).clone();
        whole[at % whole.length] = first;
        whole[(at * 7 + 3) % whole.length] = second;
        RequestReader.peek(whole, false);
        try {
            RequestMessage request = RequestReader.read(whole, false);
            if (request.arguments().get("gremlin") instanceof RequestMessage.Traversal traversal) {
                assertThat(traversal.read()).isNotNull();
            }
        } catch (MalformedRequest refused) {
            assertThat(refused.reason()).isNotEmpty();
        }
    }
}
