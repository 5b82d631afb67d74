package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.DataClock;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.storage.StoreOptions;

/** Account keys: made, shown, replaced, and taken over from an older version. */
final class KeysCommandTest {
    private static final Pattern LINE = Pattern.compile("(\\S+(?: read-only)?) +(\\S{86}==)");

    @TempDir Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private ServerFixture start() {
        return ServerFixture.start(Optional.of(data()), AccountSettings.DEFAULT);
    }

    private ServerFixture.Output keys(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "keys";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 2] = "--data";
        all[all.length - 1] = data().toString();
        return ServerFixture.command(all);
    }

    private static Map<String, String> parse(ServerFixture.Output output) {
        assertThat(output.exitCode()).as(output.err()).isZero();
        return output.out()
                .lines()
                .map(LINE::matcher)
                .filter(match -> match.matches())
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2)));
    }

    private static int listDatabases(ServerFixture server, String key) {
        return server.signed(key, "GET", "dbs", "", "dbs").statusCode();
    }

    @Test
    void keysAreMadeBeforeTheFirstStart() {
        Map<String, String> made = parse(keys("new"));
        assertThat(made)
                .containsOnlyKeys(
                        "primary", "secondary", "primary read-only", "secondary read-only");
        assertThat(parse(keys("show"))).isEqualTo(made);
        AccountSettings settings = AccountSettings.DEFAULT.withServiceQuotas(true);
        try (ServerFixture server = ServerFixture.start(Optional.of(data()), settings)) {
            assertThat(server.keys().primary()).isEqualTo(made.get("primary"));
            assertThat(server.server().settings()).isEqualTo(settings);
            assertThat(parse(keys("show"))).isEqualTo(made);
        }
    }

    @Test
    void keysThatWereMadeAreReplacedOnRequestOnly() {
        Map<String, String> made = parse(keys("new"));
        ServerFixture.Output refused = keys("new");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .contains("--rotate")
                .contains("`orrery keys show --data " + data() + "` prints them");
        assertThat(parse(keys("show"))).isEqualTo(made);
        try (ServerFixture server = start()) {
            assertThat(server.run("keys", "new", "--key", server.keys().primary()).err())
                    .contains("`orrery keys show --endpoint " + server.endpoint() + "` prints");
        }
        ServerFixture.Output rotated = keys("new", "--rotate", "--which", "secondary");
        assertThat(rotated.err()).contains("Replaced: secondary");
        assertThat(parse(rotated)).containsOnlyKeys("secondary");
        assertThat(parse(keys("show")))
                .containsEntry("primary", made.get("primary"))
                .containsEntry("secondary", parse(rotated).get("secondary"));
    }

    /** So that clients move to the other key first, and none of them is shut out. */
    @Test
    void aRunningServerTakesAReplacedKeyOverAtOnce() {
        keys("new");
        try (ServerFixture server = start()) {
            AccountKeys before = server.keys();
            assertThat(listDatabases(server, before.primary())).isEqualTo(200);
            parse(keys("new", "--rotate", "--which", "primary"));
            assertThat(listDatabases(server, before.primary())).isEqualTo(401);
            assertThat(listDatabases(server, before.secondary())).isEqualTo(200);
            assertThat(listDatabases(server, server.keys().primary())).isEqualTo(200);
            assertThat(server.keys().primaryReadOnly()).isEqualTo(before.primaryReadOnly());
            parse(keys("new", "--rotate"));
            assertThat(listDatabases(server, before.secondary())).isEqualTo(401);
            assertThat(listDatabases(server, before.primaryReadOnly())).isEqualTo(401);
        }
        try (ServerFixture server = start()) {
            assertThat(parse(keys("show"))).containsValue(server.keys().secondaryReadOnly());
        }
    }

    /** A connection string with a key that its owner is about to replace would mislead. */
    @Test
    void aStartShowsThePrimaryKeyIfEverybodyKnowsIt() {
        AccountKeys known = AccountKeys.wellKnown(new SecureRandom());
        assertThat(StartCommand.shownKey(known, Optional.of(data())))
                .isEqualTo(AccountKeys.WELL_KNOWN_KEY);
        AccountKeys mixed =
                known.replacing(Map.of(KeyKind.PRIMARY, AccountKeys.newKey(new SecureRandom())));
        assertThat(StartCommand.shownKey(mixed, Optional.of(data())))
                .isEqualTo("<see `orrery keys show --data " + data() + "`>");
    }

    @Test
    void aKeyIsReplacedWhileNoServerRuns() {
        Map<String, String> made = parse(keys("new"));
        ServerFixture.Output wrong = keys("new", "--rotate", "--which", "tertiary");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("'tertiary' is not one of primary, secondary");
        assertThat(parse(keys("show"))).isEqualTo(made);

        ServerFixture.Output replaced =
                keys("new", "--rotate", "--which", "secondary-readonly", "--output", "json");
        assertThat(replaced.exitCode()).as(replaced.err()).isZero();
        Value.Obj json = (Value.Obj) JsonText.parse(replaced.out());
        assertThat(json.properties()).containsOnlyKeys("secondary-readonly");
        try (ServerFixture server = start()) {
            AccountKeys now = server.keys();
            assertThat(now.primary()).isEqualTo(made.get("primary"));
            assertThat(now.secondary()).isEqualTo(made.get("secondary"));
            assertThat(now.primaryReadOnly()).isEqualTo(made.get("primary read-only"));
            assertThat(Value.of(now.secondaryReadOnly()))
                    .isEqualTo(json.properties().get("secondary-readonly"));
            assertThat(
                            server.signed(
                                            made.getOrDefault("secondary read-only", ""),
                                            "GET",
                                            "dbs",
                                            "",
                                            "dbs")
                                    .body())
                    .contains("If the key was replaced, use the other one of the account");
        }
    }

    /** Clients beyond this machine's name are let in once no key is public any more. */
    @Test
    void theHostRuleFollowsTheKeys() {
        try (ServerFixture server = start()) {
            assertThat(server.firstPage("evil.test")).startsWith("HTTP/1.1 421 ");
            parse(keys("new"));
            assertThat(server.firstPage("evil.test")).startsWith("HTTP/1.1 401 ");
            assertThat(listDatabases(server, AccountKeys.WELL_KNOWN_KEY)).isEqualTo(401);
        }
    }

    @Test
    void keysAreShownToHoldersOfAKeyThatWrites() {
        keys("new");
        try (ServerFixture server = start()) {
            AccountKeys keys = server.keys();
            assertThat(server.account(keys.secondary(), "GET", "keys", "").body())
                    .contains(keys.primary(), keys.secondaryReadOnly());
            assertThat(server.account(keys.primaryReadOnly(), "GET", "keys", "").statusCode())
                    .isEqualTo(403);
            assertThat(server.account("", "GET", "keys", "").statusCode()).isEqualTo(401);
            assertThat(
                            server.account(
                                            keys.primary(),
                                            "POST",
                                            "keys",
                                            "{\"replace\":[\"tertiary\"]}")
                                    .statusCode())
                    .isEqualTo(400);
            assertThat(parse(server.run("keys", "show", "--key", keys.primary())))
                    .containsEntry("secondary", keys.secondary());
            assertThat(server.run("keys", "show", "--key", keys.primaryReadOnly()).exitCode())
                    .isEqualTo(1);
        }
    }

    @Test
    void aKeyFileOfAnOlderVersionIsTakenOverOnce() throws IOException {
        AccountKeys older = AccountKeys.generate(new SecureRandom());
        start().close();
        Path other = temporary.resolve("other");
        Files.createDirectories(other);
        writeKeyFile(other, older);
        try (ServerFixture server =
                ServerFixture.start(Optional.of(other), AccountSettings.DEFAULT)) {
            assertThat(server.keys()).isEqualTo(older);
            assertThat(other.resolve("keys")).doesNotExist();
        }
        // A server that died between the catalog and the file leaves both.
        writeKeyFile(other, older);
        try (ServerFixture server =
                ServerFixture.start(Optional.of(other), AccountSettings.DEFAULT)) {
            assertThat(server.keys()).isEqualTo(older);
            assertThat(other.resolve("keys")).doesNotExist();
        }
        // Keys that the account does not have are not taken, and nobody's file is deleted.
        writeKeyFile(other, AccountKeys.generate(new SecureRandom()));
        try (ServerFixture server =
                ServerFixture.start(Optional.of(other), AccountSettings.DEFAULT)) {
            assertThat(server.keys()).isEqualTo(older);
            assertThat(other.resolve("keys")).exists();
        }
    }

    private static void writeKeyFile(Path data, AccountKeys keys) throws IOException {
        Files.writeString(
                data.resolve("keys"),
                "primary=%s\nsecondary=%s\nprimary-read-only=%s\nsecondary-read-only=%s\n"
                        .formatted(
                                keys.primary(),
                                keys.secondary(),
                                keys.primaryReadOnly(),
                                keys.secondaryReadOnly()));
    }

    private OrreryServer everywhere(NodeConfig.Access access) {
        return OrreryServer.start(
                new NodeConfig(
                        Optional.of(data()),
                        "0.0.0.0",
                        0,
                        0,
                        OptionalInt.of(0),
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        AccountSettings.DEFAULT,
                        StoreOptions.DEFAULT,
                        0,
                        access,
                        DataClock.SYSTEM));
    }

    @Test
    void beyondLoopbackKeysAreNeededOrAWord() {
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> everywhere(NodeConfig.Access.USUAL))
                .withMessageContaining("orrery keys new")
                .withMessageContaining("--new-keys")
                .withMessageContaining("--emulator-key");
        try (OrreryServer server = everywhere(new NodeConfig.Access(true, false, false))) {
            assertThat(server.keys().isWellKnown()).isTrue();
            assertThat(server.madeKeys()).isEmpty();
        }
    }

    /** Other machines know the server by names that it does not; their browsers stay outside. */
    @Test
    void withTheEmulatorKeyForEverybodyProgramsMayUseAnyName() throws IOException {
        try (OrreryServer server = everywhere(new NodeConfig.Access(true, false, false));
                Socket program = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket browser = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request = "GET /dbs HTTP/1.1\r\nHost: orrery\r\nConnection: close\r\n";
            assertThat(exchange(program, request)).startsWith("HTTP/1.1 401 ");
            assertThat(exchange(browser, request + "Accept-Language: en\r\n"))
                    .startsWith("HTTP/1.1 421 ");
        }
    }

    private static String exchange(Socket socket, String head) throws IOException {
        socket.setSoTimeout(300_000); // ends a test that hangs
        socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void newKeysAreMadeAtTheFirstStartOnly() {
        NodeConfig.Access newKeys = new NodeConfig.Access(false, true, false);
        AccountKeys made;
        try (OrreryServer server = everywhere(newKeys)) {
            made = server.madeKeys().orElseThrow();
            assertThat(server.keys()).isEqualTo(made);
            assertThat(made.includesWellKnownKey()).isFalse();
        }
        try (OrreryServer server = everywhere(newKeys)) {
            assertThat(server.madeKeys()).isEmpty();
            assertThat(server.keys()).isEqualTo(made);
        }
    }

    @Test
    void newKeysTakeThePlaceOfThePublicOne() {
        start().close();
        try (OrreryServer server = everywhere(new NodeConfig.Access(false, true, false))) {
            assertThat(server.madeKeys()).hasValue(server.keys());
            assertThat(server.keys().includesWellKnownKey()).isFalse();
        }
    }
}
