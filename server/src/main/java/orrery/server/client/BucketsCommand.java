package orrery.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds groups of requests to parts of a container's throughput. */
@Command(
        name = "buckets",
        header = "Holds groups of requests to parts of the throughput.",
        description = {
            "Shows and sets the throughput buckets of a container. A request names its bucket, 1 to"
                    + " 5, in the header x-ms-cosmos-throughput-bucket; SDKs have an option for it."
                    + " Requests of a bucket use at most its percentage of the throughput, in each"
                    + " physical partition. Beyond it they get 429 with substatus 3212, while all"
                    + " others go on. Nothing is reserved for a bucket.",
            "Example: orrery throughput buckets set food/items --to 1=20 --to 2=50"
        },
        subcommands = {
            BucketsCommand.ListAll.class,
            BucketsCommand.Set.class,
            BucketsCommand.Clear.class
        })
final class BucketsCommand {
    private static final String WHAT = "buckets";

    /** A command about the buckets of one container. */
    abstract static class OfContainer extends ServerCommand {
        @Parameters(
                paramLabel = "DB/CONTAINER",
                converter = Place.OfContainer.class,
                description = "The container.")
        private Place place;

        final Place place() {
            return place;
        }

        final void print(Answer answer) {
            List<Answer> buckets = answer.objects(WHAT);
            print(
                    answer.json(),
                    buckets.isEmpty()
                            ? place + " has no buckets: all requests share all of its throughput."
                            : buckets.stream()
                                    .map(OfContainer::describe)
                                    .collect(Collectors.joining(System.lineSeparator())));
        }

        final void put(List<Value> buckets) {
            try (SqlClient client = open()) {
                print(
                        client.operator()
                                .put(
                                        place,
                                        WHAT,
                                        new Value.Obj(Map.of(WHAT, new Value.Array(buckets)))));
            }
        }

        private static String describe(Answer bucket) {
            return "Bucket "
                    + bucket.integer("id")
                    + " may use "
                    + bucket.integer("maxThroughputPercentage")
                    + " % of the throughput"
                    + (bucket.find("isDefaultBucket").isPresent()
                            ? ", and has the requests that name no bucket."
                            : ".");
        }
    }

    @Command(
            name = "list",
            header = "Shows the buckets of a container.",
            description = {
                "Shows the buckets of a container.",
                "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is"
                        + " wrong.",
                "Example: orrery throughput buckets list food/items"
            })
    static final class ListAll extends OfContainer {
        @Override
        public Integer call() {
            try (SqlClient client = open()) {
                print(client.operator().get(place(), WHAT));
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "set",
            header = "Sets the buckets of a container.",
            description = {
                "Sets the buckets of a container: those that are named, and no others. A container"
                        + " that shares the throughput of its database has none.",
                "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is"
                        + " wrong.",
                "Example: orrery throughput buckets set food/items --to 1=20 --to 2=50 --default 2"
            })
    static final class Set extends OfContainer {
        @Option(
                names = "--to",
                paramLabel = "BUCKET=PERCENT",
                required = true,
                description =
                        "How many percent of the throughput a bucket may use. May be repeated.")
        private Map<Integer, Integer> percents = new TreeMap<>();

        @Option(
                names = "--default",
                paramLabel = "BUCKET",
                description = {
                    "The bucket of requests that name none, one of --to. Without it these may use",
                    "all of the throughput."
                })
        private @Nullable Integer defaultBucket;

        @Override
        public Integer call() {
            if (defaultBucket != null && !percents.containsKey(defaultBucket)) {
                throw usage(
                        "--default "
                                + defaultBucket
                                + " is not a bucket that --to names. Add --to "
                                + defaultBucket
                                + "=PERCENT.");
            }
            put(buckets());
            return ExitCode.OK;
        }

        private List<Value> buckets() {
            List<Value> buckets = new ArrayList<>();
            percents.forEach(
                    (id, percent) -> {
                        Map<String, Value> bucket = new LinkedHashMap<>();
                        bucket.put("id", Value.of((long) id));
                        bucket.put("maxThroughputPercentage", Value.of((long) percent));
                        if (id.equals(defaultBucket)) {
                            bucket.put("isDefaultBucket", Value.of(true));
                        }
                        buckets.add(new Value.Obj(bucket));
                    });
            return buckets;
        }
    }

    @Command(
            name = "clear",
            header = "Takes all buckets of a container away.",
            description = {
                "Takes all buckets of a container away: every request may use all of the throughput"
                        + " again, also those that still name a bucket.",
                "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is"
                        + " wrong.",
                "Example: orrery throughput buckets clear food/items"
            })
    static final class Clear extends OfContainer {
        @Override
        public Integer call() {
            put(List.of());
            return ExitCode.OK;
        }
    }
}
