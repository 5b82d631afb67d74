package orrery.server;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import orrery.cluster.api.AccountSettings;
import orrery.document.Value;
import orrery.model.ConsistencyLevel;
import orrery.model.metering.Charge;
import orrery.model.metering.Receipt;
import orrery.model.metering.RequestCharge;

/**
 * The cost of a load.
 *
 * @param operations what one of each costs
 * @param load what of it happens per second
 * @param assumptions what had to be assumed of queries
 */
record Estimate(List<Operation> operations, List<Load> load, List<String> assumptions) {
    // The rules of manual throughput: see the error text of a server that is asked for less.
    private static final int MIN_THROUGHPUT = 400;
    private static final int MAX_THROUGHPUT = 1_000_000;
    private static final int THROUGHPUT_STEP = 100;

    Estimate {
        operations = List.copyOf(operations);
        load = List.copyOf(load);
        assumptions = List.copyOf(assumptions);
    }

    record Operation(String name, Charge charge) {}

    record Load(String name, double perSecond, Charge charge) {
        double ruPerSecond() {
            return perSecond * charge.ru();
        }
    }

    /**
     * A query by what it makes the server do.
     *
     * @param documents loaded by one execution
     * @param bytes of all of them
     * @param assumption where that was told from its text
     */
    record Query(
            double perSecond, int documents, long bytes, int ranges, Optional<String> assumption) {
        Query {
            boolean isRate = perSecond >= 0 && perSecond < Double.POSITIVE_INFINITY;
            if (!isRate || documents < 0 || bytes < 0 || ranges < 1) {
                throw new IllegalArgumentException("a query does a possible amount of work");
            }
        }

        /**
         * Reads {@code RATE DOCUMENTS [KB [RANGES]]}.
         *
         * @throws IllegalArgumentException when it is something else
         */
        static Query parse(String line, int itemBytes) {
            String[] words = line.split("\\s+", -1);
            if (words.length < 2 || words.length > 4) {
                throw new IllegalArgumentException("two to four numbers");
            }
            int documents = Integer.parseInt(words[1]);
            double bytesEach =
                    words.length > 2 ? 1024 * Double.parseDouble(words[2]) : (double) itemBytes;
            // Negative and unending sizes stay below zero, which is refused.
            double bytes = bytesEach <= Integer.MAX_VALUE ? bytesEach * documents : -1;
            return new Query(
                    Double.parseDouble(words[0]),
                    documents,
                    Double.isNaN(bytes) ? -1 : Math.round(bytes),
                    words.length > 3 ? Integer.parseInt(words[3]) : 1,
                    Optional.empty());
        }
    }

