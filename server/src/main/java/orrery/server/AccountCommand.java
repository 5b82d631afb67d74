package orrery.server;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import orrery.cluster.api.AccountSettings;
import orrery.document.JsonText;
import orrery.model.ConsistencyLevel;
import orrery.server.client.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows and changes the settings of an account. */
@Command(
        name = "account",
        header = "Shows and changes the settings of the account.",
        description = {
            "Shows and changes the settings of the account: limits, sizes, throttling, quotas, the"
                    + " default consistency and the throughput of tables.",
            "The first start takes them from its flags and keeps them with the data; from then on"
                    + " only this command changes them."
        },
        subcommands = {AccountCommand.Show.class, AccountCommand.Set.class})
final class AccountCommand {
    private static void print(PrintWriter out, OutputOptions output, AccountSettings settings) {
        if (output.isJson()) {
            out.println(JsonText.write(AccountChange.to(settings).toJson()));
            out.flush();
            return;
        }
        List<String[]> lines =
                List.of(
                        line("limits", Integer.toString(settings.ruleSet().year())),
                        line(
                                "partition-max-throughput",
                                settings.partitionMaxThroughput() + " RU/s"),
                        line(
                                "partition-max-storage",
                                ByteSizeConverter.format(settings.partitionMaxBytes())),
                        line(
                                "logical-partition-max-storage",
                                ByteSizeConverter.format(settings.logicalPartitionMaxBytes())),
                        line("throttling", onOrOff(settings.throttling())),
                        line("burst-capacity", onOrOff(settings.burstCapacity())),
                        line("priority-levels", onOrOff(settings.priorityLevels())),
                        line("service-quotas", onOrOff(settings.serviceQuotas())),
                        line("default-consistency", consistency(settings)),
                        line(
                                "table-default-throughput",
                                settings.tableDefaultThroughput() + " RU/s"),
                        line(
                                "mongo-change-retention",
                                settings.mongoChangeRetention() + " minutes"));
        lines.forEach(line -> out.printf("%-30s %s%n", line[0], line[1]));
        out.flush();
    }

    private static String[] line(String name, String value) {
        return new String[] {name, value};
    }

    private static String onOrOff(boolean isOn) {
        return isOn ? "on" : "off";
    }

    private static String consistency(AccountSettings settings) {
        String level = settings.consistency().level().wireName();
        return settings.consistency().level() == ConsistencyLevel.BOUNDED_STALENESS
                ? level
                        + ", at most "
                        + settings.consistency().maxStalenessPrefix()
                        + " versions and "
                        + settings.consistency().maxIntervalSeconds()
                        + " seconds"
                : level;
    }

    @Command(
            name = "show",
            header = "Shows the settings.",
            description = {
                "Shows the settings.",
                "Exit code 0, 1 when there is no account or the server does not answer, 2 when an"
                        + " option is wrong.",
                "Example: orrery account show"
            })
    static final class Show implements Callable<Integer> {
        @Spec private CommandSpec spec;
        @Mixin private final AccountSource source = new AccountSource();
        @Mixin private final OutputOptions output = new OutputOptions();

        @Override
        public Integer call() {
            try (AccountAccess account = source.open()) {
                print(spec.commandLine().getOut(), output, account.settings());
            }
            return 0;
        }
    }

    @Command(
            name = "set",
            header = "Changes settings.",
            description = {
                "Changes settings for all that is there, and shows all of them. Those left out stay as"
                        + " they are. A running server follows at once; smaller partitions are split"
                        + " in the background. A year brings its sizes, unless others were chosen.",
                "Exit code 0, 1 when the change is refused or the server does not answer, 2 when an"
                        + " option is wrong.",
                "Example: orrery account set --no-throttling"
            })
    static final class Set implements Callable<Integer> {
        @Spec private CommandSpec spec;
        @Mixin private final AccountSource source = new AccountSource();
        @Mixin private final OutputOptions output = new OutputOptions();
        @Mixin private final AccountOptions options = new AccountOptions();

        @Override
        public Integer call() {
            AccountChange change = options.change();
            if (change.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "Name a setting to change, such as --limits 2024.");
            }
            try (AccountAccess account = source.open()) {
                print(spec.commandLine().getOut(), output, account.change(change));
            }
            return 0;
        }
    }
}
