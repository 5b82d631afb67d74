package orrery.bench.load;

import java.time.Instant;
import java.util.Map;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;

/** The requests of the measurements as bytes, signed at the moment they are made. */
public final class SqlMessages {
    /** Every measurement keeps its containers here. */
    public static final String DATABASE = "bench";

    private static final int LEAST_THROUGHPUT = 400;
    private static final RequestSigner SIGNER = new RequestSigner(AccountKeys.WELL_KNOWN_KEY);

    private SqlMessages() {}

    public static byte[] readAccount() {
        return message("GET", "", "", "", Map.of(), "");
    }

    public static byte[] createDatabase() {
        return message("POST", "dbs", "", "dbs", Map.of(), "{\"id\":\"" + DATABASE + "\"}");
    }

    /**
     * @param indexing the JSON of the indexing policy, empty for the default
     */
    public static byte[] createContainer(String name, String indexing) {
        return createContainer(name, indexing, LEAST_THROUGHPUT);
    }

    public static byte[] createContainer(String name, String indexing, int requestUnits) {
        String database = "dbs/" + DATABASE;
        return message(
                "POST",
                "colls",
                database,
                database + "/colls",
                Map.of("x-ms-offer-throughput", Integer.toString(requestUnits)),
                definition(name, indexing));
    }

    public static byte[] replaceContainer(String name, String indexing) {
        String link = container(name);
        return message("PUT", "colls", link, link, Map.of(), definition(name, indexing));
    }

    private static String definition(String name, String indexing) {
        String policy = indexing.isEmpty() ? "" : ",\"indexingPolicy\":" + indexing;
        return "{\"id\":\""
                + name
                + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\","
                + "\"version\":2}"
                + policy
                + "}";
    }

    public static byte[] readItem(String container, long number) {
        String link = container(container) + "/docs/" + SampleItem.id(number);
        return message("GET", "docs", link, link, key(SampleItem.id(number)), "");
    }

    public static byte[] createItem(String container, long number) {
        return createItems(container).with(number);
    }

    /**
     * @param body the JSON of an item that has the key
     */
    public static byte[] createItem(String container, String key, String body) {
        return post(container, "docs", key(key), body);
    }

    /**
     * Asks all partitions for as many results as fit on a page.
     *
     * @param text with nothing in it that JSON has to escape
     */
    public static byte[] query(String container, String text) {
        return post(
                container,
                "docs",
                Map.of(
                        "x-ms-documentdb-isquery",
                        "True",
                        "x-ms-documentdb-query-enablecrosspartition",
                        "True",
                        "x-ms-max-item-count",
                        "-1"),
                "{\"query\":\"" + text + "\",\"parameters\":[]}");
    }

    /** A page of all items, as large as pages get. */
    public static byte[] readItems(String container) {
        String link = container(container);
        return message(
                "GET", "docs", link, link + "/docs", Map.of("x-ms-max-item-count", "-1"), "");
    }

    /**
     * @param operations a JSON array
     */
    public static byte[] batch(String container, String key, String operations) {
        return post(
                container,
                "docs",
                Map.of(
                        "x-ms-documentdb-partitionkey",
                        "[\"" + key + "\"]",
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-atomic",
                        "True"),
                operations);
    }

    /**
     * @param operations a JSON array; each has its key, and they are carried out one by one
     */
    public static byte[] bulk(String container, String operations) {
        return post(
                container,
                "docs",
                Map.of(
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-atomic",
                        "False",
                        "x-ms-cosmos-batch-continue-on-error",
                        "False"),
                operations);
    }

    /**
     * @param body JavaScript with nothing in it that JSON has to escape
     */
    public static byte[] createProcedure(String container, String name, String body) {
        String procedure = "{\"id\":\"" + name + "\",\"body\":\"" + body + "\"}";
        return post(container, "sprocs", Map.of(), procedure);
    }

    public static byte[] execute(String container, String procedure, String key) {
        String link = container(container) + "/sprocs/" + procedure;
        return message("POST", "sprocs", link, link, key(key), "[]");
    }

    /** The head of a request that nobody signed, for a body that comes later or never. */
    public static byte[] unsignedCreate(String container, int bodyBytes) {
        StringBuilder text = new StringBuilder(256);
        text.append("POST /").append(container(container)).append("/docs HTTP/1.1\r\n");
        field(text, "Host", "localhost");
        field(text, "Content-Type", "application/json");
        field(text, "Content-Length", Integer.toString(bodyBytes));
        return SampleItem.ascii(text.append("\r\n").toString());
    }

    /** One signature serves all numbers, because it does not depend on the item. */
    static NumberedText createItems(String container) {
        return new NumberedText(post(container, "docs", key(SampleItem.MARK), SampleItem.text()));
    }

    private static String container(String name) {
        return "dbs/" + DATABASE + "/colls/" + name;
    }

    /** Sends a body to the feed of a container that has resources of this type. */
    private static byte[] post(
            String container, String type, Map<String, String> fields, String body) {
        String link = container(container);
        return message("POST", type, link, link + "/" + type, fields, body);
    }

    private static Map<String, String> key(String id) {
        return Map.of("x-ms-documentdb-partitionkey", "[\"" + id + "\"]");
    }

    private static byte[] message(
            String verb,
            String type,
            String link,
            String path,
            Map<String, String> fields,
            String body) {
        String date = RequestSigner.date(Instant.now());
        StringBuilder text = new StringBuilder(2048);
        text.append(verb).append(" /").append(path).append(" HTTP/1.1\r\n");
        field(text, "Host", "localhost");
        field(text, "Accept", "application/json");
        field(text, "User-Agent", "orrery-bench");
        field(text, "x-ms-version", "2020-07-15");
        field(text, "x-ms-date", date);
        field(text, "authorization", SIGNER.authorization(verb, type, link, date));
        fields.forEach((name, value) -> field(text, name, value));
        if (!body.isEmpty()) {
            field(text, "Content-Type", "application/json");
            field(text, "Content-Length", Integer.toString(body.length()));
        }
        return SampleItem.ascii(text.append("\r\n").append(body).toString());
    }

    private static void field(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append("\r\n");
    }
}
