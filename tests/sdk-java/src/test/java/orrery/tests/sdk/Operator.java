package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an operator sees of one container, and does to it. */
final class Operator implements AutoCloseable {
    private final Rest rest;
    private final String database;
    private final String container;

    Operator(RunningServer server, String database, String container) {
        this.rest = Rest.of(server);
        this.database = database;
        this.container = container;
    }

    /** How the container lies over its physical partitions, in key order. */
    List<JsonNode> partitions() {
        HttpResponse<String> reply = rest.get(target("partitions"), Map.of());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        List<JsonNode> partitions = new ArrayList<>();
        Cosmos.json(reply.body()).get("partitions").forEach(partitions::add);
        return partitions;
    }

    /** Joins a range with its right neighbour. */
    void merge(int range) {
        HttpResponse<String> reply = reshape("merge", range);
        assertThat(reply.statusCode()).as("merge of %s: %s", range, reply.body()).isEqualTo(200);
    }

    /** Splits a range; returns false where the container is being split already. */
    boolean split(int range) {
        HttpResponse<String> reply = reshape("split", range);
        if (reply.statusCode() == 409) {
            return false;
        }
        assertThat(reply.statusCode()).as("split of %s: %s", range, reply.body()).isEqualTo(200);
        return true;
    }

    private HttpResponse<String> reshape(String how, int range) {
        return rest.post(target(how), Map.of(), "{\"range\":" + range + "}");
    }

    private Rest.Target target(String what) {
        return Rest.Target.ofOperator(database, container, what);
    }

    @Override
    public void close() {
        rest.close();
    }
}
