package orrery.frontend.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryWriter;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as each kind of driver writes them. */
final class RequestReaderTest {
    private static final UUID ID = UUID.fromString("41d2e28a-20a4-4ab0-b379-d810dede3786");

    static byte[] message(String mediaType, byte[] body) {
        byte[] type = mediaType.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + type.length + body.length)
                .put((byte) type.length)
                .put(type)
                .put(body)
                .array();
    }

    private static RequestMessage json(String mediaType, String body) throws MalformedRequest {
        return RequestReader.read(message(mediaType, body.getBytes(StandardCharsets.UTF_8)), false);
    }

    @Test
    void plainJsonIsRead() throws Exception {
        RequestMessage request =
                json(
                        "application/json",
                        """
                        {"requestId":"%s","op":"eval","processor":"","args":
                         {"gremlin":"g.V(vid)","bindings":{"vid":"a","n":5},"batchSize":64}}
                        """
                                .formatted(ID));
        assertThat(request.id()).isEqualTo(ID);
        assertThat(request.text("gremlin")).contains("g.V(vid)");
        assertThat(request.bindings()).isEqualTo(Map.of("vid", "a", "n", 5));
        assertThat(request.number("batchSize")).contains(64);
    }

    @Test
    void typedJsonIsRead() throws Exception {
        RequestMessage second =
                json(
                        "application/vnd.gremlin-v2.0+json",
                        """
                        {"requestId":{"@type":"g:UUID","@value":"%s"},"op":"eval","processor":"",
                         "args":{"batchSize":{"@type":"g:Int32","@value":64},"gremlin":"g.V()",
                         "bindings":{"n":{"@type":"g:Int64","@value":5},
                                     "d":{"@type":"g:Double","@value":"NaN"}}}}
                        """
                                .formatted(ID));
        assertThat(second.bindings()).isEqualTo(Map.of("n", 5L, "d", Double.NaN));
        RequestMessage third =
                json(
                        "application/vnd.gremlin-v3.0+json",
                        """
                        {"requestId":{"@type":"g:UUID","@value":"%s"},"op":"eval","processor":"",
                         "args":{"@type":"g:Map","@value":["gremlin","g.V()","bindings",
                         {"@type":"g:Map","@value":["l",{"@type":"g:List","@value":[true]}]}]}}
                        """
                                .formatted(ID));
        assertThat(third.bindings()).isEqualTo(Map.of("l", List.of(true)));
        assertThat(third.form()).isEqualTo(Form.GRAPHSON_3);
    }

    @Test
    void theClassesOfGraphson1AreNoNamesOfArguments() throws Exception {
        RequestMessage request =
                json(
                        "application/vnd.gremlin-v1.0+json",
                        """
                        {"@class":"x.RequestMessage","requestId":"%s","op":"eval","processor":"",
                         "args":{"@class":"java.util.HashMap","gremlin":"g.V()"}}
                        """
                                .formatted(ID));
        assertThat(request.arguments()).isEqualTo(Map.of("gremlin", "g.V()"));
    }

    @Test
    void bytecodeWithFurtherArgumentsBehindItIsRead() throws Exception {
        RequestMessage request =
                json(
                        "application/vnd.gremlin-v3.0+json",
                        """
                        {"requestId":"%s","op":"bytecode","processor":"traversal","args":
                         {"gremlin":{"@type":"g:Bytecode","@value":{"step":[["V","é"],["out"]]} } ,
                          "aliases":{"g":"g"}}}
                        """
                                .formatted(ID));
        assertThat(traversal(request).read())
                .isEqualTo(source().V("é").out().asAdmin().getBytecode());
        assertThat(request.arguments()).containsKey("aliases");
    }

    private static RequestMessage.Traversal traversal(RequestMessage request) {
        return (RequestMessage.Traversal)
                Objects.requireNonNull(request.arguments().get("gremlin"));
    }

    private static GraphTraversalSource source() {
        return new GraphTraversalSource(EmptyGraph.instance());
    }

    static byte[] binary(String op, String processor, Map<String, Object> arguments) {
        try (HeapBuffer out = HeapBuffer.growing()) {
            GraphBinaryWriter writer = new GraphBinaryWriter();
            out.writeByte(0x81);
            writer.writeValue(ID, out, false);
            writer.writeValue(op, out, false);
            writer.writeValue(processor, out, false);
            writer.writeValue(arguments, out, false);
            return message("application/vnd.graphbinary-v1.0", out.toBytes());
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void binaryIsRead() throws Exception {
        Bytecode bytecode =
                source().V("a", 1L)
                        .has("age", P.gt(30).and(P.lt(50.5)))
                        .repeat(__.out("knows").has("name", P.within("x", "y")))
                        .times(3)
                        .asAdmin()
                        .getBytecode();
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("gremlin", bytecode);
        arguments.put("aliases", Map.of("g", "g"));
        arguments.put("batchSize", 64);
        RequestMessage request =
                RequestReader.read(binary("bytecode", "traversal", arguments), false);
        assertThat(request.id()).isEqualTo(ID);
        assertThat(traversal(request).read()).isEqualTo(bytecode);
        assertThat(request.number("batchSize")).contains(64);
    }

    @Test
    void lengthsAreComparedWithTheBytesThatAreThere() {
        byte[] whole = binary("eval", "", Map.of("gremlin", "g.V()", "l", List.of(1, 2)));
        int start = 1 + "application/vnd.graphbinary-v1.0".length() + 17;
        for (int at = start; at <= whole.length - Integer.BYTES; at++) {
            byte[] bent = whole.clone();
            ByteBuffer.wrap(bent).putInt(at, Integer.MAX_VALUE);
            assertThatThrownBy(() -> checked(bent)).isInstanceOf(MalformedRequest.class);
        }
        for (int length = start; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> checked(cut))
                    .isInstanceOfSatisfying(
                            MalformedRequest.class,
                            refused -> assertThat(refused.requestId()).contains(ID));
        }
    }

    /** A value that was bent may still be one; what cannot be read is refused. */
    private static void checked(byte[] message) throws MalformedRequest {
        RequestMessage read = RequestReader.read(message, false);
        throw MalformedRequest.arguments(read.id(), "readable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "7",
                "{",
                "{}",
                "{\"requestId\":7}",
                "{\"requestId\":\"x\",\"op\":\"eval\"}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\"}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\",\"op\":\"eval\",\"args\":7}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\",\"op\":\"eval\"} {}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\",\"op\":\"eval\",\"args\":"
                        + "{\"x\":{\"@type\":\"g:Class\",\"@value\":\"java.lang.String\"}}}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\",\"op\":\"eval\",\"args\":"
                        + "{\"x\":{\"@type\":\"g:Int32\",\"@value\":\"y\"}}}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\",\"op\":\"eval\",\"args\":"
                        + "{\"x\":{\"@type\":\"g:Map\",\"@value\":[1]}}}",
                "{\"requestId\":\"41d2e28a-20a4-4ab0-b379-d810dede3786\",\"op\":\"eval\",\"args\":"
                        + "{\"x\":{\"@type\":\"g:Int32\"}}}"
            })
    void whatIsNoRequestIsRefused(String text) {
        assertThatThrownBy(() -> json("application/json", text))
                .isInstanceOf(MalformedRequest.class);
    }

    @Test
    void formsThatAreNotSupportedAreNamed() {
        assertThatThrownBy(() -> json("application/vnd.gremlin-v3.0+gryo", "{}"))
                .isInstanceOf(MalformedRequest.class)
                .hasMessageContaining("gryo");
    }

    @Test
    void nestingHasALimit() throws Exception {
        // The request and its arguments are the first two levels.
        assertThat(json("application/json", nested(JsonRequests.MAX_DEPTH - 2)).op())
                .isEqualTo("eval");
        assertThatThrownBy(() -> json("application/json", nested(JsonRequests.MAX_DEPTH - 1)))
                .isInstanceOf(MalformedRequest.class);
    }

    private static String nested(int levels) {
        return "{\"requestId\":\""
                + ID
                + "\",\"op\":\"eval\",\"args\":{\"x\":"
                + "[".repeat(levels)
                + "]".repeat(levels)
                + "}}";
    }

    @Test
    void nestingInBinaryHasALimit() throws Exception {
        assertThat(RequestReader.read(nestedBinary(BinaryGuard.MAX_DEPTH - 1), false).op())
                .isEqualTo("eval");
        assertThatThrownBy(() -> RequestReader.read(nestedBinary(BinaryGuard.MAX_DEPTH), false))
                .isInstanceOf(MalformedRequest.class);
    }

    private static byte[] nestedBinary(int levels) {
        Object nested = 1;
        for (int i = 0; i < levels; i++) {
            nested = List.of(nested);
        }
        return binary("eval", "", Map.of("x", nested));
    }

    @Test
    void theIdIsFoundAtTheBeginningOfARequest() {
        String typed =
                "{\"requestId\":{\"@type\":\"g:UUID\",\"@value\":\"" + ID + "\"},\"op\":\"ev";
        assertThat(
                        RequestReader.peek(
                                message(
                                        "application/vnd.gremlin-v2.0+json",
                                        typed.getBytes(StandardCharsets.UTF_8)),
                                false))
                .isEqualTo(Optional.of(new RequestReader.Refusable(Form.GRAPHSON_2, ID)));
        assertThat(RequestReader.peek(Arrays.copyOf(binary("eval", "", Map.of()), 60), false))
                .isEqualTo(Optional.of(new RequestReader.Refusable(Form.GRAPH_BINARY, ID)));
        assertThat(RequestReader.peek(new byte[] {5}, false)).isEmpty();
    }
}
