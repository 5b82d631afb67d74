package orrery.frontend.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.remote.traversal.DefaultRemoteTraverser;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.MutablePath;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.Tree;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryReader;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedEdge;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedProperty;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedVertex;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedVertexProperty;
import org.junit.jupiter.api.Test;
import orrery.frontend.gremlin.traversal.GraphException;

/** Results as each kind of driver reads them. */
final class ResultFormTest {
    private static final UUID ID = UUID.fromString("41d2e28a-20a4-4ab0-b379-d810dede3786");

    private static final Vertex MINA =
            DetachedVertex.build()
                    .setId("mina")
                    .setLabel("person")
                    .addProperty(property("a1", "age", 42))
                    .addProperty(property("n1", "nick", "mi"))
                    .addProperty(
                            DetachedVertexProperty.build()
                                    .setId("n2")
                                    .setLabel("nick")
                                    .setValue("na")
                                    .addProperty(new DetachedProperty<>("since", 2020))
                                    .create())
                    .create();

    private static final Vertex THEO =
            DetachedVertex.build().setId("theo").setLabel("person").create();

    private static final Edge CALLS =
            DetachedEdge.build()
                    .setId("e17")
                    .setLabel("calls")
                    .setOutV((DetachedVertex) MINA)
                    .setInV((DetachedVertex) THEO)
                    .addProperty(new DetachedProperty<>("via", "radio"))
                    .create();

    private static DetachedVertexProperty<?> property(String id, String key, Object value) {
        return DetachedVertexProperty.build().setId(id).setLabel(key).setValue(value).create();
    }

    private static String json(Object result) {
        return json(Form.GRAPHSON_2, result);
    }

    private static String json(Form form, Object... results) {
        Chunk chunk = new Chunk(ResultForm.of(form, false), 64);
        assertThat(chunk.fill(List.of(results).iterator())).isFalse();
        String message = new String(chunk.message(ID, Status.of(200)), StandardCharsets.UTF_8);
        String head =
                "{\"requestId\":\""
                        + ID
                        + "\",\"status\":{\"code\":200,\"message\":\"\",\"attributes\":"
                        + (form == Form.GRAPHSON_3 ? "{\"@type\":\"g:Map\",\"@value\":[]}" : "{}")
                        + "},\"result\":{\"data\":";
        assertThat(message).startsWith(head);
        return message.substring(head.length(), message.lastIndexOf(",\"meta\":"));
    }

    @Test
    void elementsHaveTheFormOfTheService() {
        assertThat(json(MINA))
                .isEqualTo(
                        "[{\"id\":\"mina\",\"label\":\"person\",\"type\":\"vertex\",\"properties\":"
                                + "{\"nick\":[{\"id\":\"n1\",\"value\":\"mi\"},"
                                + "{\"id\":\"n2\",\"value\":\"na\",\"properties\":{\"since\":2020}}],"
                                + "\"age\":[{\"id\":\"a1\",\"value\":42}]}}]");
        assertThat(json(THEO))
                .isEqualTo("[{\"id\":\"theo\",\"label\":\"person\",\"type\":\"vertex\"}]");
        assertThat(json(CALLS))
                .isEqualTo(
                        "[{\"id\":\"e17\",\"label\":\"calls\",\"type\":\"edge\",\"inVLabel\":\"person\","
                                + "\"outVLabel\":\"person\",\"inV\":\"theo\",\"outV\":\"mina\","
                                + "\"properties\":{\"via\":\"radio\"}}]");
        assertThat(json(property("a1", "age", 42)))
                .isEqualTo("[{\"id\":\"a1\",\"value\":42,\"label\":\"age\"}]");
        assertThat(json(new DetachedProperty<>("via", "radio")))
                .isEqualTo("[{\"key\":\"via\",\"value\":\"radio\"}]");
    }

    @Test
    void pathsTreesAndMapsHaveTheFormOfTheService() {
        Path path = MutablePath.make().extend("a", Set.of("x")).extend(THEO, Set.of());
        assertThat(json(path))
                .isEqualTo(
                        "[{\"labels\":[[\"x\"],[]],\"objects\":[\"a\","
                                + "{\"id\":\"theo\",\"label\":\"person\",\"type\":\"vertex\"}]}]");
        Tree<Object> tree = new Tree<>();
        Tree<Object> branch = new Tree<>();
        branch.put("leaf", new Tree<>());
        tree.put(THEO, branch);
        assertThat(json(tree))
                .isEqualTo(
                        "[{\"theo\":{\"key\":{\"id\":\"theo\",\"label\":\"person\",\"type\":\"vertex\"},"
                                + "\"value\":{\"leaf\":{\"key\":\"leaf\",\"value\":{}}}}}]");
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(T.id, "theo");
        map.put(THEO, List.of(1, 2.5, true));
        map.put(7, null);
        assertThat(json(map)).isEqualTo("[{\"id\":\"theo\",\"theo\":[1,2.5,true],\"7\":null}]");
    }

