package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.server.TableWire.NEVER;
import static orrery.server.TableWire.entity;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.frontend.table.TablePath;
import orrery.model.security.AccountKeys;

/**
 * Every route of the Table API with every kind of principal. A kind of resource, or a method of
 * one, that no request here is for fails the test.
 */
final class TableAccessMatrixTest {
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "MERGE", "DELETE");
    private static final String ONE = "/People(PartitionKey='a',RowKey='1')";
    private static final String OLD = "If-Match: W/\"datetime'2020-01-01T00%3A00%3A00.0000000Z'\"";
    private static final String PROPERTIES = "/?restype=service&comp=properties";
    private static final String PROPERTIES_BODY =
            "<StorageServiceProperties><Cors/></StorageServiceProperties>";

    /** Rights that open a route, each of these sets by itself; none where only keys do. */
    private static final List<String> KEYS_ONLY = List.of();

    /**
     * A request and its rule.
     *
     * @param level the letter of its type of resource in signatures for the account
     * @param ofTable the rights in a signature for the table that open it
     * @param ofAccount the same for the account
     * @param status of the answer to those who may
     */
    private record Case(
            String method,
            String target,
            String body,
            List<String> headers,
            boolean changes,
            char level,
            List<String> ofTable,
            List<String> ofAccount,
            int status) {
        @Override
        public String toString() {
            return method + " " + target + " " + headers + " " + body.lines().limit(9).toList();
        }

        Class<?> route() {
            String path = target.split("\\?", 2)[0];
            return TablePath.parse(path, target.contains("restype=service")).target().getClass();
        }

        Case with(String header) {
            return new Case(
                    method,
                    target,
                    body,
                    Stream.concat(headers.stream(), Stream.of(header)).toList(),
                    changes,
                    level,
                    ofTable,
                    ofAccount,
                    status);
        }
    }

    /** A request about tables or the service, which a signature for one table never opens. */
    private static Case managed(
            String method, String target, String body, char level, int status, String... rights) {
        return new Case(
                method,
                target,
                body,
                List.of(),
                !method.equals("GET"),
                level,
                KEYS_ONLY,
                List.of(rights),
                status);
    }

    /** A request about entities; both kinds of signatures need the same rights. */
    private static Case ofEntities(
            String method, String target, String body, int status, String rights) {
        return new Case(
                method,
                target,
                body,
                List.of(),
                !rights.equals("r"),
                'o',
                List.of(rights),
                List.of(rights),
                status);
    }

    private static Case batch(String method, String path, String body, String header, String need) {
        String part =
                method
                        + " http://localhost"
                        + path
                        + " HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n"
                        + "Content-Type: application/json\r\nPrefer: return-no-content\r\n"
                        + (header.isEmpty() ? "" : header + "\r\n")
                        + "\r\n"
                        + body;
        String whole =
                method.equals("GET")
                        ? "--b\r\nContent-Type: application/http\r\n\r\n" + part + "\r\n--b--\r\n"
                        : "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
                                + "--c\r\nContent-Type: application/http\r\n\r\n"
                                + part
                                + "\r\n--c--\r\n--b--\r\n";
        return ofEntities("POST", "/$batch", whole, 202, need)
                .with("Content-Type: multipart/mixed; boundary=b");
    }

    private static final List<Case> CASES =
            List.of(
                    managed("GET", "/Tables", "", 'c', 200, "l"),
                    managed("POST", "/Tables", "{\"TableName\":\"People\"}", 'c', 409, "w", "c"),
                    managed("GET", "/Tables('People')", "", 'c', 200, "l"),
                    managed("DELETE", "/Tables('Victim')", "", 'c', 204, "d"),
                    managed("GET", PROPERTIES, "", 's', 200, "r"),
                    managed("PUT", PROPERTIES, PROPERTIES_BODY, 's', 202, "w"),
                    managed("GET", "/?restype=service&comp=stats", "", 's', 400, "r"),
                    managed("GET", "/People?comp=acl", "", 'c', 200),
                    managed("PUT", "/People?comp=acl", "<SignedIdentifiers/>", 'c', 204),
                    ofEntities("GET", "/People()", "", 200, "r"),
                    ofEntities("GET", "/People", "", 200, "r"),
                    ofEntities("POST", "/People", entity("a/1"), 409, "a"),
                    ofEntities("GET", ONE, "", 200, "r"),
                    ofEntities("PUT", ONE, entity("a/1"), 204, "au"),
                    ofEntities("PUT", ONE, entity("a/1"), 412, "u").with(OLD),
                    ofEntities("PATCH", ONE, entity("a/1"), 204, "au"),
                    ofEntities("PATCH", ONE, entity("a/1"), 412, "u").with(OLD),
                    ofEntities("MERGE", ONE, entity("a/1"), 204, "au"),
                    ofEntities("MERGE", ONE, entity("a/1"), 412, "u").with(OLD),
                    ofEntities("POST", ONE, entity("a/1"), 204, "au").with("X-HTTP-Method: MERGE"),
                    ofEntities("POST", ONE, entity("a/1"), 204, "au").with("X-HTTP-Method: PUT"),
                    ofEntities("POST", ONE, "", 412, "d").with("X-HTTP-Method: DELETE").with(OLD),
                    ofEntities("DELETE", ONE, "", 412, "d").with(OLD),
                    batch("GET", "/People()", "", "", "r"),
                    batch("GET", ONE, "", "", "r"),
                    batch("POST", "/People", entity("a/1"), "", "a"),
                    batch("PUT", ONE, entity("a/1"), "", "au"),
                    batch("PUT", ONE, entity("a/1"), OLD, "u"),
                    batch("MERGE", ONE, entity("a/1"), "", "au"),
                    batch("PATCH", ONE, entity("a/1"), OLD, "u"),
                    batch("DELETE", ONE, "", OLD, "d"));

    private static OrreryServer server;
    private static TableWire wire;
    private static Map<String, Sender> senders;

    @BeforeAll
    static void start() throws IOException {
        server = TableWire.start();
        wire = new TableWire(server);
        for (String table : List.of("People", "Others", "Victim")) {
            create(table);
        }
        assertThat(wire.signed("POST", "/People", entity("a/1"))).startsWith("HTTP/1.1 201");
        senders = senders();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void create(String table) throws IOException {
        assertThat(wire.signed("POST", "/Tables", "{\"TableName\":\"" + table + "\"}"))
                .containsPattern("^HTTP/1.1 (201|409)");
    }

    /** Sends a case as one kind of principal. */
    private interface Sender {
        String send(Case one) throws IOException;

        default boolean may(Case one) {
            return false;
        }

        /** The status for those who may not. */
        default int refusal() {
            return 403;
        }
    }

    private record WithKey(String key, boolean isReadOnly) implements Sender {
        @Override
        public String send(Case one) throws IOException {
            String[] headers = one.headers().toArray(String[]::new);
            return wire.lite("localhost", key, one.method(), one.target(), one.body(), headers);
        }

        @Override
        public boolean may(Case one) {
            return !isReadOnly || !one.changes();
        }
    }

    private record WithHeader(String header, int refusal) implements Sender {
        @Override
        public String send(Case one) throws IOException {
            String[] headers = one.with(header).headers().toArray(String[]::new);
            return wire.send(one.method(), one.target(), one.body(), headers);
        }
    }

    /**
     * @param rights that count; empty for signatures that open nothing here
     * @param levels the letters of a signature for the account, empty for one for a table
     */
    private record WithSignature(Map<String, String> signature, String rights, String levels)
            implements Sender {
        @Override
        public String send(Case one) throws IOException {
            String target = one.target() + (one.target().contains("?") ? "&" : "?");
            return wire.send(
                    one.method(),
                    target + TableWire.query(signature),
                    one.body(),
                    one.headers().toArray(String[]::new));
        }

        @Override
        public boolean may(Case one) {
            boolean isOfAccount = !levels.isEmpty();
            return (!isOfAccount || levels.indexOf(one.level()) >= 0)
                    && (isOfAccount ? one.ofAccount() : one.ofTable())
                            .stream()
                                    .anyMatch(
                                            need ->
                                                    need.chars()
                                                            .allMatch(c -> rights.indexOf(c) >= 0));
        }
    }

    private static Map<String, Sender> senders() {
        Map<String, Sender> all = new TreeMap<>();
        all.put("nobody", new WithHeader("x-nobody: 1", 403));
        all.put("a token of the SQL API", new WithHeader("Authorization: type%3Dresource", 400));
        all.put("a token of Entra", new WithHeader("Authorization: Bearer x", 400));
        AccountKeys keys = server.keys();
        all.put("a key that is none", new WithHeader("Authorization: SharedKey a:AAAA", 403));
        all.put("primary", new WithKey(keys.primary(), false));
        all.put("secondary", new WithKey(keys.secondary(), false));
        all.put("primary read-only", new WithKey(keys.primaryReadOnly(), true));
        all.put("secondary read-only", new WithKey(keys.secondaryReadOnly(), true));
        for (String rights : List.of("r", "a", "u", "d", "au", "rau", "raud")) {
            all.put(
                    "table " + rights,
                    new WithSignature(wire.table("sp", rights, "se", NEVER), rights, ""));
            all.put(
                    "table " + rights + " by a read-only key",
                    new WithSignature(
                            wire.tableBy(keys.primaryReadOnly(), "sp", rights, "se", NEVER),
                            rights.contains("r") ? "r" : "",
                            ""));
            all.put(
                    "ended table " + rights,
                    new WithSignature(wire.table("sp", rights, "se", "2020-01-01"), "", ""));
            all.put(
                    "another table " + rights,
                    new WithSignature(
                            wire.tableBy(keys.primary(), "tn", "Others", "sp", rights, "se", NEVER),
                            "",
                            ""));
        }
        for (String rights : List.of("r", "w", "d", "l", "a", "c", "u", "rwdlacu")) {
            for (String levels : List.of("s", "c", "o", "sco")) {
                all.put(
                        "account " + rights + " " + levels,
                        new WithSignature(wire.account(rights, levels, "t"), rights, levels));
            }
            all.put(
                    "account of blobs " + rights,
                    new WithSignature(wire.account(rights, "sco", "bfq"), "", "sco"));
        }
        return all;
    }

    static Stream<Case> cases() {
        return CASES.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRouteOpensForThoseWhoMay(Case one) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Sender> sender : senders.entrySet()) {
            if (one.target().contains("Victim")) {
                create("Victim");
            }
            String reply = sender.getValue().send(one);
            int expected = sender.getValue().may(one) ? one.status() : sender.getValue().refusal();
            if (!reply.startsWith("HTTP/1.1 " + expected)) {
                wrong.add(sender.getKey() + ": " + expected + " but " + TableWire.status(reply));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyKindOfResourceHasACase() {
        assertThat(CASES.stream().map(Case::route).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(TablePath.Target.class.getPermittedSubclasses());
    }

    /** A method without a rule is one that the resource does not have, whoever asks. */
    @Test
    void everyOtherMethodIsRefused() throws IOException {
        Set<String> ruled = new TreeSet<>();
        CASES.forEach(one -> ruled.add(one.method() + " " + resource(one)));
        List<String> targets =
                CASES.stream().map(TableAccessMatrixTest::resource).distinct().toList();
        List<String> answered = new ArrayList<>();
        for (String target : targets) {
            for (String method : METHODS) {
                if (!ruled.contains(method + " " + target)) {
                    String reply = wire.signed(method, target, "");
                    if (!reply.startsWith("HTTP/1.1 405")) {
                        answered.add(method + " " + target + ": " + TableWire.status(reply));
                    }
                }
            }
        }
        assertThat(answered).isEmpty();
    }

    /** The same for all addresses of one resource. */
    private static String resource(Case one) {
        return one.target().replace("Victim", "People").replace("()", "");
    }

    @Test
    void aKeyOfAnotherAccountOpensNothing() throws IOException {
        Sender stranger = new WithKey(AccountKeys.newKey(new SecureRandom()), false);
        for (Case one : CASES) {
            assertThat(stranger.send(one)).as(one.toString()).startsWith("HTTP/1.1 403");
        }
    }
}
