package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;

/** Flags of a start that never got ready decide nothing. */
@Timeout(900)
final class FirstStartTest {
    @TempDir private Path temporary;

    private NodeConfig config(int port, String... flags) {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--data",
                                temporary.resolve("data").toString(),
                                "--status-port",
                                "0",
                                "--port",
                                Integer.toString(port)));
        options.addAll(List.of(flags));
        return NodeConfig.of(options);
    }

    private void failToStart(String... flags) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            NodeConfig config = config(taken.getLocalPort(), flags);
            assertThatThrownBy(() -> OrreryServer.start(config).close())
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("Choose other ports");
        }
    }

    private ServerFixture.Output command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", temporary.resolve("data").toString()));
        return ServerFixture.command(all.toArray(String[]::new));
    }

    @Test
    void theStartThatGetsReadyDecides() throws IOException {
        failToStart("--service-quotas", "--new-keys");
        failToStart("--limits", "2018");
        try (OrreryServer server =
                OrreryServer.start(config(0, "--limits", "2017", "--no-throttling"))) {
            assertThat(server.settings())
                    .isEqualTo(
                            AccountSettings.of(RuleSet.RULES_2017)
                                    .withMetering(false, false, false));
            assertThat(server.keys().isWellKnown()).isTrue();
        }
        failToStart("--limits", "2024");
        try (OrreryServer server = OrreryServer.start(config(0, "--limits", "2020"))) {
            assertThat(server.settings().ruleSet()).isEqualTo(RuleSet.RULES_2017);
        }
    }

    /** The start that failed has shown its keys to nobody. */
    @Test
    void newKeysAreMadeByTheStartThatPrintsThem() throws IOException {
        failToStart("--new-keys");
        try (OrreryServer server = OrreryServer.start(config(0, "--new-keys"))) {
            assertThat(server.madeKeys()).contains(server.keys());
        }
    }

    @Test
    void whatACommandHasChangedSinceStays() throws IOException {
        failToStart("--new-keys");
        assertThat(command("keys", "new", "--rotate").exitCode()).isZero();
        assertThat(command("account", "set", "--limits", "2024").exitCode()).isZero();
        String keys = command("keys", "show").out();
        try (OrreryServer server = OrreryServer.start(config(0))) {
            assertThat(server.settings().ruleSet()).isEqualTo(RuleSet.RULES_2024);
            assertThat(keys).contains(server.keys().primary());
        }
    }
}
