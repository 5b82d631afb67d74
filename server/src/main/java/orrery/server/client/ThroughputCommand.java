package orrery.server.client;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and sets throughput. */
@Command(
        name = "throughput",
        header = "Shows and sets the throughput of a container or database.",
        description =
                "Shows and sets the throughput of a container, or of a database that has one.",
        subcommands = {
            ThroughputCommand.Get.class,
            ThroughputCommand.Set.class,
            RedistributeCommand.class
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
                + ", may be set to "
                + throughput.integer("minimum")
                + " or more"
                + (throughput.flag("pending") ? "; partitions are being split for it" : "");
    }

    @Command(
            name = "get",
            header = "Shows the throughput.",
            description = {
                "Shows the throughput, and the least it may be set to.",
                "Exit code 0, 1 when there is none or the server does not answer, 2 when an option"
                        + " is wrong."
            })
    static final class Get implements Callable<Integer> {
        @Spec private CommandSpec spec;
        @Mixin private ServerOptions server = new ServerOptions();

        @Parameters(
                paramLabel = "DB[/CONTAINER]",
                converter = Place.OfEither.class,
                description = "The container or database.")
        private Place place;

        @Override
        public Integer call() {
            try (OperatorClient client = server.open()) {
                PrintWriter out = spec.commandLine().getOut();
                out.println(line(place, client.get(place, WHAT)));
                out.flush();
            }
            return 0;
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
                        + " wrong."
            })
    static final class Set implements Callable<Integer> {
        private static final long POLL_MILLIS = 100;

        /** Exactly one of them. */
        static final class Wanted {
            @Option(
                    names = "--manual",
                    paramLabel = "N",
                    required = true,
                    description = "So many RU/s, at all times.")
            private @Nullable Integer manual;

            @Option(
                    names = "--autoscale",
                    paramLabel = "N",
                    required = true,
                    description = "Up to so many RU/s, as load comes.")
            private @Nullable Integer autoscale;

            private Value toJson() {
                return new Value.Obj(
                        manual != null
                                ? Map.of("manual", Value.of((long) manual))
                                : Map.of(
                                        "autoscale",
                                        autoscale == null
                                                ? Value.Null.NULL
                                                : Value.of((long) autoscale)));
            }
        }

        @Spec private CommandSpec spec;
        @Mixin private ServerOptions server = new ServerOptions();

        @ArgGroup(exclusive = true, multiplicity = "1")
        private Wanted wanted = new Wanted();

        @Option(names = "--no-wait", description = "Do not wait for the splits.")
        private boolean noWait;

        @Parameters(
                paramLabel = "DB[/CONTAINER]",
                converter = Place.OfEither.class,
                description = "The container or database.")
        private Place place;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            try (OperatorClient client = server.open()) {
                Answer set = client.put(place, WHAT, wanted.toJson());
                long shown = 0;
                while (!noWait && set.flag("pending")) {
                    shown = progress(client, out, shown);
                    pause();
                    set = client.get(place, WHAT);
                }
                if (shown > 0) {
                    progress(client, out, shown);
                }
                out.println(line(place, set));
                out.flush();
            }
            return 0;
        }

        /** One line whenever there are more partitions; a database's are not counted. */
        private long progress(OperatorClient client, PrintWriter out, long shown) {
            if (place.container().isEmpty()) {
                return 0;
            }
            long count = client.partitions(place, 0).objects("partitions").size();
            if (count != shown) {
                out.println(count + (count == 1 ? " physical partition" : " physical partitions"));
                out.flush();
            }
            return count;
        }

        /** Between two looks at the server; nothing here could tell the moment it is done. */
        private static void pause() {
            try {
                boolean never = new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
                assert !never;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClientException("Interrupted; the server goes on with the splits.", e);
            }
        }
    }
}
