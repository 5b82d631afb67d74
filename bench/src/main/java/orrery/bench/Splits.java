package orrery.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import orrery.bench.load.SampleItem;
import orrery.model.EffectiveKey;
import orrery.model.IndexingPolicy;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RangeBoundaries;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.ReshapeCommand;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Measures how long the cut of a split takes, with little and with much data, and how a whole split
 * slows down requests.
 */
final class Splits implements Measurement {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Not counted: the first ones are compiled while they run. */
    private static final int WARM_UP_CUTS = 8;

    private static final int CUTS = 23;

    /** A range that no split here makes. */
    private static final int NOBODY = 100_000;

    private static final int CLIENTS = 4;
    private static final double MAX_RATIO = 2;
    private static final double MAX_LATENCY_RATIO = 3;

    private static final PartitionKeyDefinition KEY =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    private static final IndexingPolicy NOTHING =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    @Override
    public String name() {
        return "splits";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        int few = bench.isQuick() ? 1_000 : 10_000;
        int many = bench.isQuick() ? 10_000 : 1_000_000;
        double[][] millis = cuts(bench, few, many, progress);
        double withFew = Rounds.median(millis[0]);
        double withMany = Rounds.median(millis[1]);
        double syncFew = Rounds.median(millis[2]);
        double syncMany = Rounds.median(millis[3]);
        List<Row> rows = new ArrayList<>();
        rows.add(
                new Row(
                        name(),
                        "cut of a split, %,d items, times that of %,d".formatted(many, few),
                        withMany / withFew,
                        Row.Unit.TIMES,
                        Optional.empty(),
                        Optional.of(new Row.Target.AtMost(MAX_RATIO)),
                        "medians of %d cuts each: %.2f ms and %.2f ms; an entry with nothing in it: %.2f ms and %.2f ms"
                                .formatted(CUTS, withMany, withFew, syncMany, syncFew)));
        rows.addAll(latency(bench, progress));
        return rows;
    }

    /**
     * Cuts both stores in turn, when neither has anything to compact any more: what RocksDB makes
     * up for after a million writes is not a part of the cut.
     *
     * @return times of cuts with few and with many items, then of entries that only sync
     */
    private static double[][] cuts(Bench bench, int few, int many, Progress progress)
            throws Exception {
        double[][] millis = new double[4][CUTS];
        Path small = bench.fresh("splits-few");
        Path large = bench.fresh("splits-many");
        try (LocalEngine withFew = new LocalEngine(small, NOTHING);
                LocalEngine withMany = new LocalEngine(large, NOTHING)) {
            List<LocalEngine> both = List.of(withFew, withMany);
            progress.say("filling with %,d and %,d items".formatted(few, many));
            withFew.fill(few, SampleItem::body);
            withMany.fill(many, SampleItem::body);
            progress.say("waiting for the disk to be idle");
            IdleDisk.await();
            progress.say("cutting");
            List<Integer> ranges = new ArrayList<>(List.of(0));
            for (int i = -WARM_UP_CUTS; i < CUTS; i++) {
                int range = ranges.removeFirst();
                int left = 1 + 2 * (i + WARM_UP_CUTS);
                for (int which = 0; which < both.size(); which++) {
                    Command cut = prepared(both.get(which), range, left, left + 1);
                    // Summing up took the longer the more there was; this brings both to the same
                    // state of caches and threads, and tells how long any entry takes.
                    double empty = millisOf(both.get(which), dropOfNothing(both.get(which)));
                    double took = millisOf(both.get(which), cut);
                    if (i >= 0) {
                        millis[which][i] = took;
                        millis[2 + which][i] = empty;
                    }
                }
                ranges.add(left);
                ranges.add(left + 1);
            }
            return millis;
        } finally {
            Bench.delete(small);
            Bench.delete(large);
        }
    }

    /** Changes nothing, and is synced like everything. */
    private static Command dropOfNothing(LocalEngine engine) {
        return new Command.DropPartition(new PartitionId(engine.containerNumber(), NOBODY));
    }

    private static double millisOf(LocalEngine engine, Command command) {
        long start = System.nanoTime();
        submit(engine, command);
        return (System.nanoTime() - start) / 1e6;
    }

