package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.model.ConsistencyLevel;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Settings are given to the first start, and changed by a command of their own. */
final class AccountCommandTest {
    @TempDir Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private ServerFixture start(AccountSettings settings) {
        return ServerFixture.start(Optional.of(data()), settings);
    }

    private ServerFixture.Output account(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "account";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 2] = "--data";
        all[all.length - 1] = data().toString();
        return ServerFixture.command(all);
    }

    @Test
    void aLaterStartKeepsTheSettingsOfTheFirst() {
        AccountSettings first = AccountSettings.of(RuleSet.RULES_2018).withServiceQuotas(true);
        start(first).close();
        try (ServerFixture server = start(AccountSettings.DEFAULT)) {
            assertThat(server.server().settings()).isEqualTo(first);
        }
    }

    @Test
    void settingsAreShownAndChangedWhileNoServerRuns() {
        start(AccountSettings.DEFAULT).close();
        assertThat(account("show").out())
                .containsPattern("limits +2020\n")
                .containsPattern("partition-max-storage +50GB\n")
                .containsPattern("throttling +on\n")
                .containsPattern("default-consistency +Session\n");
        ServerFixture.Output set = account("set", "--limits", "2017", "--no-throttling");
        assertThat(set.exitCode()).as(set.err()).isZero();
        assertThat(set.out())
                .containsPattern("limits +2017\n")
                .containsPattern("partition-max-storage +10GB\n")
                .containsPattern("throttling +off\n");
        try (ServerFixture server = start(AccountSettings.DEFAULT)) {
            assertThat(server.server().settings())
                    .isEqualTo(
                            AccountSettings.of(RuleSet.RULES_2017)
                                    .withMetering(false, false, false));
        }
        assertThat(account("set", "--throttling").out()).containsPattern("throttling +on\n");
    }

    /** The owner of the data directory needs no key; others need one that writes. */
    @Test
    void aRunningServerFollowsAtOnce() {
        ServerFixture.command("keys", "new", "--data", data().toString());
        try (ServerFixture server = start(AccountSettings.DEFAULT)) {
            server.createDatabase("d");
            server.createContainer("d", "c", "x-ms-offer-throughput", "400");
            AtomicInteger keys = new AtomicInteger();
            Waiting.until(() -> create(server, keys) == 429);

            ServerFixture.Output set = account("set", "--no-throttling");
            assertThat(set.exitCode()).as(set.err()).isZero();
            for (int i = 0; i < 5; i++) {
                assertThat(create(server, keys)).isEqualTo(201);
            }

            String body = "{\"limits\":2024}";
            String readOnly = server.keys().primaryReadOnly();
            assertThat(of(server, readOnly, "GET", "").statusCode()).isEqualTo(200);
            assertThat(of(server, readOnly, "PUT", body).statusCode()).isEqualTo(403);
            assertThat(of(server, "", "GET", "").statusCode()).isEqualTo(401);
            HttpResponse<String> put = of(server, server.keys().secondary(), "PUT", body);
            assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
            assertThat(put.body()).contains("\"limits\":2024", "\"throttling\":false");
            assertThat(server.run("account", "show", "--key", readOnly).out())
                    .containsPattern("limits +2024\n");
        }
    }

    /** Costs more than the container has for a second. */
    private static int create(ServerFixture server, AtomicInteger keys) {
        return server.createLarge("d", "c", "k" + keys.incrementAndGet(), 2_000).statusCode();
    }

    private static HttpResponse<String> of(
            ServerFixture server, String key, String verb, String body) {
        return server.account(key, verb, "account", body);
    }

    @Test
    void smallerPartitionsAreSplit() {
        try (ServerFixture server =
                start(AccountSettings.DEFAULT.withMetering(false, false, false))) {
            server.createDatabase("d");
            server.createContainer("d", "c", "x-ms-offer-throughput", "20000");
            assertThat(ranges(server)).isEqualTo(2);
            ServerFixture.Output set = account("set", "--partition-max-throughput", "5000");
            assertThat(set.exitCode()).as(set.err()).isZero();
            Waiting.until(() -> ranges(server) == 4);
        }
    }

    private static int ranges(ServerFixture server) {
        String link = "dbs/d/colls/c";
        String body = server.sqlReply("GET", "pkranges", link, link + "/pkranges", "").body();
        return body.split("minInclusive", -1).length - 1;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--partition-max-storage=1KB|at least 1MB",
                "--logical-partition-max-storage=60GB|must not be more than",
                "--partition-max-throughput=5|between 100 and 1000000",
                "--max-interval=7|BoundedStaleness",
            })
    void whatCannotBeIsRefusedAndChangesNothing(String flag, String reason) {
        start(AccountSettings.DEFAULT).close();
        ServerFixture.Output refused = account("set", flag);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains(reason);
        try (ServerFixture server = start(AccountSettings.DEFAULT)) {
            refused = account("set", flag);
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err()).contains(reason);
            assertThat(server.server().settings()).isEqualTo(AccountSettings.DEFAULT);
        }
    }

    @Test
    void nothingToChangeIsAMistake() {
        ServerFixture.Output refused = account("set");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("--limits");
    }

    @Test
    void theConsistencyIsShownToClientsAndMayBeWeakenedOnly() {
        try (ServerFixture server = start(AccountSettings.DEFAULT)) {
            assertThat(policy(server)).contains("{\"defaultConsistencyLevel\":\"Session\"}");
            assertThat(read(server, "Strong")).isEqualTo(400);
            account("set", "--default-consistency", "BoundedStaleness", "--max-interval", "60");
            assertThat(policy(server))
                    .contains(
                            "{\"defaultConsistencyLevel\":\"BoundedStaleness\","
                                    + "\"maxStalenessPrefix\":100,\"maxIntervalInSeconds\":60}");
            assertThat(read(server, "Strong")).isEqualTo(400);
            assertThat(read(server, "BoundedStaleness")).isEqualTo(200);
            account("set", "--default-consistency-level", "strong");
            assertThat(policy(server)).contains("{\"defaultConsistencyLevel\":\"Strong\"}");
            assertThat(read(server, "Strong")).isEqualTo(200);
            assertThat(read(server, "Eventual")).isEqualTo(200);
        }
    }

    private static String policy(ServerFixture server) {
        return server.sqlReply("GET", "", "", "", "").body();
    }

    private static int read(ServerFixture server, String level) {
        return server.sqlReply("GET", "dbs", "", "dbs", "", "x-ms-consistency-level", level)
                .statusCode();
    }

    @Command(name = "start")
    static final class Host {
        @Mixin private final AccountOptions account = new AccountOptions();
    }

    private static AccountChange flags(String... flags) {
        Host host = new Host();
        new CommandLine(host).parseArgs(flags);
        return host.account.change();
    }

    @Test
    void aStartSaysWhatDiffersAndWhatToDo() {
        AccountSettings account = AccountSettings.DEFAULT.withMetering(true, true, false);
        assertThat(flags().differencesFrom(account, Optional.empty())).isEmpty();
        assertThat(
                        flags("--limits=2020", "--burst-capacity", "--throttling")
                                .differencesFrom(account, Optional.empty()))
                .isEmpty();
        assertThat(
                        flags(
                                        "--limits=2017",
                                        "--no-burst-capacity",
                                        "--partition-max-storage=64MB",
                                        "--default-consistency=Eventual")
                                .differencesFrom(account, Optional.empty()))
                .isEqualTo(
                        List.of(
                                "--limits 2017 is not what this account has (2020). The account"
                                        + " keeps 2020; `orrery account set --limits 2017` changes"
                                        + " it.",
                                "--partition-max-storage 64MB is not what this account has (50GB)."
                                        + " The account keeps 50GB; `orrery account set"
                                        + " --partition-max-storage 64MB` changes it.",
                                "--no-burst-capacity is not what this account has"
                                        + " (--burst-capacity). The account keeps --burst-capacity;"
                                        + " `orrery account set --no-burst-capacity` changes it.",
                                "--default-consistency Eventual is not what this account has"
                                        + " (Session). The account keeps Session; `orrery account"
                                        + " set --default-consistency Eventual` changes it."));
    }

    @Test
    void theAdviceNamesTheDataDirectory() {
        assertThat(
                        flags("--limits=2017")
                                .differencesFrom(
                                        AccountSettings.DEFAULT, Optional.of(Path.of("my data"))))
                .singleElement()
                .asString()
                .contains("`orrery account set --limits 2017 --data 'my data'`");
    }

    @Test
    void sizesThatWereChosenOutliveTheYear() {
        AccountSettings chosen = AccountSettings.DEFAULT.withStorage(64L << 20, 16L << 20);
        AccountSettings changed = flags("--limits=2017").applyTo(chosen);
        assertThat(changed.partitionMaxBytes()).isEqualTo(64L << 20);
        assertThat(changed.logicalPartitionMaxBytes()).isEqualTo(16L << 20);
        assertThat(flags("--default-consistency=boundedstaleness").applyTo(chosen).consistency())
                .satisfies(
                        policy -> {
                            assertThat(policy.level())
                                    .isEqualTo(ConsistencyLevel.BOUNDED_STALENESS);
                            assertThat(policy.maxStalenessPrefix()).isEqualTo(100);
                            assertThat(policy.maxIntervalSeconds()).isEqualTo(5);
                        });
    }
}
