package orrery.server.client;

import java.util.Map;
import orrery.document.Value;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and sets throughput. */
@Command(
        name = "throughput",
        header = "Shows and sets the throughput of a container or database.",
        description = {
            "Shows and sets the throughput of a container, or of a database that has one.",
            "Example: orrery throughput set food/items --throughput 18000"
        },
        subcommands = {
            ThroughputCommand.Show.class,
            ThroughputCommand.Set.class,
            RedistributeCommand.class,
            BucketsCommand.class
        })
public final class ThroughputCommand {
    private static final String WHAT = "throughput";

    static String describe(Answer throughput) {
        String minute = throughput.find("perMinute").isPresent() ? ", with RU per minute" : "";
        String amount =
                throughput.find("manual").isPresent()
                        ? throughput.integer("manual") + " RU/s" + minute
                        : "autoscale up to " + throughput.integer("autoscale") + " RU/s";
        return amount + (throughput.text("of").equals("database") ? " of the database" : "");
    }

    private static String line(Place place, Answer throughput) {
        return place
                + ": "
                + describe(throughput)
                + " (minimum: "
                + throughput.integer("minimum")
                + ")"
                + (throughput.flag("pending") ? "; partitions are being split for it" : "");
    }

    @Command(
            name = "show",
            header = "Shows the throughput.",
            description = {
                "Shows the throughput, and the minimum that it can be set to.",
                "Exit code 0, 1 when there is none or the server does not answer, 2 when an option"
                        + " is wrong.",
                "Example: orrery throughput show food/items"
            })
    static final class Show extends ServerCommand {
        @Parameters(
                paramLabel = "DB[/CONTAINER]",
                converter = Place.OfEither.class,
                description = "The container or database.")
        private Place place;

        @Override
        public Integer call() {
            try (SqlClient client = open()) {
                Answer throughput = client.operator().get(place, WHAT);
                print(throughput.json(), line(place, throughput));
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "set",
            header = "Sets the throughput.",
            description = {
                "Sets the throughput, and switches between manual and autoscale where the other was"
                        + " set. More than the partitions can deliver splits them; the command waits"
                        + " for that and tells how it goes on.",
                "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is"
                        + " wrong.",
                "Example: orrery throughput set food/items --max-throughput 30000"
            })
    static final class Set extends ServerCommand {
        private static final long POLL_MILLIS = 100;

        @ArgGroup(exclusive = true, multiplicity = "1")
        private ThroughputOptions wanted = new ThroughputOptions();

        @Option(names = "--no-wait", description = "Do not wait for the splits.")
        private boolean noWait;

        @Parameters(
                paramLabel = "DB[/CONTAINER]",
                converter = Place.OfEither.class,
                description = "The container or database.")
        private Place place;

        @Override
        public Integer call() {
            try (SqlClient connection = open()) {
                OperatorClient client = connection.operator();
                Answer set = client.put(place, WHAT, wanted.operatorJson());
                long shown = 0;
                while (!noWait && set.flag("pending")) {
                    shown = progress(client, shown);
                    Pause.millis(POLL_MILLIS);
                    set = client.get(place, WHAT);
                }
                if (shown > 0) {
                    progress(client, shown);
                }
                print(set.json(), line(place, set));
            }
            return ExitCode.OK;
        }

        /** One line whenever there are more partitions; a database's are not counted. */
        private long progress(OperatorClient client, long shown) {
            if (place.container().isEmpty()) {
                return 0;
            }
            long count = client.partitions(place, 0).objects("partitions").size();
            if (count != shown) {
                err().println(
                                count
                                        + (count == 1
                                                ? " physical partition"
                                                : " physical partitions"));
                err().flush();
            }
            return count;
        }
    }

    /** Sets a throughput and waits until the partitions can deliver it. */
    public static void setManual(OperatorClient client, Place place, long requestUnits) {
        Answer set =
                client.put(place, WHAT, new Value.Obj(Map.of("manual", Value.of(requestUnits))));
        while (set.flag("pending")) {
            Pause.millis(Set.POLL_MILLIS);
            set = client.get(place, WHAT);
        }
    }
}
