package orrery.frontend.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.gremlin.auth.Logins;
import orrery.frontend.gremlin.socket.Upgrade;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.GraphException.Fault;
import orrery.frontend.gremlin.traversal.GraphRequest;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.Natives;
import orrery.frontend.http.Transport;
import orrery.frontend.rest.KeyPolicy;
import orrery.frontend.rest.TokenReader;
import orrery.gateway.fake.FakeResources;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.memory.MemoryBudget;
import orrery.model.resource.PermissionMode;
import orrery.model.security.AccountKeys;
import orrery.model.security.TokenScope;

/** The protocol over sockets; what the traversals give is agreed with {@link FakeGraphs}. */
final class GremlinServerTest {
    private static final String GRAPH = "/dbs/d/colls/g";
    private static final int MESSAGE_BYTES = 1 << 20;

    private final List<RequestListener.Answered> answered = new CopyOnWriteArrayList<>();
    private final FakeGraphs graphs = new FakeGraphs().onCount("login", 0);
    private AccountKeys keys = AccountKeys.generate(new SecureRandom());
    private Transport transport;
    private GremlinServer server;

    @BeforeEach
    void start() throws IOException {
        transport = Transport.open(Natives.none(), 1);
        server = serve(HttpLimits.builder());
    }

    private GremlinServer serve(HttpLimits.Builder limits) throws IOException {
        FakeResources resources = new FakeResources();
        RequestContext anybody =
                new RequestContext(
                        UUID.randomUUID(),
                        new RequestContext.Principal.Account(false),
                        Optional.empty(),
                        Optional.empty(),
                        Long.MAX_VALUE);
        resources.createContainer(
                anybody,
                resources.createDatabase(anybody, "d", Optional.empty()),
                "g",
                new ContainerDefinition(
                        new PartitionKeyDefinition(
                                List.of(PropertyPath.parse("/pk")),
                                PartitionKeyDefinition.Kind.HASH,
                                2,
                                false),
                        IndexingPolicy.DEFAULT,
                        ContainerDefinition.ConflictResolution.DEFAULT,
                        ContainerDefinition.Geospatial.GEOGRAPHY),
                Optional.empty());
        TokenReader tokens =
                token -> {
                    if (token.equals("type=resource&ver=1.0&sig=good;")) {
                        return new RequestContext.Principal.Resource(
                                PermissionMode.READ, new TokenScope.Nothing());
                    }
                    throw new OrreryException(ErrorCode.FORBIDDEN, "The token has ended.");
                };
        return GremlinServer.start(
                new GremlinEndpoint(
                        () -> graphs,
                        resources,
                        new Logins(() -> keys, KeyPolicy.loopbackOnly(), tokens),
                        GremlinConfig.standard(),
                        answered::add),
                new Upgrade(),
                "127.0.0.1",
                0,
                transport,
                () -> {
                    throw new IllegalStateException("nobody here speaks TLS");
                },
                limits.maxBodyBytes(MESSAGE_BYTES).build(),
                MemoryBudget.UNLIMITED);
    }

    @AfterEach
    void stop() {
        server.close();
        transport.close();
    }

    private GremlinSocket open() throws IOException {
        return GremlinSocket.open(server.port());
    }

    private GremlinSocket login() throws IOException {
        return GremlinSocket.login(server.port(), GRAPH, keys.primary());
    }

    private static int code(JsonNode answer) {
        return answer.at("/status/code").asInt();
    }

    private static int serviceCode(JsonNode answer) {
        JsonNode code = answer.at("/status/attributes/x-ms-status-code");
        return code.has("@value") ? code.get("@value").asInt() : code.asInt();
    }

