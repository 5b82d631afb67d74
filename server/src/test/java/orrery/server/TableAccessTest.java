package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;
import orrery.storage.StoreOptions;

/** Asks the Table API of a whole server with every kind of credential. */
final class TableAccessTest {
    private static final String AZURITE_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final String VERSION = "2019-02-02";
    private static final String NEVER = "2100-01-01T00:00:00Z";

    private static OrreryServer server;

    @BeforeAll
    static void start() throws IOException {
        server =
                OrreryServer.start(
                        new NodeConfig(
                                Optional.empty(),
                                "127.0.0.1",
                                0,
                                0,
                                Optional.empty(),
                                Optional.empty(),
                                Set.of(),
                                AccountSettings.DEFAULT,
                                StoreOptions.DEFAULT,
                                0));
        for (String table : List.of("People", "Others")) {
            assertThat(signed("POST", "/Tables", "{\"TableName\":\"" + table + "\"}"))
                    .startsWith("HTTP/1.1 201");
            for (String keys : List.of("a/1", "b/1", "b/2", "b/3", "c/1")) {
                assertThat(signed("POST", "/" + table, entity(keys))).startsWith("HTTP/1.1 201");
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String entity(String keys) {
        return "{\"PartitionKey\":\"%s\",\"RowKey\":\"%s\"}"
                .formatted(keys.substring(0, 1), keys.substring(2));
    }

    private static String send(String method, String target, String body, String... headers)
            throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.tablePort().orElseThrow())) {
            String head =
                    method
                            + " "
                            + target
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Accept: application/json;odata=nometadata\r\n"
                            + (body.isEmpty() ? "" : "Content-Type: application/json\r\n")
                            + "Content-Length: "
                            + body.length()
                            + "\r\n"
                            + List.of(headers).stream()
                                    .map(line -> line + "\r\n")
                                    .collect(Collectors.joining())
                            + "\r\n"
                            + body;
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String signature(String key, String text) {
        return Base64.getEncoder().encodeToString(new RequestSigner(key).sign(text));
    }

    private static String signed(String method, String target, String body) throws IOException {
        return lite("localhost", server.keys().primary(), method, target, body);
    }

    private static String lite(
            String account, String key, String method, String target, String body)
            throws IOException {
        String date = RequestSigner.date(Instant.now());
        return lite(account, key, date, method, target, body);
    }

    private static String lite(
            String account, String key, String date, String method, String target, String body)
            throws IOException {
        String path = target.split("\\?", 2)[0];
        String comp =
                target.contains("comp=")
                        ? "?comp=" + target.split("comp=", 2)[1].split("&", 2)[0]
                        : "";
        String text = date + "\n/" + account + path + comp;
        return send(
                method,
                target,
                body,
                "x-ms-date: " + date,
                "Authorization: SharedKeyLite " + account + ":" + signature(key, text));
    }

    /** A signature for the table People; parameters that are given count. */
    private static Map<String, String> table(String... parameters) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("sv", VERSION);
        all.put("tn", "People");
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        String text =
                List.of("sp", "st", "se").stream()
                                .map(name -> all.getOrDefault(name, ""))
                                .collect(Collectors.joining("\n"))
                        + "\n/table/localhost/people\n"
                        + List.of("si", "sip", "spr", "sv", "spk", "srk", "epk", "erk").stream()
                                .map(name -> all.getOrDefault(name, ""))
                                .collect(Collectors.joining("\n"));
        all.put("sig", signature(server.keys().primary(), text));
        return all;
    }

    private static Map<String, String> account(String rights, String types, String services) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("sv", VERSION);
        all.put("ss", services);
        all.put("srt", types);
        all.put("sp", rights);
        all.put("se", NEVER);
        String text =
                String.join(
                        "\n", "localhost", rights, services, types, "", NEVER, "", "", VERSION, "");
        all.put("sig", signature(server.keys().primary(), text));
        return all;
    }

