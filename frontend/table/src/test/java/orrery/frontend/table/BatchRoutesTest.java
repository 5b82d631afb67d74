package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.table.batch.BatchBodies;
import orrery.frontend.table.batch.BatchRequest;
import orrery.gateway.EngineFixture;
import orrery.model.Bytes;
import orrery.model.RequestContext.Principal;

/** Entity group transactions over a whole engine. */
class BatchRoutesTest {
    private static final String JSON = "application/json;odata=nometadata";
    private static final Pattern STATUS = Pattern.compile("HTTP/1.1 (\\d{3} [A-Za-z ]+)\r\n");

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static TableEndpoint endpoint;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        endpoint =
                new TableEndpoint(
                        fixture.engine.items(),
                        fixture.engine.resources(),
                        (_, _, _) -> new Principal.Account(false),
                        TableConfig.standard());
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @BeforeEach
    void createTable() {
        HttpReply created = call("POST", "/Tables", "{\"TableName\":\"Tab\"}");
        assertThat(created.status()).as(text(created)).isEqualTo(201);
    }

    @AfterEach
    void deleteTable() {
        call("DELETE", "/Tables('Tab')", "");
    }

    private HttpReply call(String method, String target, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!all.contains("Content-Type")) {
            all.addAll(List.of("Accept", JSON));
        }
        return handle(
                HttpRequest.of(
                        method,
                        target,
                        Headers.of(all.toArray(String[]::new)),
                        Bytes.ofUtf8(body)));
    }

    private HttpReply handle(HttpRequest request) {
        try {
            return endpoint.handle(request);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private HttpReply batch(String body) {
        return handle(BatchBodies.request(BatchBodies.TYPE, body));
    }

    private static String text(HttpReply reply) {
        StringBuilder text = new StringBuilder();
        reply.body().forEach(piece -> text.append(piece.toUtf8()));
        return text.toString();
    }

    /** The status lines of the parts. */
    private static List<String> statuses(HttpReply reply) {
        assertThat(reply.status()).as(text(reply)).isEqualTo(202);
        List<String> found = new ArrayList<>();
        Matcher lines = STATUS.matcher(text(reply));
        while (lines.find()) {
            found.add(lines.group(1));
        }
        return found;
    }

    private static String entity(String row) {
        return "/Tab(PartitionKey='p',RowKey='" + row + "')";
    }

    private static String insert(String key, String row, String... headers) {
        return "POST http://h/Tab HTTP/1.1\nContent-Type: application/json\nPrefer: return-no-content"
                + "\n\n{\"PartitionKey\":\""
                + key
                + "\",\"RowKey\":\""
                + row
                + "\",\"A\":1}";
    }

    private static String change(String method, String row, String json) {
        return method
                + " http://h"
                + entity(row)
                + " HTTP/1.1\nContent-Type: application/json\nIf-Match: *\n\n"
                + json;
    }

    private int read(String row) {
        return call("GET", entity(row), "").status();
    }

    @Test
    void theBatchesOfAllSdksAreCarriedOut() {
        List<Function<String[], String>> writers =
                List.of(BatchBodies::javaScript, BatchBodies::java, BatchBodies::oldNode);
        for (Function<String[], String> writer : writers) {
            for (String row : List.of("r", "m", "d")) {
                call("PUT", entity(row), "{\"A\":1}");
            }
            call("DELETE", entity("i"), "", "If-Match", "*");
            call("DELETE", entity("u"), "", "If-Match", "*");

            HttpReply reply =
                    batch(
                            writer.apply(
                                    new String[] {
                                        insert("p", "i"),
                                        change("PUT", "r", "{\"B\":2}"),
                                        change("MERGE", "m", "{\"B\":2}"),
                                        change("DELETE", "d", ""),
                                        change("PUT", "u", "{\"C\":3}").replace("If-Match: *\n", "")
                                    }));

            assertThat(statuses(reply)).hasSize(5).containsOnly("204 No Content");
            assertThat(reply.headers().find("Content-Type").orElse(""))
                    .startsWith("multipart/mixed; boundary=batchresponse_");
            assertThat(Double.parseDouble(reply.headers().find("x-ms-request-charge").orElse("")))
                    .isPositive();
            assertThat(text(reply)).contains("RowKey='i')").contains("DataServiceVersion: 3.0;");
            assertThat(text(reply).split("ETag: W/\"datetime'", -1)).hasSize(5);
            assertThat(text(call("GET", entity("r"), "")))
                    .contains("\"B\":2")
                    .doesNotContain("\"A\"");
            assertThat(text(call("GET", entity("m"), ""))).contains("\"A\":1", "\"B\":2");
            assertThat(List.of(read("i"), read("u"), read("d"))).containsExactly(200, 200, 404);
        }
    }

    @Test
    void theVerbsOfMergeAreTheSame() {
        call("PUT", entity("m"), "{\"A\":1}");
        for (String request :
                List.of(
                        change("PATCH", "m", "{\"B\":1}"),
                        change("POST", "m", "{\"B\":2}")
                                .replace("If-Match", "X-HTTP-Method: MERGE\nIf-Match"),
                        change("MERGE", "m", "{\"B\":3}")
                                .replace("If-Match", "X-HTTP-Method: MERGE\nIf-Match"))) {
            assertThat(statuses(batch(BatchBodies.java(request))))
                    .containsExactly("204 No Content");
        }
        assertThat(text(call("GET", entity("m"), ""))).contains("\"A\":1", "\"B\":3");
    }

    @Test
    void etagsInTheAnswerAreThoseOfTheEntities() {
        HttpReply reply = batch(BatchBodies.javaScript(insert("p", "a"), insert("p", "b")));
        Matcher etags = Pattern.compile("ETag: (W/.*)\r\n").matcher(text(reply));
        for (String row : List.of("a", "b")) {
            assertThat(etags.find()).isTrue();
            assertThat(call("GET", entity(row), "").headers().find("ETag"))
                    .contains(etags.group(1));
        }
        String stale =
                change("PUT", "a", "{}").replace("*", "W/\"datetime'2020-01-01T00%3A00%3A00Z'\"");
        assertThat(statuses(batch(BatchBodies.java(stale))))
                .containsExactly("412 Precondition Failed");
    }

    @Test
    void anInsertIsShownUnlessNobodyWantsIt() {
        HttpReply shown =
                batch(
                        BatchBodies.java(
                                insert("p", "a")
                                        .replace(
                                                "Prefer: return-no-content",
                                                "Prefer: return-content\nAccept: " + JSON)));
        assertThat(statuses(shown)).containsExactly("201 Created");
        assertThat(text(shown))
                .contains("\"RowKey\":\"a\"", "Preference-Applied: return-content", "RowKey='a'");
        // Without a format to show it in, nothing is inserted.
        HttpReply refused =
                batch(
                        BatchBodies.java(
                                insert("p", "b").replace("Prefer: return-no-content", "X: y")));
        assertThat(statuses(refused)).containsExactly("415 Unsupported Media Type");
        assertThat(read("b")).isEqualTo(404);
    }

    /** Limits of a whole entity are those of its operation, and not of the request. */
    @Test
    void anEntityThatIsTooLargeIsRefusedWithItsIndex() {
        StringBuilder many = new StringBuilder("{");
        for (int i = 0; i < 253; i++) {
            many.append(i == 0 ? "" : ",").append("\"P" + i + "\":1");
        }
        HttpReply reply = batch(BatchBodies.java(insert("p", "a"), change("PUT", "b", many + "}")));
        assertThat(statuses(reply)).containsExactly("400 Bad Request");
        assertThat(text(reply)).contains("TooManyProperties", "\"1:");
        assertThat(read("a")).isEqualTo(404);
    }

    @Test
    void oneRefusalRefusesAllAndSaysWhich() {
        call("PUT", entity("there"), "{}");
        HttpReply reply =
                batch(
                        BatchBodies.oldNode(
                                insert("p", "new"), insert("p", "there"), insert("p", "other")));
        assertThat(statuses(reply)).containsExactly("409 Conflict");
        assertThat(text(reply))
                .contains(
                        "Content-ID: 1\r\n",
                        "Content-Type: application/json;odata=minimalmetadata;charset=utf-8\r\n",
                        "{\"odata.error\":{\"code\":\"EntityAlreadyExists\",\"message\":{\"lang\":"
                                + "\"en-US\",\"value\":\"1:The specified entity already exists.\\n"
                                + "RequestId:");
        assertThat(List.of(read("new"), read("other"))).containsOnly(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /Tab|{'PartitionKey':'q','RowKey':'x'}|400 CommandsInBatchActOnDifferentPartitions",
                "POST /Tab|{'PartitionKey':'p','RowKey':'a'}|400 InvalidDuplicateRow",
                "PUT /Tab(PartitionKey='p',RowKey='a')|{}|400 InvalidDuplicateRow",
                "POST /Other|{'PartitionKey':'p','RowKey':'x'}|400 InvalidInput",
                "POST /Tables|{'TableName':'U'}|400 InvalidInput",
                "DELETE /Tables('Tab')||400 InvalidInput",
                "POST /$batch||400 InvalidInput",
                "GET /Tab(PartitionKey='p',RowKey='x')||400 InvalidInput",
                "POST /Tab?comp=acl|{'PartitionKey':'p','RowKey':'x'}|400 InvalidQueryParameterValue",
                "POST /Tab|{'PartitionKey':'p'|400 InvalidInput",
                "POST /Tab|{'PartitionKey':'p','RowKey':'x/y'}|400 OutOfRangeInput",
                "PUT /Tab(PartitionKey='p',RowKey='x'|{}|400 InvalidInput",
                "DELETE /Tab(PartitionKey='p',RowKey='x')||404 ResourceNotFound",
                "DELETE /Tab(PartitionKey='p',RowKey='x')|--changes|400 InvalidInput",
                "OPTIONS /Tab||405 MethodNotAllowed"
            })
    void aGroupHasRules(String line, String json, String refusal) {
        String body = json == null ? "" : json.replace('\'', '"');
        String bad = line + " HTTP/1.1\nAccept: " + JSON + "\nIf-Match: *\n\n" + body;
        HttpReply reply = batch(BatchBodies.java(insert("p", "a"), bad));
        String[] wanted = refusal.split(" ", 2);
        assertThat(statuses(reply)).singleElement().asString().startsWith(wanted[0]);
        assertThat(text(reply)).contains("\"code\":\"" + wanted[1].strip(), "\"value\":\"1:");
        assertThat(read("a")).isEqualTo(404);
    }

    @Test
    void aMissingTableIsTold() {
        HttpReply reply = batch(BatchBodies.java(insert("p", "a").replace("/Tab ", "/Nowhere ")));
        assertThat(statuses(reply)).containsExactly("404 Not Found");
        assertThat(text(reply)).contains("TableNotFound", "\"value\":\"0:");
    }

    @Test
    void aQueryMayStandAlone() {
        call("PUT", entity("a"), "{\"A\":7}");
        String get = "GET http://h" + entity("a") + " HTTP/1.1\nAccept: " + JSON;
        HttpReply found = batch(BatchBodies.lone(get));
        assertThat(statuses(found)).containsExactly("200 OK");
        assertThat(text(found))
                .contains("\"A\":7", "ETag: W/")
                .doesNotContain("changesetresponse_");
        HttpReply missing = batch(BatchBodies.lone(get.replace("'a'", "'b'")));
        assertThat(statuses(missing)).containsExactly("404 Not Found");
        assertThat(text(missing)).contains("ResourceNotFound", "\"value\":\"0:");
        // Access policies are no entities.
        HttpReply policies = batch(BatchBodies.lone("GET /Tab?comp=acl HTTP/1.1\nAccept: " + JSON));
        assertThat(statuses(policies)).containsExactly("400 Bad Request");
    }

    @Test
    void aHundredChangesAndNotOneMore() {
        String[] most =
                IntStream.range(0, 100).mapToObj(i -> insert("p", "r" + i)).toArray(String[]::new);
        assertThat(statuses(batch(BatchBodies.java(most)))).hasSize(100);
        String[] more =
                IntStream.range(0, 101).mapToObj(i -> insert("p", "s" + i)).toArray(String[]::new);
        HttpReply reply = batch(BatchBodies.java(more));
        assertThat(statuses(reply)).containsExactly("400 Bad Request");
        assertThat(text(reply))
                .contains(
                        "\"InvalidInput\"",
                        "0:The batch request operation exceeds the maximum 100 changes per change"
                                + " set.");
        assertThat(read("s0")).isEqualTo(404);
    }

    @Test
    void fourMegabytesAndNotOneByteMore() {
        String frame = BatchBodies.java(insert("p", "a"));
        String padding = " ".repeat(BatchRequest.MAX_BODY_BYTES - frame.length());
        assertThat(statuses(batch(frame.replace("{\"P", "{" + padding + "\"P")))).hasSize(1);
        HttpReply reply = batch(frame.replace("{\"P", "{ " + padding + "\"P"));
        assertThat(reply.status()).isEqualTo(413);
        assertThat(text(reply)).contains("RequestBodyTooLarge");
    }

    @Test
    void largeEntitiesFitTogether() {
        String half = "x".repeat(30_000);
        String large =
                IntStream.range(0, 15)
                        .mapToObj(i -> ",\"P" + i + "\":\"" + half + "\"")
                        .reduce("", String::concat);
        String[] requests =
                IntStream.range(0, 8)
                        .mapToObj(i -> insert("p", "l" + i).replace(",\"A\":1", large))
                        .toArray(String[]::new);
        assertThat(statuses(batch(BatchBodies.java(requests))))
                .hasSize(8)
                .containsOnly("204 No Content");
    }

    @Test
    void whatIsNoBatchIsRefusedAsAWhole() {
        HttpReply json = call("POST", "/$batch", "{}", "Content-Type", "application/json");
        assertThat(json.status()).isEqualTo(400);
        assertThat(call("GET", "/$batch", "").status()).isEqualTo(405);
    }

    /** Whatever becomes of the bytes, there is an answer, and both entities are there or none. */
    @Test
    void damagedBatchesChangeAllOrNothing() {
        byte[] whole =
                BatchBodies.javaScript(insert("p", "fuzz1"), insert("p", "fuzz2"))
                        .getBytes(StandardCharsets.UTF_8);
        for (long seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            byte[] bytes = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(bytes.length);
                switch (random.nextInt(3)) {
                    case 0 -> bytes[at] = (byte) random.nextInt(256);
                    case 1 -> bytes[at] = (byte) "\r\n-: ;=\"{}'".charAt(random.nextInt(11));
                    default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                }
            }
            HttpReply reply = handle(BatchBodies.request(BatchBodies.TYPE, bytes));
            assertThat(reply.status()).as("seed %d", seed).isLessThan(500);
            assertThat(text(reply)).as("seed %d", seed).doesNotContain("HTTP/1.1 5");
            String page = text(call("GET", "/Tab()", ""));
            int rows = page.split("\"RowKey\"", -1).length - 1;
            assertThat(rows % 2).as("seed %d: %s", seed, text(reply)).isZero();
            if (rows > 0) {
                deleteTable();
                createTable();
            }
        }
    }
}
