package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An operator's view of one container and commands to it. */
final class Operator implements AutoCloseable {
    private final Rest rest;
    private final String database;
    private final String container;

    Operator(RunningServer server, String database, String container) {
        this.rest = Rest.of(server);
        this.database = database;
        this.container = container;
    }

    /** Returns the layout of the container over its physical partitions, in key order. */
    List<JsonNode> partitions() {
        HttpResponse<String> reply = rest.get(target("partitions"), Map.of());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        List<JsonNode> partitions = new ArrayList<>();
        Cosmos.json(reply.body()).get("partitions").forEach(partitions::add);
        return partitions;
    }

    /** Joins a range with its right neighbour; false where a split was faster. */
    boolean merge(int range) {
        return reshape("merge", range);
    }

    /** Splits a range; false where another split was faster. */
    boolean split(int range) {
        return reshape("split", range);
    }

    private boolean reshape(String how, int range) {
        HttpResponse<String> reply = rest.post(target(how), Map.of(), "{\"range\":" + range + "}");
        boolean isUnderWay = reply.statusCode() == 409;
        boolean isGone = reply.statusCode() == 400 && reply.body().contains("has no such range");
        if (isUnderWay || isGone) {
            return false;
        }
        assertThat(reply.statusCode()).as("%s of %s: %s", how, range, reply.body()).isEqualTo(200);
        return true;
    }

    private Rest.Target target(String what) {
        return Rest.Target.ofOperator(database, container, what);
    }

    @Override
    public void close() {
        rest.close();
    }
}
