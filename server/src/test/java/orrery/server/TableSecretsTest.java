package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.server.TableWire.NEVER;
import static orrery.server.TableWire.entity;
import static orrery.server.TableWire.status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.DataClock;
import orrery.storage.StoreOptions;

/** Follows shared access signatures to where they end, and to where they must not be found. */
final class TableSecretsTest {
    private static final String ONE = "/People(PartitionKey='a',RowKey='1')";

    @TempDir Path directory;

    private static final class Lines extends Handler {
        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            all.add(line.getMessage() + " " + line.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private ServerFixture start() {
        return start(OptionalInt.of(0));
    }

    private ServerFixture start(OptionalInt tablePort) {
        return new ServerFixture(
                new NodeConfig(
                        Optional.of(directory),
                        "127.0.0.1",
                        0,
                        0,
                        tablePort,
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        AccountSettings.DEFAULT,
                        StoreOptions.DEFAULT,
                        NodeConfig.DEFAULT_DISK_RESERVE,
                        new NodeConfig.Access(false, true, true, NodeConfig.Audit.USUAL),
                        DataClock.SYSTEM));
    }

    private static void fill(TableWire wire) throws IOException {
        assertThat(status(wire.signed("POST", "/Tables", "{\"TableName\":\"People\"}")))
                .isEqualTo("201");
        assertThat(status(wire.signed("POST", "/People", entity("a/1")))).isEqualTo("201");
    }

    @Test
    void signaturesAreInNoLogAndInNoAnswer() throws IOException {
        Lines lines = new Lines();
        Logger root = Logger.getLogger("");
        root.addHandler(lines);
        List<String> replies = new ArrayList<>();
        List<String> secrets = new ArrayList<>();
        try (ServerFixture fixture = start()) {
            TableWire wire = new TableWire(fixture.server());
            fill(wire);
            List<Map<String, String>> signatures =
                    List.of(
                            wire.table("sp", "raud", "se", NEVER),
                            wire.table("sp", "r", "se", "2020-01-01"),
                            wire.table("si", "nopolicy"),
                            wire.table("sp", "r", "se", NEVER, "sip", "10.0.0.1"),
                            wire.tableBy(fixture.keys().primaryReadOnly(), "sp", "a", "se", NEVER),
                            wire.account("l", "c", "t"),
                            wire.account("rwdlacu", "sco", "b"));
            for (Map<String, String> signature : signatures) {
                secrets.add(signature.get("sig"));
                secrets.add(TableWire.query(Map.of("sig", signature.get("sig"))));
                for (String target :
                        List.of(
                                "/Tables",
                                "/People()",
                                ONE,
                                "/People?comp=acl",
                                "/a/b/c",
                                "/%zz")) {
                    for (String method : List.of("GET", "POST", "DELETE", "PATCH")) {
                        replies.add(wire.with(signature, method, target, "{\"x\":"));
                    }
                }
                String query = TableWire.query(signature);
                replies.add(wire.send("GET", "/Tables?" + query + "&" + query, ""));
                replies.add(wire.send("GET", "/Tables?$skip=1&" + query, ""));
            }
        } finally {
            root.removeHandler(lines);
        }
        assertThat(lines.all).as("a line for each request").hasSizeGreaterThan(replies.size());
        String audit =
                Files.readString(directory.resolve("audit/refused.0.jsonl"))
                        + Files.readString(directory.resolve("audit/management.0.jsonl"));
        assertThat(audit.lines()).hasSizeGreaterThan(20);
        for (String secret : secrets) {
            assertThat(String.join("\n", lines.all)).doesNotContain(secret);
            assertThat(String.join("\n", replies)).doesNotContain(secret);
            assertThat(audit).doesNotContain(secret);
        }
    }

    @Test
    void theAuditLogNamesWhatIsDoneToTables() throws IOException {
        try (ServerFixture fixture = start()) {
            TableWire wire = new TableWire(fixture.server());
            fill(wire);
            String acl = "<SignedIdentifiers/>";
            wire.signed("PUT", "/People?comp=acl", acl);
            wire.signed("PUT", "/?restype=service&comp=properties", "<StorageServiceProperties/>");
            wire.lite("acc", fixture.keys().primary(), "DELETE", "/acc/Tables('People')", "");
            wire.with(wire.table("sp", "r", "se", NEVER), "DELETE", ONE);
            wire.with(
                    wire.account("r", "o", "t"),
                    "POST",
                    "/acc/Tables",
                    "{\"TableName\":\"Other\"}");
            wire.send("POST", "/acc/$batch", "");
        }
        assertThat(audited("management"))
                .containsExactly(
                        "POST tables /Tables",
                        "PUT table access policies /People",
                        "PUT table service /",
                        "DELETE tables /acc/Tables('People')");
        assertThat(audited("refused"))
                .containsExactly(
                        "DELETE entities " + ONE,
                        "POST tables /acc/Tables",
                        "POST $batch /acc/$batch");
    }

    private List<String> audited(String kind) throws IOException {
        return Files.readAllLines(directory.resolve("audit/" + kind + ".0.jsonl")).stream()
                .map(line -> (Value.Obj) JsonText.parse(line))
                .map(line -> text(line, "operation") + " " + text(line, "link"))
                .toList();
    }

    private static String text(Value.Obj line, String name) {
        return line.properties().get(name) instanceof Value.Text(String text) ? text : "";
    }

    @Test
    void aSignatureEndsWithItsKey() throws IOException {
        try (ServerFixture fixture = start()) {
            TableWire wire = new TableWire(fixture.server());
            fill(wire);
            String secondary = fixture.keys().secondary();
            Map<String, String> ofPrimary = wire.table("sp", "r", "se", NEVER);
            Map<String, String> ofSecondary = wire.tableBy(secondary, "sp", "r", "se", NEVER);
            Map<String, String> ofAccount = wire.account("rl", "sco", "t");
            fixture.account(secondary, "POST", "keys", "{\"replace\":[\"primary\"]}");
            assertThat(status(wire.with(ofPrimary, "GET", ONE)))
                    .isEqualTo("403 AuthenticationFailed");
            assertThat(status(wire.with(ofAccount, "GET", "/Tables")))
                    .isEqualTo("403 AuthenticationFailed");
            assertThat(status(wire.with(ofSecondary, "GET", ONE))).isEqualTo("200");
            assertThat(status(wire.with(wire.table("sp", "r", "se", NEVER), "GET", ONE)))
                    .isEqualTo("200");
            fixture.account(
                    fixture.keys().primary(), "POST", "keys", "{\"replace\":[\"secondary\"]}");
            assertThat(status(wire.with(ofSecondary, "GET", ONE)))
                    .isEqualTo("403 AuthenticationFailed");
        }
    }

    @Test
    void serversSideBySideHaveTablesOfTheirOwn() throws IOException {
        try (ServerFixture here = start();
                OrreryServer there = TableWire.start()) {
            TableWire one = new TableWire(here.server());
            TableWire other = new TableWire(there);
            assertThat(here.server().tablePort()).isNotEqualTo(there.tablePort());
            fill(one);
            assertThat(one.signed("GET", "/Tables", "")).contains("People");
            assertThat(other.signed("GET", "/Tables", "")).doesNotContain("People");
            fill(other);
            assertThat(status(other.signed("DELETE", "/Tables('People')", ""))).isEqualTo("204");
            assertThat(status(one.signed("GET", ONE, ""))).isEqualTo("200");
        }
    }

    @Test
    void aServerWithoutAPortForTablesServesNone() throws IOException {
        try (ServerFixture fixture = start()) {
            fill(new TableWire(fixture.server()));
        }
        try (ServerFixture fixture = start(OptionalInt.empty())) {
            assertThat(fixture.server().tablePort()).isEmpty();
            assertThat(fixture.server().tableEndpoint()).isEmpty();
            // The same entities are there for SQL, and for the next start.
            assertThat(
                            fixture.sqlReply(
                                            "GET",
                                            "colls",
                                            "dbs/TablesDB",
                                            "dbs/TablesDB/colls",
                                            "")
                                    .body())
                    .contains("\"People\"");
        }
        try (ServerFixture fixture = start()) {
            assertThat(status(new TableWire(fixture.server()).signed("GET", ONE, "")))
                    .isEqualTo("200");
        }
    }
}
