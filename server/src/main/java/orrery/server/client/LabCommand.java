package orrery.server.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The laboratory: what production does by chance, on purpose. */
@Command(
        name = "lab",
        header = "Experiments: failures on demand.",
        description = {
            "Experiments with a running server, to see how an application bears them.",
            "Example: orrery lab fault food/items --status 429 --count 20"
        },
        subcommands = LabCommand.Fault.class)
public final class LabCommand {
    /** Sets, shows and ends a fault. */
    @Command(
            name = "fault",
            header = "Makes requests of a container fail.",
            description = {
                "Makes requests for items of a container, reads, writes and feeds of any API, fail"
                        + " with a status before anything is done. Without options it tells what is"
                        + " set. A fault ends with --off, after --count requests, when the"
                        + " container is deleted and when the server stops.",
                "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is"
                        + " wrong.",
                "Example: orrery lab fault food/items --status 429 --count 20"
            })
    static final class Fault extends ServerCommand {
        @Parameters(
                index = "0",
                paramLabel = "DB/CONTAINER",
                converter = Place.OfContainer.class,
                description = "The container.")
        private Place place;

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                description =
                        "429 (with a time to retry after), 449, 408, 503 or 410 (the range is"
                                + " gone).")
        private @Nullable Integer status;

        @Option(
                names = "--count",
                paramLabel = "N",
                description = "Only the next N requests fail (default: all).")
        private @Nullable Integer count;

        @Option(
                names = "--rate",
                paramLabel = "P",
                description = "Each request fails with this probability, as 0.1.")
        private @Nullable Double rate;

        @Option(names = "--off", description = "Requests succeed again.")
        private boolean off;

        @Override
        public Integer call() {
            if (off && (status != null || count != null || rate != null)) {
                throw usage("--off cannot be combined with --status, --count or --rate.");
            }
            if (status == null && (count != null || rate != null)) {
                throw usage("--count and --rate go with --status.");
            }
            if (count != null && rate != null) {
                throw usage("--count and --rate exclude each other.");
            }
            try (SqlClient client = open()) {
                Answer fault = answer(client.operator());
                print(fault.json(), place + ": " + describe(fault));
            }
            return ExitCode.OK;
        }

        private Answer answer(OperatorClient client) {
            if (off) {
                return client.delete(place, "fault");
            }
            return status == null
                    ? client.get(place, "fault")
                    : client.post(place, "fault", wanted(status));
        }

        private Value wanted(int wantedStatus) {
            Map<String, Value> fault = new LinkedHashMap<>();
            fault.put("status", Value.of((long) wantedStatus));
            if (count != null) {
                fault.put("count", Value.of((long) count));
            }
            if (rate != null) {
                fault.put("rate", Value.of(rate));
            }
            return new Value.Obj(fault);
        }
    }

    static String describe(Answer fault) {
        if (fault.find("status").isEmpty()) {
            return "no fault is set";
        }
        long status = fault.integer("status");
        if (fault.find("count").isPresent()) {
            long count = fault.integer("count");
            return (count == 1
                            ? "the next request answers "
                            : "the next " + count + " requests answer ")
                    + status;
        }
        double rate = fault.number("rate");
        return rate == 1
                ? "every request answers " + status
                : "a request answers " + status + " with probability " + rate;
    }
}