    /** Prepares and sums up as a leader does; returns what then makes the cut. */
    private static Command prepared(LocalEngine engine, int range, int left, int right) {
        PartitionId id = new PartitionId(engine.containerNumber(), range);
        PartitionState state = engine.replica().find(id).orElseThrow();
        KeyRange keys = state.record().keys();
        EffectiveKey at = RangeBoundaries.midpoint(KEY, keys);
        submit(engine, new ReshapeCommand.PrepareSplit(id, at, left, right));
        DataSize sum = DataSize.NONE;
        try (Cursor counters =
                engine.store()
                        .scan(
                                Table.META,
                                Keys.logicalPartitionsFrom(id.container(), keys.min()),
                                Keys.logicalPartitionsFrom(id.container(), at))) {
            while (counters.next()) {
                sum = sum.plus(LogicalPartitionRecord.decode(counters.value()).size());
            }
        }
        long prepared =
                engine.replica().find(id).orElseThrow().record().split().orElseThrow().position();
        return new ReshapeCommand.CommitSplit(id, left, right, left, right, prepared, sum, 1);
    }

    private static void submit(LocalEngine engine, Command command) {
        if (!(engine.replica().submit(command, PATIENCE) instanceof Outcome.Done)) {
            throw new IllegalStateException("a step of a split was refused");
        }
    }

    private record Sample(long startNanos, long nanos) {}

    /** Reads and creates by a few clients; in the middle the container is split. */
    private List<Row> latency(Bench bench, Progress progress) throws Exception {
        Path directory = bench.fresh("splits");
        int items = bench.isQuick() ? 2_000 : 50_000;
        long seconds = bench.isQuick() ? 4 : 16;
        try (LocalEngine engine = new LocalEngine(directory, IndexingPolicy.DEFAULT)) {
            progress.say("latency around a split: filling");
            engine.fill(items, SampleItem::body);
            progress.say("latency around a split: running");
            AtomicLong next = new AtomicLong(items);
            List<List<Sample>> reads = new ArrayList<>();
            List<List<Sample>> writes = new ArrayList<>();
            long start = System.nanoTime();
            long end = start + seconds * 1_000_000_000L;
            long[] split = new long[2];
            // Readers never wait for anything: as virtual threads they would keep all carriers.
            try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
                for (int i = 0; i < CLIENTS; i++) {
                    List<Sample> mine = new ArrayList<>();
                    boolean isReader = i % 2 == 0;
                    (isReader ? reads : writes).add(mine);
                    threads.execute(
                            () -> {
                                for (long n = 0; System.nanoTime() < end; n++) {
                                    long begin = System.nanoTime();
                                    if (isReader) {
                                        engine.read(n * 7919 % items);
                                    } else {
                                        engine.create(next.getAndIncrement());
                                    }
                                    mine.add(new Sample(begin, System.nanoTime() - begin));
                                }
                            });
                }
                long middle = start + seconds * 500_000_000L;
                while (System.nanoTime() < middle) {
                    LockSupport.parkNanos(middle - System.nanoTime());
                }
                split[0] = System.nanoTime();
                engine.split();
                split[1] = System.nanoTime();
            }
            double took = (split[1] - split[0]) / 1e6;
            return List.of(
                    row("reads", reads, start, split, took),
                    row("creates", writes, start, split, took));
        } finally {
            Bench.delete(directory);
        }
    }

    private Row row(
            String what, List<List<Sample>> all, long start, long[] split, double splitMillis) {
        long around = 500_000_000L;
        long warmUp = start + (split[0] - start) / 2;
        double near =
                p99(all, s -> s.startNanos > split[0] - around && s.startNanos < split[1] + around);
        double steady =
                p99(
                        all,
                        s ->
                                s.startNanos > warmUp
                                        && (s.startNanos < split[0] - around
                                                || s.startNanos > split[1] + around));
        return new Row(
                name(),
                "p99 of " + what + " in the second of a split, times the usual",
                near / steady,
                Row.Unit.TIMES,
                Optional.empty(),
                Optional.of(new Row.Target.AtMost(MAX_LATENCY_RATIO)),
                "%.3f ms and %.3f ms; the split took %.1f ms".formatted(near, steady, splitMillis));
    }

    private interface Choice {
        boolean takes(Sample sample);
    }

    private static double p99(List<List<Sample>> all, Choice choice) {
        long[] nanos =
                all.stream()
                        .flatMap(List::stream)
                        .filter(choice::takes)
                        .mapToLong(Sample::nanos)
                        .toArray();
        Arrays.sort(nanos);
        return nanos.length == 0 ? Double.NaN : nanos[(int) (nanos.length * 0.99)] / 1e6;
    }
}