    static Estimate of(
            int itemBytes,
            int leaves,
            double reads,
            double writes,
            List<Query> queries,
            ConsistencyLevel level) {
        Charge read = RequestCharge.read(itemBytes).readAt(level);
        Charge create = RequestCharge.create(itemBytes, leaves);
        List<Operation> operations = new ArrayList<>();
        operations.add(new Operation("read", read));
        operations.add(new Operation("create", create));
        operations.add(new Operation("replace, one value", RequestCharge.replace(itemBytes, 1, 1)));
        operations.add(
                new Operation(
                        "replace, all values", RequestCharge.replace(itemBytes, leaves, leaves)));
        operations.add(new Operation("delete", RequestCharge.delete(itemBytes, leaves)));
        List<Load> load = new ArrayList<>();
        load.add(new Load(reads == 1 ? "read" : "reads", reads, read));
        load.add(new Load(writes == 1 ? "create" : "creates", writes, create));
        List<String> assumptions = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            Query query = queries.get(i);
            String name = "query " + (i + 1);
            query.assumption().ifPresent(text -> assumptions.add(name + " " + text));
            Charge charge =
                    RequestCharge.query(query.ranges(), query.documents(), query.bytes())
                            .readAt(level);
            operations.add(new Operation(name, charge));
            load.add(new Load("of " + name, query.perSecond(), charge));
        }
        return new Estimate(operations, load, assumptions);
    }

    double ruPerSecond() {
        return load.stream().mapToDouble(Load::ruPerSecond).sum();
    }

    boolean isPossible() {
        return ruPerSecond() <= MAX_THROUGHPUT;
    }

    String refusal() {
        return format(
                "The load needs %.2f RU/s and a container can have %d. Spread it over several"
                        + " containers.",
                ruPerSecond(), MAX_THROUGHPUT);
    }

    /** The least throughput that a container may have and that bears the load. */
    int throughput() {
        int steps = (int) Math.ceil(ruPerSecond() / THROUGHPUT_STEP);
        return Math.max(MIN_THROUGHPUT, steps * THROUGHPUT_STEP);
    }

    int ranges() {
        return AccountSettings.DEFAULT.partitionsFor(throughput());
    }

    /** Returns the same figures for programs; throughput and partitions only of a possible load. */
    Value toJson(int itemBytes, int leaves) {
        Map<String, Value> json = new LinkedHashMap<>();
        json.put("itemBytes", Value.of((long) itemBytes));
        json.put("leaves", Value.of((long) leaves));
        Map<String, Value> charges = new LinkedHashMap<>();
        operations.forEach(each -> charges.put(each.name(), Value.of(each.charge().ru())));
        json.put("operations", new Value.Obj(charges));
        json.put("assumptions", new Value.Array(assumptions.stream().map(Value::of).toList()));
        json.put("ruPerSecond", Value.of(ruPerSecond()));
        if (isPossible()) {
            json.put("throughput", Value.of((long) throughput()));
            json.put("partitions", Value.of((long) ranges()));
        }
        return new Value.Obj(json);
    }

    void print(PrintWriter out) {
        out.println(format("%-21s %10s   %s", "operation", "RU", "made of"));
        for (Operation operation : operations) {
            Receipt receipt = Receipt.of(operation.charge());
            out.println(
                    format(
                            "%-21s %10s   %s",
                            operation.name(),
                            units(receipt.total()),
                            parts(operation.charge(), receipt)));
        }
        out.println();
        if (!assumptions.isEmpty()) {
            assumptions.forEach(out::println);
            out.println();
        }
        out.println(format("%-21s %10s", "load per second", "RU/s"));
        for (Load each : load) {
            out.println(
                    format(
                            "%-21s %10.2f",
                            number(each.perSecond()) + " " + each.name(), each.ruPerSecond()));
        }
        out.println(format("%-21s %10.2f", "together", ruPerSecond()));
        if (isPossible()) {
            int perRange = AccountSettings.DEFAULT.partitionMaxThroughput();
            out.println();
            out.println(
                    format(
                            "Provision %d RU/s: ceil(%d / %d) = %d physical %s.",
                            throughput(),
                            throughput(),
                            perRange,
                            ranges(),
                            ranges() == 1 ? "partition" : "partitions"));
        }
    }

    private static String parts(Charge charge, Receipt receipt) {
        List<String> parts = new ArrayList<>();
        if (receipt.base() > 0) {
            parts.add(format("base %s (ranges: %d)", units(receipt.base()), charge.ranges()));
        }
        if (receipt.size() > 0) {
            parts.add(
                    format(
                            "size %s (%s KB)",
                            units(receipt.size()),
                            number(Math.round(charge.billedBytes() / 10.24) / 100.0)));
        }
        if (receipt.leaves() > 0) {
            parts.add(
                    format(
                            "leaves %s (-%d +%d)",
                            units(receipt.leaves()), charge.leavesRemoved(), charge.leavesAdded()));
        }
        if (receipt.consistency() > 0) {
            parts.add(
                    format(
                            "consistency %s (x%d)",
                            units(receipt.consistency()), charge.consistencyFactor()));
        }
        return String.join(" + ", parts);
    }

    private static String units(long hundredths) {
        return format("%d.%02d", hundredths / 100, hundredths % 100);
    }

    /** Whole numbers without their decimals. */
    private static String number(double value) {
        return value == Math.rint(value) && value < Long.MAX_VALUE
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
