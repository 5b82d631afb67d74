package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.model.ConsistencyPolicy;
import orrery.model.Throughput;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

final class AccountOptionsTest {
    @Command(name = "start")
    static final class Host {
        @Mixin private final AccountOptions account = new AccountOptions();
    }

    @Test
    void withoutFlagsTheSettingsAreTheDefault() {
        assertThat(settings()).isEqualTo(AccountSettings.DEFAULT);
        assertThat(settings().throttling()).isTrue();
        assertThat(settings().burstCapacity()).isFalse();
        assertThat(settings().priorityLevels()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"2017,10,10", "2018,10,10", "2020,50,20", "2024,50,20"})
    void theYearBringsItsSizes(String year, int partitionGigabytes, int logicalGigabytes) {
        AccountSettings settings = settings("--limits", year);
        assertThat(settings.ruleSet().year()).isEqualTo(Integer.parseInt(year));
        assertThat(settings.partitionMaxBytes()).isEqualTo((long) partitionGigabytes << 30);
        assertThat(settings.logicalPartitionMaxBytes()).isEqualTo((long) logicalGigabytes << 30);
        assertThat(settings.partitionMaxThroughput()).isEqualTo(10_000);
    }

    @Test
    void theLaboratoryIsSetByFlags() {
        AccountSettings settings =
                settings(
                        "--limits=2018",
                        "--partition-max-throughput=6000",
                        "--partition-max-storage=64MB",
                        "--logical-partition-max-storage=16mb",
                        "--no-throttling",
                        "--burst-capacity",
                        "--priority-levels",
                        "--service-quotas",
                        "--table-default-throughput=700",
                        "--mongo-change-retention=120");
        assertThat(settings)
                .isEqualTo(
                        new AccountSettings(
                                RuleSet.RULES_2018,
                                6000,
                                64L << 20,
                                16L << 20,
                                true,
                                false,
                                true,
                                true,
                                ConsistencyPolicy.SESSION,
                                700,
                                120));
        assertThat(settings.partitionsFor(18_000)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "2020,10000,18000,2",
        "2024,10000,10000,1",
        "2024,10000,10100,2",
        "2024,10000,12100,3",
        "2024,10000,100000,17",
        "2024,20000,18000,1",
        "2024,20000,24000,4",
        "2024,1000,3000,3"
    })
    void newContainersOf2024BeginWithMoreRanges(
            String year, String most, int requestUnits, int ranges) {
        AccountSettings settings =
                settings("--limits=" + year, "--partition-max-throughput=" + most);
        assertThat(settings.startingPartitionsFor(new Throughput.Manual(requestUnits)))
                .isEqualTo(ranges);
    }

    @Test
    void aSmallerPartitionMakesKeysSmaller() {
        assertThat(settings("--partition-max-storage=1MB").logicalPartitionMaxBytes())
                .isEqualTo(1L << 20);
        assertThat(settings("--partition-max-storage", "2TB").logicalPartitionMaxBytes())
                .isEqualTo(20L << 30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--limits=2019|2017, 2018, 2020, 2024",
                "--partition-max-throughput=99|between 100 and 1000000",
                "--partition-max-throughput=1000001|between 100 and 1000000",
                "--partition-max-throughput=many|many",
                "--partition-max-storage=1023KB|at least 1MB",
                "--partition-max-storage=64|64MB",
                "--partition-max-storage=-64MB|not a size",
                "--partition-max-storage=999999999TB|larger than any store",
                "--logical-partition-max-storage=0GB|at least 1MB",
                "--logical-partition-max-storage=51GB|must not be more than",
                "--table-default-throughput=300|between 400 and 1000000 RU/s",
                "--table-default-throughput=1000100|between 400 and 1000000 RU/s",
                "--table-default-throughput=450|in steps of 100",
                "--mongo-change-retention=0|between 1 and 43200 minutes",
                "--mongo-change-retention=43201|between 1 and 43200 minutes"
            })
    void whatCannotBeIsRefusedWithAReason(String flag, String reason) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> settings(flag))
                .withMessageContaining(reason);
    }

    private static AccountSettings settings(String... flags) {
        Host host = new Host();
        new CommandLine(host).parseArgs(flags);
        return host.account.settings();
    }
}
