package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;

/** The operator API over a socket, with keys of its own. */
final class OperatorApiTest {
    private static final String LINK = "dbs/d/colls/c";
    private static ServerFixture server;

    @BeforeAll
    static void start(@TempDir Path data) {
        assertThat(ServerFixture.command("keys", "new", "--data", data.toString()).exitCode())
                .isZero();
        server = ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT);
        server.createDatabase("d");
        server.createContainer("d", "c", "x-ms-offer-throughput", "20000");
        server.createItem("d", "c", "a", "1", "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> call(String verb, String what, String body) {
        return server.operator(server.keys().primary(), verb, LINK, what, body);
    }

    @Test
    void tellsHowTheContainerLies() {
        HttpResponse<String> reply = call("GET", "partitions", "");

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body())
                .startsWith("{\"database\":\"d\",\"container\":\"c\",\"rid\":\"")
                .contains("\"throughput\":{\"manual\":20000,\"of\":\"container\",\"minimum\":400,")
                .contains("\"logicalPartitionMaxBytes\":21474836480")
                .contains("{\"id\":0,\"parents\":[],\"min\":\"\",\"max\":\"1F")
                .contains("\"max\":\"FF\"")
                .contains("\"budgetRu\":10000")
                .contains("\"largestKeys\":[{\"key\":[\"a\"],\"bytes\":")
                .contains("\"hottestKeys\":[{\"key\":[\"a\"],\"ru\":")
                .contains("\"events\":[]");
        assertThat(call("GET", "partitions?keys=0", "").body()).contains("\"largestKeys\":[]");
    }

    @Test
    void readOnlyKeysLookAndChangeNothing() {
        String key = server.keys().primaryReadOnly();
        for (String what : new String[] {"partitions", "throughput", "fault"}) {
            assertThat(server.operator(key, "GET", LINK, what, "").statusCode()).isEqualTo(200);
        }
        String[][] changes = {
            {"PUT", "throughput", "{\"manual\":30000}"},
            {"POST", "split", "{\"range\":0}"},
            {"POST", "merge", "{\"range\":0}"},
            {"POST", "repair", "{\"range\":0}"},
            {"POST", "fault", "{\"status\":503}"},
            {"DELETE", "fault", ""},
        };
        for (String[] change : changes) {
            HttpResponse<String> reply =
                    server.operator(key, change[0], LINK, change[1], change[2]);
            assertThat(reply.statusCode()).isEqualTo(403);
            assertThat(reply.body()).contains("\"code\":\"FORBIDDEN\"", "read-only");
        }
        assertThat(call("GET", "fault", "").body()).isEqualTo("{}");
    }

    @Test
    void strangersGetNothing() {
        assertThat(server.operator("", "GET", LINK, "partitions", "").statusCode()).isEqualTo(401);
        assertThat(
                        server.operator(
                                        "bm90LWEta2V5LW9mLXRoZS1hY2NvdW50LWF0LWFsbA==",
                                        "GET",
                                        LINK,
                                        "partitions",
                                        "")
                                .statusCode())
                .isEqualTo(401);
        // Signed for looking, sent for changing.
        HttpResponse<String> reply =
                server.sqlReply("DELETE", "partitions", LINK, "_orrery/" + LINK + "/fault", "");
        assertThat(reply.statusCode()).isEqualTo(401);
        // Pages that need no key still need none.
        assertThat(server.sqlReply("GET", "", "", "_orrery/ca.crt", "").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET|partitions?keys=101||400|0 to 100",
                "GET|partitions?keys=-1||400|0 to 100",
                "GET|partitions?keys=+5||400|0 to 100",
                "GET|partitions?what=1||400|only parameter",
                "POST|partitions|{}|405|not possible",
                "GET|split||405|not possible",
                "GET|nothing||404|nothing at",
                "POST|split|{}|400|'range' is missing",
                "POST|split|[]|400|must be a JSON object",
                "POST|split|{\"range\":-1}|400|not the id of a range",
                "POST|split|{\"range\":\"0\"}|400|whole number",
                "POST|split|{\"range\":0,\"at\":\"7F\"}|400|not known here: at",
                "POST|split|{\"range\":77}|400|no such range",
                "POST|merge|{\"range\":1}|400|none to the right",
                "GET|repair||405|not possible",
                "POST|repair|{}|400|'range' is missing",
                "POST|repair|{\"range\":0}|409|nothing to repair",
                "POST|repair|{\"range\":77}|400|no range 77",
                "PUT|throughput|{}|400|Send either",
                "PUT|throughput|{\"manual\":400,\"autoscale\":1000}|400|Send either",
                "PUT|throughput|{\"manual\":0}|400|between 400 and",
                "PUT|throughput|{\"manual\":450}|400|increments of 100",
                "PUT|throughput|{\"manual\":4000000000}|400|not a possible throughput",
                "GET|redistribute||405|not possible",
                "POST|redistribute|{}|400|Send either",
                "POST|redistribute|{\"equal\":true,\"targets\":[{\"range\":0,\"ru\":400}]}|400|Send either",
                "POST|redistribute|{\"sources\":[{\"range\":0}]}|400|Send either",
                "POST|redistribute|{\"targets\":[{\"ru\":400}]}|400|'targets[0].range' is missing",
                "POST|redistribute|{\"targets\":[{\"range\":0}]}|400|'targets[0].ru' is missing",
                "POST|redistribute|{\"targets\":[{\"range\":77,\"ru\":400}]}|400|no range 77",
                "POST|redistribute|{\"targets\":[{\"range\":0,\"ru\":99}]}|400|cannot have 99 RU/s",
                "POST|fault|{\"status\":500}|400|must be 408, 410, 429, 449 or 503",
                "POST|fault|{\"count\":1}|400|'status' is missing",
                "POST|fault|{\"status\":429,\"count\":0}|400|at least 1",
                "POST|fault|{\"status\":429,\"rate\":0}|400|above 0",
                "POST|fault|{\"status\":429,\"rate\":1.5}|400|at most 1",
                "POST|fault|{\"status\":429,\"rate\":\"x\"}|400|must be a number",
                "POST|fault|{\"status\":429,\"rate\":0.5,\"count\":1}|400|exclude each other",
            })
    void refusesWhatMakesNoSense(String verb, String what, String body, int status, String reason) {
        HttpResponse<String> reply = call(verb, what, body == null ? "" : body);
        assertThat(reply.statusCode()).isEqualTo(status);
        assertThat(reply.body()).contains(reason);
    }

    @Test
    void namesWhatIsMissing() {
        String key = server.keys().primary();
        assertThat(server.operator(key, "GET", "dbs/d/colls/no", "partitions", "").body())
                .isEqualTo(
                        "{\"code\":\"NOT_FOUND\",\"message\":\"There is no container 'no' in the"
                                + " database 'd'.\"}");
        assertThat(server.operator(key, "GET", "dbs/no/colls/c", "partitions", "").body())
                .contains("There is no database 'no'.");
        assertThat(server.operator(key, "GET", "dbs/no", "throughput", "").body())
                .contains("There is no database 'no'.");
        assertThat(server.operator(key, "GET", "dbs/d", "throughput", "").body())
                .contains("has no throughput of its own");
    }
}