    private static List<JsonNode> answers(GremlinSocket client) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        do {
            all.add(client.json());
        } while (code(all.getLast()) == 206);
        return all;
    }

    // ---- HTTP

    @Test
    void aBrowserHearsWhatThePortIsFor() throws Exception {
        try (GremlinSocket client = new GremlinSocket(server.port())) {
            client.raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 426 Upgrade Required\r\n");
            assertThat(client.rest()).contains("speaks WebSocket");
        }
        assertThat(server.answers("127.0.0.1", 10_000)).isTrue();
    }

    @Test
    void theUpgradeAgreesOnNothingButWebSocket() throws Exception {
        try (GremlinSocket client = new GremlinSocket(server.port())) {
            client.raw(
                    String.join(
                            "\r\n",
                            "GET /any/path?x=y HTTP/1.1",
                            "Host: h",
                            "Upgrade: WebSocket",
                            "Connection: Upgrade",
                            "Sec-WebSocket-Version: 13",
                            "Sec-WebSocket-Protocol: gremlin",
                            "Sec-WebSocket-Extensions: permessage-deflate",
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                            "",
                            ""));
            assertThat(client.head())
                    .startsWith("HTTP/1.1 101 ")
                    .contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                    .doesNotContain("Protocol:")
                    .doesNotContain("Extensions");
        }
    }

    @Test
    void aHeadMayHave16KiB() throws Exception {
        for (int extra : new int[] {0, 1}) {
            try (GremlinSocket client = new GremlinSocket(server.port())) {
                String line = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
                int filling = (16 << 10) - line.length() - 4 + extra;
                client.raw(line + "x".repeat(filling) + "\r\n\r\n");
                assertThat(client.head()).startsWith("HTTP/1.1 " + (extra == 0 ? 426 : 431) + " ");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"GET /", "GET / HTTP/2", "'GET  / HTTP/1.1'"})
    void whatIsNotHttpIsRefused(String line) throws Exception {
        try (GremlinSocket client = new GremlinSocket(server.port())) {
            client.raw(line + "\r\nHost: h\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 400 ");
        }
    }

    // ---- frames

    @Test
    void aPingIsAnsweredAlsoBetweenTheFramesOfAMessage() throws Exception {
        graphs.onCount("two", 2);
        try (GremlinSocket client = login()) {
            byte[] message =
                    GremlinSocket.prefixed(
                            GremlinSocket.GRAPHSON_2,
                            GremlinSocket.request(
                                            UUID.randomUUID(), "eval", "", "\"gremlin\":\"two\"")
                                    .getBytes(StandardCharsets.UTF_8));
            client.send(GremlinSocket.BINARY, false, Arrays.copyOf(message, 10));
            client.send(GremlinSocket.PING, true, "hello".getBytes(StandardCharsets.UTF_8));
            client.send(0, true, Arrays.copyOfRange(message, 10, message.length));
            assertThat(client.read())
                    .isEqualTo(new GremlinSocket.Frame(GremlinSocket.PONG, "hello"));
            assertThat(client.json().at("/result/data").toString()).isEqualTo("[0,1]");
        }
    }

    @Test
    void aCloseIsAnswered() throws Exception {
        try (GremlinSocket client = open()) {
            client.send(GremlinSocket.CLOSE, true, new byte[0]);
            assertThat(client.read().closeCode()).isEqualTo(1000);
            assertThat(client.in.read()).isEqualTo(-1);
        }
    }

    @Test
    void framesThatBreakTheProtocolEndTheConnection() throws Exception {
        byte[] nothing = {};
        for (byte[] frame :
                List.of(
                        GremlinSocket.framed(GremlinSocket.TEXT, true, nothing, false),
                        GremlinSocket.framed(0, true, nothing, true),
                        GremlinSocket.framed(GremlinSocket.PING, false, nothing, true),
                        GremlinSocket.framed(GremlinSocket.PING, true, new byte[126], true),
                        GremlinSocket.framed(3, true, nothing, true),
                        GremlinSocket.framed(0x41, true, nothing, true))) {
            try (GremlinSocket client = open()) {
                client.socket.getOutputStream().write(frame);
                assertThat(client.read().closeCode()).isEqualTo(1002);
                assertThat(client.in.read()).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"131072,false", "131073,false", "1048576,true", "1048577,true"})
    void messagesHaveALimitThatStrangersReachEarlier(int length, boolean isKnown) throws Exception {
        boolean isTooLong = length % 2 == 1;
        try (GremlinSocket client = isKnown ? login() : open()) {
            byte[] request =
                    GremlinSocket.request(UUID.randomUUID(), "eval", "", "\"gremlin\":\"x\"")
                            .getBytes(StandardCharsets.UTF_8);
            byte[] message = Arrays.copyOf(request, length);
            Arrays.fill(message, request.length, length, (byte) ' ');
            client.send(GremlinSocket.TEXT, true, message);
            if (isTooLong) {
                assertThat(client.read().closeCode()).isEqualTo(1009);
            } else {
                assertThat(code(client.json())).isEqualTo(isKnown ? 597 : 407);
            }
        }
    }

    // ---- logging in

    @Test
    void theKeptRequestIsAnsweredUnderItsOwnId() throws Exception {
        graphs.onCount("one", 1);
        try (GremlinSocket client = open()) {
            UUID first = client.eval("one");
            JsonNode asked = client.json();
            assertThat(code(asked)).isEqualTo(407);
            assertThat(asked.at("/requestId").asText()).isEqualTo(first.toString());
            assertThat(asked.at("/status/attributes").toString()).isEqualTo("{}");
            UUID second = client.eval("one");
            client.authenticate(UUID.randomUUID(), GRAPH, keys.secondaryReadOnly());
            UUID third = client.eval("one");
            for (UUID id : List.of(first, second, third)) {
                JsonNode answer = client.json();
                assertThat(answer.at("/requestId").asText()).isEqualTo(id.toString());
                assertThat(code(answer)).isEqualTo(200);
            }
        }
        assertThat(graphs.contexts.getFirst().principal().kind())
                .isEqualTo("secondary read-only key");
    }

    @Test
    void aWrongKeyIsRefusedUnderTheIdOfTheKeptRequestAndTheConnectionEnds() throws Exception {
        for (String user : List.of(GRAPH, "somebody")) {
            try (GremlinSocket client = open()) {
                UUID first = client.eval("login");
                client.json();
                client.authenticate(
                        UUID.randomUUID(),
                        user,
                        user.equals(GRAPH)
                                ? AccountKeys.newKey(new SecureRandom())
                                : keys.primary());
                JsonNode refused = client.json();
                assertThat(refused.at("/requestId").asText()).isEqualTo(first.toString());
                assertThat(code(refused)).isEqualTo(401);
                assertThat(refused.at("/status/message").asText())
                        .startsWith("Unauthorized: Invalid credentials provided");
                assertThat(client.read().opcode()).isEqualTo(GremlinSocket.CLOSE);
                assertThat(client.in.read()).isEqualTo(-1);
            }
        }
        assertThat(graphs.requests).isEmpty();
        assertThat(answered).allMatch(one -> one.code() == 401);
    }

    @Test
    void aKeyThatWasReplacedEndsTheLogin() throws Exception {
        graphs.onCount("one", 1);
        try (GremlinSocket client = login()) {
            keys = AccountKeys.generate(new SecureRandom());
            client.eval("one");
            assertThat(code(client.json())).isEqualTo(401);
            assertThat(client.read().opcode()).isEqualTo(GremlinSocket.CLOSE);
        }
    }

    @Test
    void aResourceTokenOpensWhatItGrants() throws Exception {
        try (GremlinSocket _ =
                GremlinSocket.login(server.port(), GRAPH, "type=resource&ver=1.0&sig=good;")) {
            assertThat(graphs.contexts.getLast().principal().kind()).isEqualTo("resource token");
        }
        try (GremlinSocket client = open()) {
            client.eval("login");
            client.json();
            client.authenticate(UUID.randomUUID(), GRAPH, "type=resource&ver=1.0&sig=bad;");
            assertThat(code(client.json())).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @CsvSource({"/dbs/d/colls/none", "/dbs/none/colls/g"})
    void aGraphThatIsNotThereIsNotFound(String user) throws Exception {
        try (GremlinSocket client = open()) {
            client.eval("login");
            client.json();
            client.authenticate(UUID.randomUUID(), user, keys.primary());
            JsonNode missing = client.json();
            assertThat(code(missing)).isEqualTo(500);
            assertThat(serviceCode(missing)).isEqualTo(404);
        }
    }

    @Test
    void strangersKeepASmallNumberOfRequests() throws Exception {
        try (GremlinSocket client = open()) {
            client.eval("login");
            assertThat(code(client.json())).isEqualTo(407);
            for (int i = 1; i < GremlinConnection.MAX_WAITING; i++) {
                client.eval("login");
            }
            UUID surplus = client.eval("login");
            JsonNode refused = client.json();
            assertThat(refused.at("/requestId").asText()).isEqualTo(surplus.toString());
            assertThat(serviceCode(refused)).isEqualTo(1008);
            assertThat(graphs.requests).isEmpty();
            client.authenticate(UUID.randomUUID(), GRAPH, keys.primary());
            for (int i = 0; i < GremlinConnection.MAX_WAITING; i++) {
                assertThat(code(client.json())).isEqualTo(200);
            }
        }
    }

    @Test
    void strangersSendNothingThatCannotBeRead() throws Exception {
        try (GremlinSocket client = open()) {
            client.send(GremlinSocket.BINARY, true, new byte[] {1, 2, 3});
            assertThat(code(client.json())).isEqualTo(498);
            assertThat(client.read().opcode()).isEqualTo(GremlinSocket.CLOSE);
        }
    }

    // ---- answers

    @ParameterizedTest
    @CsvSource({"0,'',1", "64,'',1", "65,'',2", "129,'',3", "7,',\"batchSize\":3',3"})
    void resultsComeInBatches(int count, String more, int messages) throws Exception {
        graphs.onCount("count", count);
        try (GremlinSocket client = login()) {
            UUID id = client.eval("count", more);
            List<JsonNode> all = answers(client);
            assertThat(all).hasSize(messages);
            List<Integer> values = new ArrayList<>();
            double charge = 0;
            for (JsonNode each : all) {
                assertThat(each.at("/requestId").asText()).isEqualTo(id.toString());
                each.at("/result/data").forEach(value -> values.add(value.asInt()));
                charge += each.at("/status/attributes/x-ms-request-charge").asDouble();
            }
            assertThat(values).isEqualTo(IntStream.range(0, count).boxed().toList());
            JsonNode last = all.getLast();
            assertThat(code(last)).isEqualTo(200);
            assertThat(charge).isEqualTo(count);
            assertThat(last.at("/status/attributes/x-ms-total-request-charge").asDouble())
                    .isEqualTo(count);
        }
    }

    @Test
    void theAttributesOfAnAnswerAreThoseOfTheService() throws Exception {
        graphs.onCount("four", 4);
        try (GremlinSocket client = login()) {
            client.eval("four");
            String text = client.read().text();
            assertThat(text)
                    .contains("\"x-ms-status-code\":200,")
                    .contains("\"x-ms-request-charge\":4.0,\"x-ms-total-request-charge\":4.0,")
                    .containsPattern("\"x-ms-server-time-ms\":[0-9]+\\.[0-9]+")
                    .containsPattern("\"x-ms-activity-id\":\"[0-9a-f-]{36}\"")
                    .contains("\"meta\":{}");
        }
    }

    /** Old drivers take frames of 64 KB. */
    @Test
    void aMessageIsSmallerThanTheFramesOfOldDrivers() throws Exception {
        graphs.on("large", () -> Collections.nCopies(200, "x".repeat(1000)).iterator());
        try (GremlinSocket client = login()) {
            client.eval("large", ",\"batchSize\":100");
            int count = 0;
            JsonNode answer;
            do {
                GremlinSocket.Frame frame = client.read();
                assertThat(frame.text().length()).isLessThan(64 << 10);
                answer = frame.json();
                count += answer.at("/result/data").size();
            } while (code(answer) == 206);
            assertThat(count).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "COMPILE,597,1000",
        "EXECUTION,500,1000",
        "MALFORMED,498,1004",
        "LIMIT,500,429",
        "MEMORY,500,1003",
        "SERIALIZATION,599,1001",
        "TIMEOUT,598,1009"
    })
    void eachFaultHasItsCodes(Fault fault, int code, int serviceCode) throws Exception {
        graphs.onFailure("bad", new GraphException(fault, "It is bad."));
        try (GremlinSocket client = login()) {
            UUID id = client.eval("bad");
            JsonNode failed = client.json();
            assertThat(code(failed)).isEqualTo(code);
            assertThat(serviceCode(failed)).isEqualTo(serviceCode);
            assertThat(failed.at("/status/message").asText())
                    .startsWith("ActivityId : ")
                    .contains("\nExceptionType : Graph", "It is bad.", "GremlinRequestId : " + id);
            assertThat(failed.at("/result/data").size()).isZero();
            assertThat(code(evaluated(client, "login"))).isEqualTo(200);
        }
    }

    private static JsonNode evaluated(GremlinSocket client, String script) throws IOException {
        client.eval(script);
        return client.json();
    }

    @ParameterizedTest
    @CsvSource({
        "CONFLICT,500,409",
        "PRECONDITION_FAILED,500,412",
        "OWNER_NOT_FOUND,500,404",
        "FORBIDDEN,403,403",
        "TOO_LARGE,500,413",
        "TIMEOUT,598,1009"
    })
    void eachRefusalOfTheEngineHasItsCodes(ErrorCode cause, int code, int serviceCode)
            throws Exception {
        graphs.onFailure("bad", new OrreryException(cause, "It is bad."));
        try (GremlinSocket client = login()) {
            JsonNode failed = evaluated(client, "bad");
            assertThat(code(failed)).isEqualTo(code);
            assertThat(serviceCode(failed)).isEqualTo(serviceCode);
        }
    }

    @Test
    void whoIsThrottledHearsWhenToComeBack() throws Exception {
        graphs.onFailure(
                "fast",
                new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "Too fast.")
                        .withRetryAfter(Duration.ofMillis(3950)));
        try (GremlinSocket client = login()) {
            JsonNode failed = evaluated(client, "fast");
            assertThat(code(failed)).isEqualTo(500);
            assertThat(serviceCode(failed)).isEqualTo(429);
            assertThat(failed.at("/status/attributes/x-ms-substatus-code").asInt()).isEqualTo(3200);
            assertThat(failed.at("/status/attributes/x-ms-retry-after-ms").asText())
                    .isEqualTo("00:00:03.9500000");
            assertThat(failed.at("/status/message").asText())
                    .contains("RequestRateTooLargeException", "Request rate is large");
        }
    }

    @Test
    void whatIsNestedTooDeeplyIsAFailureLikeOthers() throws Exception {
        graphs.on(
                "deep",
                () -> {
                    throw new StackOverflowError();
                });
        graphs.on(
                "missing",
                () -> {
                    throw new NoClassDefFoundError("x");
                });
        try (GremlinSocket client = login()) {
            assertThat(serviceCode(evaluated(client, "deep"))).isEqualTo(1000);
            assertThat(serviceCode(evaluated(client, "missing"))).isEqualTo(500);
            assertThat(code(evaluated(client, "login"))).isEqualTo(200);
        }
    }

    @Test
    void aBugIsToldAsOne() throws Exception {
        graphs.onFailure("bug", new IllegalStateException("secret"));
        try (GremlinSocket client = login()) {
            JsonNode failed = evaluated(client, "bug");
            assertThat(serviceCode(failed)).isEqualTo(500);
            assertThat(failed.toString()).doesNotContain("secret");
        }
    }

    // ---- requests

    @Test
    void bindingsComeAsTheirValues() throws Exception {
        try (GremlinSocket client = login()) {
            client.eval(
                    "login",
                    ",\"bindings\":{\"a\":\"x\",\"n\":{\"@type\":\"g:Int64\",\"@value\":5},"
                            + "\"d\":1.5,\"l\":[1,true,null]}");
            assertThat(code(client.json())).isEqualTo(200);
        }
        GraphRequest.Script script = (GraphRequest.Script) graphs.requests.getLast();
        assertThat(script.bindings())
                .isEqualTo(Map.of("a", "x", "n", 5L, "d", 1.5, "l", Arrays.asList(1, true, null)));
    }

    @ParameterizedTest
    @CsvSource({"65536,597", "65537,499"})
    void aScriptMayHave64KiB(int length, int code) throws Exception {
        try (GremlinSocket client = login()) {
            assertThat(code(evaluated(client, "x".repeat(length)))).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "eval,session,'\"gremlin\":\"login\",\"session\":\"s\"',Sessions are not supported",
        "eval,nothing,'\"gremlin\":\"login\"',no processor 'nothing'",
        "eval,'',' \"x\":1',has no script",
        "eval,'','\"gremlin\":7',must be a text",
        "eval,'','\"gremlin\":\"login\",\"batchSize\":0',batchSize",
        "eval,'','\"gremlin\":\"login\",\"language\":\"gremlin-python\"',gremlin-python",
        "bytecode,traversal,'\"gremlin\":\"login\"',no bytecode",
        "authentication,'','\"sasl\":\"\"',logged in already",
        "dance,'','\"x\":1',no op 'dance'"
    })
    void whatIsNotSupportedIsNamed(String op, String processor, String arguments, String words)
            throws Exception {
        try (GremlinSocket client = login()) {
            client.json(GremlinSocket.request(UUID.randomUUID(), op, processor, arguments));
            JsonNode refused = client.json();
            assertThat(code(refused)).isEqualTo(499);
            assertThat(serviceCode(refused)).isEqualTo(1004);
            assertThat(refused.at("/status/message").asText()).contains(words);
        }
    }

    @Test
    void closeOfNoSessionIsAnswered() throws Exception {
        try (GremlinSocket client = login()) {
            client.json(GremlinSocket.request(UUID.randomUUID(), "close", "", ""));
            assertThat(code(client.json())).isEqualTo(204);
        }
    }

    @Test
    void bytecodeGivesTraversersWithTheirBulk() throws Exception {
        try (GremlinSocket client = login()) {
            client.json(
                    GremlinSocket.request(
                            UUID.randomUUID(),
                            "bytecode",
                            "traversal",
                            "\"gremlin\":{\"@type\":\"g:Bytecode\",\"@value\":{\"step\":[[\"V\"],"
                                    + "[\"has\",\"age\",{\"@type\":\"g:P\",\"@value\":{\"predicate\":\"gt\","
                                    + "\"value\":{\"@type\":\"g:Int32\",\"@value\":30}}}]]} }"));
            JsonNode answer = client.json();
            assertThat(answer.at("/result/data/0/@type").asText()).isEqualTo("g:Traverser");
            assertThat(answer.at("/result/data/0/@value/bulk/@value").asInt()).isEqualTo(3);
        }
        GraphRequest.Compiled compiled = (GraphRequest.Compiled) graphs.requests.getLast();
        assertThat(compiled.bytecode().toString()).contains("V()", "has(age, gt(30))");
    }

    @Test
    void lambdasAndClassesAreNoPartOfBytecode() throws Exception {
        for (String type : List.of("g:Lambda", "g:Class")) {
            try (GremlinSocket client = login()) {
                client.json(
                        GremlinSocket.request(
                                UUID.randomUUID(),
                                "bytecode",
                                "traversal",
                                "\"gremlin\":{\"@type\":\"g:Bytecode\",\"@value\":{\"step\":[[\"map\","
                                        + "{\"@type\":\""
                                        + type
                                        + "\",\"@value\":\"java.lang.Runtime\"}]]}}"));
                assertThat(code(client.json())).isEqualTo(498);
            }
        }
    }

    @Test
    void jsonInTextFramesIsAnsweredInTextFrames() throws Exception {
        graphs.onCount("one", 1);
        try (GremlinSocket client = login()) {
            client.text(
                    "{\"requestId\":\""
                            + UUID.randomUUID()
                            + "\",\"op\":\"eval\",\"args\":{\"gremlin\":\"one\"}}");
            GremlinSocket.Frame answer = client.read();
            assertThat(answer.opcode()).isEqualTo(GremlinSocket.TEXT);
            assertThat(code(answer.json())).isEqualTo(200);
        }
    }

    // ---- who waits and who leaves

    @Test
    void requestsThatComeTogetherAreAnsweredInTurnAndTooManyAreRefused() throws Exception {
        graphs.onEndless("endless", 1);
        try (GremlinSocket client = login()) {
            UUID endless =
                    client.eval("endless", ",\"evaluationTimeout\":500,\"batchSize\":1000000");
            List<UUID> waiting = new ArrayList<>();
            for (int i = 0; i < GremlinConnection.MAX_WAITING; i++) {
                waiting.add(client.eval("login"));
            }
            UUID surplus = client.eval("login");
            List<UUID> done = new ArrayList<>();
            while (done.size() < waiting.size() + 2) {
                JsonNode answer = client.json();
                UUID id = UUID.fromString(answer.at("/requestId").asText());
                if (code(answer) == 206) {
                    assertThat(id).isEqualTo(endless);
                    continue;
                }
                assertThat(code(answer))
                        .isEqualTo(id.equals(endless) ? 598 : id.equals(surplus) ? 500 : 200);
                if (id.equals(surplus)) {
                    assertThat(serviceCode(answer)).isEqualTo(1008);
                }
                done.add(id);
            }
            done.remove(surplus);
            waiting.addFirst(endless);
            assertThat(done).isEqualTo(waiting);
        }
    }

    @Test
    void aTraversalThatTakesTooLongEnds() throws Exception {
        graphs.onEndless("endless", 1);
        try (GremlinSocket client = login()) {
            client.eval("endless", ",\"evaluationTimeout\":20");
            JsonNode last = answers(client).getLast();
            assertThat(code(last)).isEqualTo(598);
            assertThat(serviceCode(last)).isEqualTo(1009);
            assertThat(code(evaluated(client, "login"))).isEqualTo(200);
        }
    }

    /** The sockets of both sides hold some messages; after that no result is made any more. */
    @Test
    void aClientThatDoesNotReadHasItsTraversalStandStill() throws Exception {
        int results = 2_000;
        graphs.on("much", () -> Collections.nCopies(results, "x".repeat(50_000)).iterator());
        try (GremlinSocket client = login()) {
            client.eval("much");
            assertThat(code(client.json())).isEqualTo(206);
            // Another client is answered meanwhile, so the first one has had its turn.
            try (GremlinSocket other = login()) {
                assertThat(code(evaluated(other, "login"))).isEqualTo(200);
            }
            assertThat(graphs.pulled.get()).isLessThan(results);
            int messages = 1;
            while (code(client.json()) == 206) {
                messages++;
            }
            assertThat(messages + 1).isEqualTo(results);
            assertThat(graphs.pulled.get()).isEqualTo(results);
        }
    }

    @Test
    void aClientThatLeavesEndsItsTraversal() throws Exception {
        graphs.onEndless("endless", "x".repeat(10_000));
        try (GremlinSocket client = login()) {
            client.eval("endless");
            assertThat(code(client.json())).isEqualTo(206);
        }
        assertThat(graphs.closed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    // ---- limits of all clients together

    @Test
    void whoSendsNothingOrHalfOfSomethingIsClosed() throws Exception {
        Duration shortly = Duration.ofMillis(50);
        try (GremlinServer impatient =
                serve(HttpLimits.builder().idleTimeout(shortly).receiveTimeout(shortly))) {
            try (GremlinSocket half = new GremlinSocket(impatient.port())) {
                half.raw("GET / HTTP/1.1\r\n");
                assertThat(half.in.read()).isEqualTo(-1);
            }
            try (GremlinSocket half = GremlinSocket.open(impatient.port())) {
                half.send(GremlinSocket.TEXT, false, new byte[10]);
                assertThat(half.in.read()).isEqualTo(-1);
            }
            try (GremlinSocket idle =
                    GremlinSocket.login(impatient.port(), GRAPH, keys.primary())) {
                assertThat(idle.in.read()).isEqualTo(-1);
            }
        }
    }

    /** The oldest stranger goes when strangers hold too much, and a client that is known stays. */
    @Test
    void strangersShareASmallMemory() throws Exception {
        byte[] part = new byte[100 << 10];
        try (GremlinServer small = serve(HttpLimits.builder().maxStrangerBytes(150 << 10));
                GremlinSocket known = GremlinSocket.login(small.port(), GRAPH, keys.primary());
                GremlinSocket first = GremlinSocket.open(small.port());
                GremlinSocket second = GremlinSocket.open(small.port())) {
            first.send(GremlinSocket.TEXT, false, part);
            first.send(GremlinSocket.PING, true, new byte[0]);
            assertThat(first.read().opcode()).isEqualTo(GremlinSocket.PONG);
            second.send(GremlinSocket.TEXT, false, part);
            second.send(GremlinSocket.PING, true, new byte[0]);
            assertThat(second.read().opcode()).isEqualTo(GremlinSocket.PONG);
            assertThat(first.read().closeCode()).isEqualTo(1013);
            assertThat(code(evaluated(known, "login"))).isEqualTo(200);
        }
    }

    @Test
    void whatIsHeldIsGivenBack() throws Exception {
        graphs.onCount("many", 1000);
        try (GremlinSocket client = login()) {
            client.eval("many");
            assertThat(answers(client)).hasSize(16);
            client.eval("nothing");
            client.json();
            client.send(GremlinSocket.CLOSE, true, new byte[0]);
            assertThat(client.read().opcode()).isEqualTo(GremlinSocket.CLOSE);
            assertThat(client.in.read()).isEqualTo(-1);
        }
        server.close();
        assertThat(server.counters().heldBytes()).isZero();
        assertThat(server.counters().requestsInFlight()).isZero();
    }

    @Test
    void theKeyThatEverybodyKnowsIsGoodOnThisMachine() throws Exception {
        keys = AccountKeys.wellKnown(new SecureRandom());
        login().close();
        assertThat(answered.getLast().principal()).isEqualTo("primary read-write key");
    }
}