    private static String query(Map<String, String> signature) {
        return signature.entrySet().stream()
                .map(
                        each ->
                                each.getKey()
                                        + "="
                                        + URLEncoder.encode(
                                                each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static String with(
            Map<String, String> signature, String method, String target, String... body)
            throws IOException {
        return send(
                method,
                target + (target.contains("?") ? "&" : "?") + query(signature),
                body.length == 0 ? "" : body[0],
                method.equals("DELETE") ? "If-Match: *" : "x-none: 1");
    }

    private static String status(String reply) {
        String code =
                reply.split("x-ms-error-code: ", 2).length > 1
                        ? " " + reply.split("x-ms-error-code: ", 2)[1].split("\r\n", 2)[0]
                        : "";
        return reply.substring(9, 12) + code;
    }

    @Test
    void nobodyAndStrangersAreRefused() throws IOException {
        assertThat(status(send("GET", "/Tables", ""))).isEqualTo("403 AuthenticationFailed");
        assertThat(
                        status(
                                lite(
                                        "localhost",
                                        AccountKeys.newKey(new SecureRandom()),
                                        "GET",
                                        "/Tables",
                                        "")))
                .isEqualTo("403 AuthenticationFailed");
        String late = RequestSigner.date(Instant.now().minus(16, ChronoUnit.MINUTES));
        assertThat(status(lite("localhost", server.keys().primary(), late, "GET", "/Tables", "")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(
                        send(
                                "GET",
                                "/Tables",
                                "",
                                "Authorization: type%3Dresource%26ver%3D1.0%26sig%3Dx"))
                .contains("400")
                .contains("SQL API");
    }

    @Test
    void accountsHaveAnyNameAndPublishedKeysAreAliases() throws IOException {
        assertThat(lite("devstoreaccount1", AZURITE_KEY, "GET", "/devstoreaccount1/Tables", ""))
                .contains("200 OK")
                .contains("People");
        assertThat(lite("acct", server.keys().primary(), "GET", "/Tables", "")).contains("200 OK");
        assertThat(lite("a", server.keys().primary(), "GET", "/a-secondary/Tables", ""))
                .contains("200 OK");
    }

    @Test
    void readOnlyKeysRead() throws IOException {
        String key = server.keys().primaryReadOnly();
        assertThat(lite("localhost", key, "GET", "/People()", "")).contains("200 OK");
        assertThat(status(lite("localhost", key, "POST", "/Tables", "{\"TableName\":\"Xyz\"}")))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(lite("localhost", key, "POST", "/People", entity("z/9"))))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(lite("localhost", key, "PUT", "/People?comp=acl", "")))
                .isEqualTo("403 AuthorizationFailure");
    }

    @ParameterizedTest
    @CsvSource({
        "r,200,403 AuthorizationPermissionMismatch,403 AuthorizationPermissionMismatch",
        "a,403 AuthorizationPermissionMismatch,409 EntityAlreadyExists,403 AuthorizationPermissionMismatch",
        "u,403 AuthorizationPermissionMismatch,403 AuthorizationPermissionMismatch,403 AuthorizationPermissionMismatch",
        "au,403 AuthorizationPermissionMismatch,409 EntityAlreadyExists,204",
    })
    void aSignatureForATableHasItsRights(String rights, String read, String insert, String upsert)
            throws IOException {
        Map<String, String> sas = table("sp", rights, "se", NEVER);
        String one = "/People(PartitionKey='a',RowKey='1')";
        assertThat(status(with(sas, "GET", "/People()"))).isEqualTo(read);
        assertThat(status(with(sas, "GET", one))).isEqualTo(read);
        assertThat(status(with(sas, "POST", "/People", entity("a/1")))).isEqualTo(insert);
        assertThat(status(with(sas, "PUT", one, entity("a/1")))).isEqualTo(upsert);
        assertThat(status(with(sas, "DELETE", one)))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(status(with(sas, "GET", "/Others()"))).isEqualTo("403 AuthorizationFailure");
        assertThat(status(with(sas, "GET", "/Missing()"))).isEqualTo("403 AuthorizationFailure");
        assertThat(status(with(sas, "GET", "/Tables"))).isEqualTo("403 AuthorizationFailure");
        assertThat(status(with(sas, "GET", "/People?comp=acl")))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(with(sas, "DELETE", "/Tables('People')")))
                .isEqualTo("403 AuthorizationFailure");
    }

    @Test
    void aSignatureForARangeOfKeysOpensNoOthers() throws IOException {
        Map<String, String> sas =
                table("sp", "raud", "se", NEVER, "spk", "b", "srk", "2", "epk", "b", "erk", "2");
        String page = with(sas, "GET", "/People()");
        assertThat(page).contains("\"RowKey\":\"2\"").doesNotContain("\"RowKey\":\"1\"");
        assertThat(page).doesNotContain("\"RowKey\":\"3\"");
        String all = with(sas, "GET", "/People()?$filter=PartitionKey%20ge%20'a'%20or%20true");
        assertThat(all).doesNotContain("\"RowKey\":\"1\"");
        for (String keys : List.of("a/1", "b/1", "b/3", "c/1")) {
            String one =
                    "/People(PartitionKey='%s',RowKey='%s')"
                            .formatted(keys.substring(0, 1), keys.substring(2));
            assertThat(status(with(sas, "GET", one))).isEqualTo("403 AuthorizationFailure");
            assertThat(status(with(sas, "PUT", one, entity(keys))))
                    .isEqualTo("403 AuthorizationFailure");
            assertThat(status(with(sas, "PATCH", one, entity(keys))))
                    .isEqualTo("403 AuthorizationFailure");
            assertThat(status(with(sas, "DELETE", one))).isEqualTo("403 AuthorizationFailure");
            assertThat(status(with(sas, "POST", "/People", entity(keys))))
                    .isEqualTo("403 AuthorizationFailure");
        }
        assertThat(status(with(sas, "PUT", "/People(PartitionKey='b',RowKey='2')", entity("b/2"))))
                .isEqualTo("204");
    }

    @Test
    void aSignatureIsBoundToTimeProtocolAndAddress() throws IOException {
        assertThat(status(with(table("sp", "r", "se", "2020-01-01"), "GET", "/People()")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(
                        status(
                                with(
                                        table("sp", "r", "st", "2099-01-01", "se", NEVER),
                                        "GET",
                                        "/People()")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(status(with(table("sp", "r", "se", NEVER, "spr", "https"), "GET", "/People()")))
                .isEqualTo("403 AuthorizationProtocolMismatch");
        assertThat(
                        status(
                                with(
                                        table("sp", "r", "se", NEVER, "sip", "10.0.0.1"),
                                        "GET",
                                        "/People()")))
                .isEqualTo("403 AuthorizationSourceIPMismatch");
        assertThat(
                        status(
                                with(
                                        table("sp", "r", "se", NEVER, "sip", "127.0.0.0-127.0.0.9"),
                                        "GET",
                                        "/People()")))
                .isEqualTo("200");
    }

    @Test
    void aChangedSignatureOpensNothing() throws IOException {
        Map<String, String> sas = table("sp", "r", "se", NEVER, "epk", "b");
        for (String name : List.of("sp", "se", "epk", "sv", "tn", "sig")) {
            Map<String, String> changed = new LinkedHashMap<>(sas);
            String value = changed.getOrDefault(name, "");
            changed.put(name, (value.charAt(0) == '2' ? "3" : "2") + value.substring(1));
            assertThat(status(with(changed, "GET", "/People()"))).as(name).startsWith("403");
            changed.remove(name);
            assertThat(status(with(changed, "GET", "/People()"))).as(name).startsWith("403");
        }
    }

    @Test
    void aSignatureForTheAccountHasRightsAndTypes() throws IOException {
        Map<String, String> all = account("rwdlacu", "sco", "t");
        assertThat(status(with(all, "GET", "/Tables"))).isEqualTo("200");
        assertThat(status(with(all, "GET", "/People()"))).isEqualTo("200");
        assertThat(status(with(all, "POST", "/Tables", "{\"TableName\":\"Made\"}")))
                .isEqualTo("201");
        assertThat(status(with(all, "DELETE", "/Tables('Made')"))).isEqualTo("204");
        assertThat(status(with(all, "GET", "/?restype=service&comp=properties"))).isEqualTo("200");
        assertThat(status(with(account("rwdlacu", "o", "t"), "GET", "/Tables")))
                .isEqualTo("403 AuthorizationResourceTypeMismatch");
        assertThat(status(with(account("rwdlacu", "c", "t"), "GET", "/People()")))
                .isEqualTo("403 AuthorizationResourceTypeMismatch");
        assertThat(status(with(account("r", "sco", "t"), "GET", "/Tables")))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(status(with(account("rwdlacu", "sco", "b"), "GET", "/Tables")))
                .isEqualTo("403 AuthorizationServiceMismatch");
    }

    @Test
    void policiesGiveAndTakeRights() throws IOException {
        String acl =
                "<SignedIdentifiers><SignedIdentifier><Id>p</Id><AccessPolicy><Expiry>"
                        + NEVER
                        + "</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier>"
                        + "</SignedIdentifiers>";
        Map<String, String> sas = table("si", "p");
        assertThat(status(with(sas, "GET", "/People()"))).isEqualTo("403 AuthenticationFailed");
        assertThat(status(signed("PUT", "/People?comp=acl", acl))).isEqualTo("204");
        assertThat(signed("GET", "/People?comp=acl", "")).contains("<Id>p</Id>").contains(NEVER);
        assertThat(status(with(sas, "GET", "/People()"))).isEqualTo("200");
        assertThat(status(with(sas, "POST", "/People", entity("n/1"))))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(status(signed("PUT", "/People?comp=acl", "<SignedIdentifiers/>")))
                .isEqualTo("204");
        assertThat(status(with(sas, "GET", "/People()"))).isEqualTo("403 AuthenticationFailed");
        assertThat(status(signed("PUT", "/People?comp=acl", acl.replace("</Id>", "</Id><X/>"))))
                .isEqualTo("400 InvalidXmlDocument");
    }

    @Test
    void theServiceHasPropertiesAndStatistics() throws IOException {
        String path = "/?restype=service&comp=properties";
        String cors =
                "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>http://a.example"
                        + "</AllowedOrigins><AllowedMethods>GET</AllowedMethods><AllowedHeaders>*"
                        + "</AllowedHeaders><ExposedHeaders>*</ExposedHeaders><MaxAgeInSeconds>5"
                        + "</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>";
        assertThat(status(signed("PUT", path, cors))).isEqualTo("202");
        assertThat(signed("GET", path, "")).contains("http://a.example").contains("<Logging>");
        assertThat(status(signed("GET", "/?restype=service&comp=stats", "")))
                .isEqualTo("400 InvalidQueryParameterValue");
        assertThat(signed("GET", "/a-secondary/?restype=service&comp=stats", ""))
                .contains("<Status>live</Status>");
        assertThat(status(signed("PUT", path, "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")))
                .isEqualTo("400 InvalidXmlDocument");
    }
}
