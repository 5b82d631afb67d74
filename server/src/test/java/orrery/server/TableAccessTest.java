package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.server.TableWire.NEVER;
import static orrery.server.TableWire.entity;
import static orrery.server.TableWire.status;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;

/** Asks the Table API of a whole server with every kind of credential. */
final class TableAccessTest {
    private static final String AZURITE_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static OrreryServer server;
    private static TableWire wire;

    @BeforeAll
    static void start() throws IOException {
        server = TableWire.start();
        wire = new TableWire(server);
        for (String table : List.of("People", "Others")) {
            assertThat(wire.signed("POST", "/Tables", "{\"TableName\":\"" + table + "\"}"))
                    .startsWith("HTTP/1.1 201");
            for (String keys : List.of("a/1", "b/1", "b/2", "b/3", "c/1")) {
                assertThat(wire.signed("POST", "/" + table, entity(keys)))
                        .startsWith("HTTP/1.1 201");
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void nobodyAndStrangersAreRefused() throws IOException {
        assertThat(status(wire.send("GET", "/Tables", ""))).isEqualTo("403 AuthenticationFailed");
        assertThat(
                        status(
                                wire.lite(
                                        "localhost",
                                        AccountKeys.newKey(new SecureRandom()),
                                        "GET",
                                        "/Tables",
                                        "")))
                .isEqualTo("403 AuthenticationFailed");
        String late = RequestSigner.date(Instant.now().minus(16, ChronoUnit.MINUTES));
        assertThat(
                        status(
                                wire.dated(
                                        "localhost",
                                        server.keys().primary(),
                                        late,
                                        "GET",
                                        "/Tables",
                                        "")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(
                        wire.send(
                                "GET",
                                "/Tables",
                                "",
                                "Authorization: type%3Dresource%26ver%3D1.0%26sig%3Dx"))
                .contains("400")
                .contains("SQL API");
    }

    @Test
    void accountsHaveAnyNameAndPublishedKeysAreAliases() throws IOException {
        assertThat(
                        wire.lite(
                                "devstoreaccount1",
                                AZURITE_KEY,
                                "GET",
                                "/devstoreaccount1/Tables",
                                ""))
                .contains("200 OK")
                .contains("People");
        assertThat(wire.lite("acct", server.keys().primary(), "GET", "/Tables", ""))
                .contains("200 OK");
        assertThat(wire.lite("a", server.keys().primary(), "GET", "/a-secondary/Tables", ""))
                .contains("200 OK");
    }

    @Test
    void readOnlyKeysRead() throws IOException {
        String key = server.keys().primaryReadOnly();
        assertThat(wire.lite("localhost", key, "GET", "/People()", "")).contains("200 OK");
        assertThat(
                        status(
                                wire.lite(
                                        "localhost",
                                        key,
                                        "POST",
                                        "/Tables",
                                        "{\"TableName\":\"Xyz\"}")))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(wire.lite("localhost", key, "POST", "/People", entity("z/9"))))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(wire.lite("localhost", key, "PUT", "/People?comp=acl", "")))
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
        Map<String, String> sas = wire.table("sp", rights, "se", NEVER);
        String one = "/People(PartitionKey='a',RowKey='1')";
        assertThat(status(wire.with(sas, "GET", "/People()"))).isEqualTo(read);
        assertThat(status(wire.with(sas, "GET", "/People?$top=0"))).isEqualTo(read);
        assertThat(status(wire.with(sas, "GET", one))).isEqualTo(read);
        assertThat(status(wire.with(sas, "POST", "/People", entity("a/1")))).isEqualTo(insert);
        assertThat(status(wire.with(sas, "PUT", one, entity("a/1")))).isEqualTo(upsert);
        assertThat(status(wire.with(sas, "DELETE", one)))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(status(wire.with(sas, "GET", "/Others()")))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(wire.with(sas, "GET", "/Missing()")))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(wire.with(sas, "GET", "/Tables"))).isEqualTo("403 AuthorizationFailure");
        assertThat(status(wire.with(sas, "GET", "/People?comp=acl")))
                .isEqualTo("403 AuthorizationFailure");
        assertThat(status(wire.with(sas, "DELETE", "/Tables('People')")))
                .isEqualTo("403 AuthorizationFailure");
    }

    @Test
    void aSignatureForARangeOfKeysOpensNoOthers() throws IOException {
        Map<String, String> sas =
                wire.table(
                        "sp", "raud", "se", NEVER, "spk", "b", "srk", "2", "epk", "b", "erk", "2");
        String page = wire.with(sas, "GET", "/People()");
        assertThat(page).contains("\"RowKey\":\"2\"").doesNotContain("\"RowKey\":\"1\"");
        assertThat(page).doesNotContain("\"RowKey\":\"3\"");
        String all = wire.with(sas, "GET", "/People()?$filter=PartitionKey%20ge%20'a'%20or%20true");
        assertThat(all).doesNotContain("\"RowKey\":\"1\"");
        for (String keys : List.of("a/1", "b/1", "b/3", "c/1")) {
            String one =
                    "/People(PartitionKey='%s',RowKey='%s')"
                            .formatted(keys.substring(0, 1), keys.substring(2));
            assertThat(status(wire.with(sas, "GET", one))).isEqualTo("403 AuthorizationFailure");
            assertThat(status(wire.with(sas, "PUT", one, entity(keys))))
                    .isEqualTo("403 AuthorizationFailure");
            assertThat(status(wire.with(sas, "PATCH", one, entity(keys))))
                    .isEqualTo("403 AuthorizationFailure");
            assertThat(status(wire.with(sas, "DELETE", one))).isEqualTo("403 AuthorizationFailure");
            assertThat(status(wire.with(sas, "POST", "/People", entity(keys))))
                    .isEqualTo("403 AuthorizationFailure");
        }
        assertThat(
                        status(
                                wire.with(
                                        sas,
                                        "PUT",
                                        "/People(PartitionKey='b',RowKey='2')",
                                        entity("b/2"))))
                .isEqualTo("204");
    }

    @Test
    void aSignatureIsBoundToTimeProtocolAndAddress() throws IOException {
        assertThat(status(wire.with(wire.table("sp", "r", "se", "2020-01-01"), "GET", "/People()")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(
                        status(
                                wire.with(
                                        wire.table("sp", "r", "st", "2099-01-01", "se", NEVER),
                                        "GET",
                                        "/People()")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(
                        status(
                                wire.with(
                                        wire.table("sp", "r", "se", NEVER, "spr", "https"),
                                        "GET",
                                        "/People()")))
                .isEqualTo("403 AuthorizationProtocolMismatch");
        assertThat(
                        status(
                                wire.with(
                                        wire.table("sp", "r", "se", NEVER, "sip", "10.0.0.1"),
                                        "GET",
                                        "/People()")))
                .isEqualTo("403 AuthorizationSourceIPMismatch");
        assertThat(
                        status(
                                wire.with(
                                        wire.table(
                                                "sp",
                                                "r",
                                                "se",
                                                NEVER,
                                                "sip",
                                                "127.0.0.0-127.0.0.9"),
                                        "GET",
                                        "/People()")))
                .isEqualTo("200");
    }

    @Test
    void aChangedSignatureOpensNothing() throws IOException {
        Map<String, String> sas = wire.table("sp", "r", "se", NEVER, "epk", "b");
        for (String name : List.of("sp", "se", "epk", "sv", "tn", "sig")) {
            Map<String, String> changed = new LinkedHashMap<>(sas);
            String value = changed.getOrDefault(name, "");
            changed.put(name, (value.charAt(0) == '2' ? "3" : "2") + value.substring(1));
            assertThat(status(wire.with(changed, "GET", "/People()"))).as(name).startsWith("403");
            changed.remove(name);
            assertThat(status(wire.with(changed, "GET", "/People()"))).as(name).startsWith("403");
        }
    }

    @Test
    void aSignatureStandsInTheQueryOnceAndSaysWhatItIsFor() throws IOException {
        Map<String, String> sas = wire.table("sp", "r", "se", NEVER);
        assertThat(status(wire.send("GET", "/People()?" + TableWire.query(sas) + "&sig=x", "")))
                .isEqualTo("403 AuthenticationFailed");
        Map<String, String> nothing = new LinkedHashMap<>(sas);
        nothing.remove("tn");
        assertThat(wire.with(nothing, "GET", "/People()"))
                .startsWith("HTTP/1.1 403")
                .contains("neither tn, for a table, nor ss, for the account");
    }

    @Test
    void aPolicyIsFoundByTheNameOfTheTableInLettersOfEitherCase() throws IOException {
        String acl =
                "<SignedIdentifiers><SignedIdentifier><Id>q</Id><AccessPolicy><Expiry>"
                        + NEVER
                        + "</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier>"
                        + "</SignedIdentifiers>";
        assertThat(status(wire.signed("PUT", "/Others?comp=acl", acl))).isEqualTo("204");
        Map<String, String> sas = wire.tableBy(server.keys().primary(), "tn", "OTHERS", "si", "q");
        assertThat(status(wire.with(sas, "GET", "/Others()"))).isEqualTo("200");
    }

    @Test
    void aVersionIsADate() throws IOException {
        assertThat(status(wire.signed("GET", "/Tables", "", "x-ms-version: invalid")))
                .isEqualTo("400 InvalidHeaderValue");
        assertThat(wire.signed("GET", "/Tables", "", "x-ms-version: 2031-12-31"))
                .startsWith("HTTP/1.1 200")
                .contains("x-ms-version: 2031-12-31\r\n");
    }

    @Test
    void aSignatureForTheAccountHasRightsAndTypes() throws IOException {
        Map<String, String> all = wire.account("rwdlacu", "sco", "t");
        assertThat(status(wire.with(all, "GET", "/Tables"))).isEqualTo("200");
        assertThat(status(wire.with(all, "GET", "/People()"))).isEqualTo("200");
        assertThat(status(wire.with(all, "POST", "/Tables", "{\"TableName\":\"Made\"}")))
                .isEqualTo("201");
        assertThat(status(wire.with(all, "DELETE", "/Tables('Made')"))).isEqualTo("204");
        assertThat(status(wire.with(all, "GET", "/?restype=service&comp=properties")))
                .isEqualTo("200");
        assertThat(status(wire.with(wire.account("rwdlacu", "o", "t"), "GET", "/Tables")))
                .isEqualTo("403 AuthorizationResourceTypeMismatch");
        assertThat(status(wire.with(wire.account("rwdlacu", "c", "t"), "GET", "/People()")))
                .isEqualTo("403 AuthorizationResourceTypeMismatch");
        assertThat(status(wire.with(wire.account("r", "sco", "t"), "GET", "/Tables")))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(status(wire.with(wire.account("rwdlacu", "sco", "b"), "GET", "/Tables")))
                .isEqualTo("403 AuthorizationServiceMismatch");
    }

    @Test
    void policiesGiveAndTakeRights() throws IOException {
        String acl =
                "<SignedIdentifiers><SignedIdentifier><Id>p</Id><AccessPolicy><Expiry>"
                        + NEVER
                        + "</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier>"
                        + "</SignedIdentifiers>";
        Map<String, String> sas = wire.table("si", "p");
        assertThat(status(wire.with(sas, "GET", "/People()")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(status(wire.signed("PUT", "/People?comp=acl", acl))).isEqualTo("204");
        assertThat(wire.signed("GET", "/People?comp=acl", ""))
                .contains("<Id>p</Id>")
                .contains(NEVER);
        assertThat(status(wire.with(sas, "GET", "/People()"))).isEqualTo("200");
        assertThat(status(wire.with(sas, "POST", "/People", entity("n/1"))))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(status(wire.signed("PUT", "/People?comp=acl", "<SignedIdentifiers/>")))
                .isEqualTo("204");
        assertThat(status(wire.with(sas, "GET", "/People()")))
                .isEqualTo("403 AuthenticationFailed");
        assertThat(
                        status(
                                wire.signed(
                                        "PUT",
                                        "/People?comp=acl",
                                        acl.replace("</Id>", "</Id><X/>"))))
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
        assertThat(status(wire.signed("PUT", path, cors))).isEqualTo("202");
        assertThat(wire.signed("GET", path, "")).contains("http://a.example").contains("<Logging>");
        assertThat(status(wire.signed("GET", "/?restype=service&comp=stats", "")))
                .isEqualTo("400 InvalidQueryParameterValue");
        assertThat(wire.signed("GET", "/a-secondary/?restype=service&comp=stats", ""))
                .contains("<Status>live</Status>");
        assertThat(status(wire.signed("PUT", path, "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")))
                .isEqualTo("400 InvalidXmlDocument");
    }
}
