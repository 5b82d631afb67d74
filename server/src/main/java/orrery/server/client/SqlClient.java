package orrery.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.server.client.ServerConnection.Request;

/** The SQL API of one server: databases, containers and items. */
public final class SqlClient implements AutoCloseable {
    private static final String ALL = "-1";

    private final ServerConnection connection;

    SqlClient(ServerConnection connection) {
        this.connection = connection;
    }

    /** The operator API of the same server. */
    public OperatorClient operator() {
        return new OperatorClient(connection);
    }

    public List<Answer> databases() {
        return feed("/dbs", "dbs", "", "account", "Databases");
    }

    public List<Answer> containers(Place database) {
        return feed(
                "/" + database.path() + "/colls",
                "colls",
                database.link(),
                database.described(),
                "DocumentCollections");
    }

    private List<Answer> feed(
            String path, String type, String link, String subject, String member) {
        List<Answer> all = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("x-ms-max-item-count", ALL);
            continuation.ifPresent(token -> headers.put("x-ms-continuation", token));
            Reply page = send("GET", path, type, link, subject, headers, Optional.empty());
            all.addAll(page.json().objects(member));
            continuation = page.continuation();
        } while (continuation.isPresent());
        return all;
    }

    /** The definition of a database or container. */
    public Answer read(Place place) {
        return send(
                        "GET",
                        "/" + place.path(),
                        type(place),
                        place.link(),
                        place.described(),
                        Map.of(),
                        Optional.empty())
                .json();
    }

    /** The definition, or nothing where there is none. */
    public Optional<Answer> find(Place place) {
        try {
            return Optional.of(read(place));
        } catch (RefusedException refused) {
            if (refused.status() == 404) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /**
     * Creates what the body describes.
     *
     * @param headers those of the throughput
     */
    public Answer create(Place place, Value body, Map<String, String> headers) {
        Place parent = place.parent();
        String path = place.container().isPresent() ? "/" + parent.path() + "/colls" : "/dbs";
        return send(
                        "POST",
                        path,
                        type(place),
                        place.container().isPresent() ? parent.link() : "",
                        parent.described(),
                        headers,
                        Optional.of(JsonText.writeBytes(body)))
                .json();
    }

    public void delete(Place place) {
        send(
                "DELETE",
                "/" + place.path(),
                type(place),
                place.link(),
                place.described(),
                Map.of(),
                Optional.empty());
    }

    public Reply item(Place container, String id, PartitionKeyText key) {
        return send(
                "GET",
                "/" + container.path() + "/docs/" + Place.encode(id),
                "docs",
                container.link() + "/docs/" + id,
                "item '" + id + "' with this partition key in " + container,
                Map.of("x-ms-documentdb-partitionkey", key.header()),
                Optional.empty());
    }

    /** A page of items in the order of their keys, over all partitions. */
    public Reply items(Place container, int atMost, Optional<String> continuation) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-ms-max-item-count", Integer.toString(atMost));
        continuation.ifPresent(token -> headers.put("x-ms-continuation", token));
        return docs("GET", container, headers, Optional.empty());
    }

    /** A page of a query, or its plan: the headers say which. */
    public Reply query(Place container, Value query, Map<String, String> headers) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("Content-Type", "application/query+json");
        return docs("POST", container, all, Optional.of(JsonText.writeBytes(query)));
    }

    /**
     * Many operations, each by itself: the answer is an array of as many results. What is throttled
     * is for the caller to repeat.
     */
    public Reply bulk(Place container, Bytes operations) {
        return writes(
                container,
                Map.of(
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-continue-on-error",
                        "True",
                        "Prefer",
                        "return=minimal"),
                operations);
    }

    /** One item; where it is throttled, the caller repeats it. */
    public Reply write(Place container, Bytes item, boolean isUpsert) {
        return writes(
                container,
                Map.of(
                        "x-ms-documentdb-is-upsert",
                        isUpsert ? "True" : "False",
                        "Prefer",
                        "return=minimal"),
                item);
    }

    private Reply writes(Place container, Map<String, String> headers, Bytes body) {
        return connection.sendOnce(docsRequest("POST", container, headers, Optional.of(body)));
    }

    private Reply docs(
            String verb, Place container, Map<String, String> headers, Optional<Bytes> body) {
        return connection.send(docsRequest(verb, container, headers, body));
    }

    private static Request docsRequest(
            String verb, Place container, Map<String, String> headers, Optional<Bytes> body) {
        return new Request(
                verb,
                "/" + container.path() + "/docs",
                "docs",
                container.link(),
                container.described(),
                headers,
                body);
    }

    private Reply send(
            String verb,
            String path,
            String type,
            String link,
            String subject,
            Map<String, String> headers,
            Optional<Bytes> body) {
        return connection.send(new Request(verb, path, type, link, subject, headers, body));
    }

    private static String type(Place place) {
        return place.container().isPresent() ? "colls" : "dbs";
    }

    @Override
    public void close() {
        connection.close();
    }
}