    @Test
    void numbersKeepTheirForm() {
        assertThat(json(Form.JSON, 1, 2L, 3.0, 4.5f, "x", false))
                .isEqualTo("[1,2,3.0,4.5,\"x\",false]");
    }

    @Test
    void typedJsonSaysWhatEachValueIs() {
        assertThat(json(Form.GRAPHSON_3, 1, List.of("a")))
                .isEqualTo(
                        "{\"@type\":\"g:List\",\"@value\":[{\"@type\":\"g:Int32\",\"@value\":1},"
                                + "{\"@type\":\"g:List\",\"@value\":[\"a\"]}]}");
        assertThat(json(Form.GRAPHSON_3, THEO)).contains("\"@type\":\"g:Vertex\"");
    }

    @Test
    void binaryIsReadByTinkerPop() throws IOException {
        Chunk chunk = new Chunk(ResultForm.of(Form.GRAPH_BINARY, true), 64);
        chunk.fill(List.<Object>of(new DefaultRemoteTraverser<>(MINA, 5), 2.5).iterator());
        byte[] message =
                chunk.message(
                        ID, new Status(206, "", Map.of("x-ms-request-charge", 4.0, "n", 200)));
        HeapBuffer in = HeapBuffer.of(message, 0);
        GraphBinaryReader reader = new GraphBinaryReader();
        assertThat(in.readByte()).isEqualTo((byte) 0x81);
        assertThat(reader.readValue(in, UUID.class, true)).isEqualTo(ID);
        assertThat(in.readInt()).isEqualTo(206);
        assertThat(reader.readValue(in, String.class, true)).isEmpty();
        assertThat((Object) reader.readValue(in, Map.class, false))
                .isEqualTo(Map.of("x-ms-request-charge", 4.0, "n", 200));
        assertThat((Object) reader.readValue(in, Map.class, false)).isEqualTo(Map.of());
        List<?> data = reader.read(in);
        DefaultRemoteTraverser<?> traverser = (DefaultRemoteTraverser<?>) data.getFirst();
        assertThat(traverser.bulk()).isEqualTo(5);
        Vertex read = (Vertex) traverser.get();
        assertThat(read.id()).isEqualTo("mina");
        assertThat(read.<Integer>value("age")).isEqualTo(42);
        assertThat(data.get(1)).isEqualTo(2.5);
        assertThat(in.readableBytes()).isZero();
    }

    @Test
    void aResultWithoutAFormIsNamed() {
        for (Form form : List.of(Form.JSON, Form.GRAPH_BINARY)) {
            Chunk chunk = new Chunk(ResultForm.of(form, false), 64);
            assertThatThrownBy(() -> chunk.fill(List.<Object>of(new Object()).iterator()))
                    .isInstanceOfSatisfying(
                            GraphException.class,
                            failure ->
                                    assertThat(failure.fault())
                                            .isEqualTo(GraphException.Fault.SERIALIZATION));
        }
    }

    @Test
    void listsInListsHaveALimit() {
        Object nested = "x";
        for (int depth = 1; depth < 250; depth++) {
            nested = List.of(nested);
        }
        assertThat(json(nested)).contains("[[[[\"x\"]]]]");
        Object deeper = List.of(nested);
        assertThatThrownBy(() -> json(deeper)).isInstanceOf(GraphException.class);
    }

    @Test
    void aResultThatNoLongerFitsBeginsTheNextMessage() {
        String large = "x".repeat(Chunk.MAX_BYTES - 10);
        Chunk chunk = new Chunk(ResultForm.of(Form.JSON, false), 64);
        var results = List.<Object>of("a", large, "b").iterator();
        List<String> messages = new ArrayList<>();
        boolean hasMore;
        do {
            hasMore = chunk.fill(results);
            messages.add(new String(chunk.message(ID, Status.of(206)), StandardCharsets.UTF_8));
        } while (hasMore);
        assertThat(messages).hasSize(2);
        assertThat(messages.getFirst()).contains("\"data\":[\"a\",\"" + large + "\"]");
        assertThat(messages.getLast()).contains("\"data\":[\"b\"]");
    }
}
