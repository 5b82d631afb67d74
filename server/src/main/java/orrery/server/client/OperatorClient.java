package orrery.server.client;

import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.server.client.ServerConnection.Request;

/** The operator API of one server. */
public final class OperatorClient {
    private final ServerConnection connection;

    OperatorClient(ServerConnection connection) {
        this.connection = connection;
    }

    public Answer get(Place place, String what) {
        return call("GET", place, what, "", Optional.empty());
    }

    /** Asks for the layout of a container over its partitions, with this many keys of each. */
    public Answer partitions(Place place, int keys) {
        return call("GET", place, "partitions", "?keys=" + keys, Optional.empty());
    }

    public Answer put(Place place, String what, Value body) {
        return call("PUT", place, what, "", Optional.of(body));
    }

    public Answer post(Place place, String what, Value body) {
        return call("POST", place, what, "", Optional.of(body));
    }

    public Answer delete(Place place, String what) {
        return call("DELETE", place, what, "", Optional.empty());
    }

    private Answer call(String verb, Place place, String what, String query, Optional<Value> body) {
        return connection
                .send(
                        new Request(
                                verb,
                                "/_orrery/" + place.path() + "/" + what + query,
                                what,
                                place.link(),
                                place.described(),
                                Map.of(),
                                body.map(JsonText::writeBytes)))
                .json();
    }
}
