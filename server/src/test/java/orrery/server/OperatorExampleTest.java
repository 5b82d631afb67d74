package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;

/** The example of docs/operator-api.md is what the server answers, sizes included. */
final class OperatorExampleTest {
    private static final String LINK = "dbs/food/colls/tiny";
    private static final String REQUEST = "GET /_orrery/dbs/food/colls/tiny/partitions?keys=1\n";

    @Test
    void thePartitionsOfTheExample() throws IOException {
        try (ServerFixture server = ServerFixture.start(AccountSettings.DEFAULT)) {
            server.createDatabase("food");
            server.createContainer("food", "tiny", "x-ms-offer-throughput", "400");
            server.createItem("food", "tiny", "LAX", "1", "");
            call(server, "PUT", "throughput", "{\"autoscale\":4000}");
            call(server, "POST", "split", "{\"range\":0}");

            String answer = call(server, "GET", "partitions?keys=1", "");

            assertThat(withoutMoment(documented())).isEqualTo(withoutMoment(answer));
        }
    }

    private static String call(ServerFixture server, String verb, String what, String body) {
        HttpResponse<String> reply =
                server.operator(server.keys().primary(), verb, LINK, what, body);
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    private static String documented() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "operator-api.md"));
        int from = page.indexOf(REQUEST);
        assertThat(from).isNotNegative();
        String example = page.substring(from + REQUEST.length());
        return example.substring(0, example.indexOf("```")).replaceAll("\n *", "");
    }

    /** Leaves out what another moment, or another account, would answer otherwise. */
    private static String withoutMoment(String json) {
        return json.replaceAll("\"(ru|requests|refused|durationMillis)\":[-+.0-9eE]+", "\"$1\":0")
                .replaceAll("\"(time|rid)\":\"[^\"]*\"", "\"$1\":\"\"")
                .replaceAll(
                        "\"logicalPartitionMaxBytes\":[0-9]+", "\"logicalPartitionMaxBytes\":0");
    }
}
