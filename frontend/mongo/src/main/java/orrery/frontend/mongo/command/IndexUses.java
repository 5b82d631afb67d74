package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.gateway.api.QueryPage;
import orrery.model.Etag;
import orrery.model.resource.Container;
import orrery.query.index.IndexUse;

/**
 * How many reads and searches of writes have used each index since the start of the server, or
 * since the index was made or changed. The partitions tell with the first page of a read, and with
 * what a write came to, what they used. Thread-safe.
 */
final class IndexUses {
    /** Collections that are counted; of more, the one that nobody has read for longest is not. */
    private static final int MOST = 10_000;

    private final InstantSource clock;
    private final long startedMillis;

    /** By the number of the collection, in the order of their last reads. */
    private final Map<Integer, Counts> collections =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, Counts> eldest) {
                    return size() > MOST;
                }
            };

    /**
     * The counts of one collection.
     *
     * @param etag of the definition that has the indexes
     * @param names of indexes by the fields that a read has used
     */
    private record Counts(
            Etag etag,
            List<Value.Obj> indexes,
            Map<List<String>, Optional<String>> names,
            Map<String, Long> reads,
            Map<String, Long> since) {}

    IndexUses(InstantSource clock) {
        this.clock = clock;
        this.startedMillis = clock.millis();
    }

    /** Takes note of a first page. */
    void count(Container container, QueryPage page) {
        count(container, page.metrics().indexes());
    }

    /** Takes note of what one read or write has used. */
    void count(Container container, IndexUse used) {
        if (used.isOfNone()) {
            return;
        }
        List<List<String>> all = new ArrayList<>();
        used.paths().forEach(path -> all.add(List.of(path)));
        all.addAll(used.composites());
        count(container, all);
    }

    /** Takes note that a document was looked up by its id. */
    synchronized void countLookup(Container container) {
        counts(container).reads().merge(IndexCommands.ID_INDEX, 1L, Long::sum);
    }

    private synchronized void count(Container container, List<List<String>> used) {
        Counts counts = counts(container);
        Set<String> once = new HashSet<>();
        for (List<String> paths : used) {
            counts.names()
                    .computeIfAbsent(paths, each -> name(counts.indexes(), each))
                    .ifPresent(once::add);
        }
        once.forEach(name -> counts.reads().merge(name, 1L, Long::sum));
    }

    /** Returns the counts of a collection. An index that has changed begins anew. */
    private Counts counts(Container container) {
        Counts before = collections.get(container.number());
        if (before != null && before.etag().equals(container.etag())) {
            return before;
        }
        List<Value.Obj> indexes = IndexCommands.documents(container);
        Map<String, Long> reads = new HashMap<>();
        Map<String, Long> since = new HashMap<>();
        for (Value.Obj index : indexes) {
            String name = PlanIndexes.name(index);
            if (before == null) {
                since.put(name, startedMillis);
            } else if (before.indexes().contains(index)) {
                reads.put(name, before.reads().getOrDefault(name, 0L));
                since.put(name, before.since().getOrDefault(name, startedMillis));
            } else {
                since.put(name, clock.millis());
            }
        }
        Counts counts = new Counts(container.etag(), indexes, new HashMap<>(), reads, since);
        collections.put(container.number(), counts);
        return counts;
    }

    private static Optional<String> name(List<Value.Obj> indexes, List<String> paths) {
        return PlanIndexes.find(indexes, paths.stream().map(IndexUses::dotted).toList())
                .map(PlanIndexes::name);
    }

    /** {@code /a/"b c"/[]/?} as clients write it; elements of arrays are those of the field. */
    private static String dotted(String path) {
        StringBuilder dotted = new StringBuilder();
        int at = 0;
        while (at < path.length() && path.charAt(at) == '/') {
            StringBuilder name = new StringBuilder();
            at++;
            boolean isQuoted = at < path.length() && path.charAt(at) == '"';
            at += isQuoted ? 1 : 0;
            while (at < path.length() && path.charAt(at) != (isQuoted ? '"' : '/')) {
                if (!isQuoted && path.charAt(at) == ' ') {
                    break; // the direction in a composite index
                }
                at += isQuoted && path.charAt(at) == '\\' ? 1 : 0;
                name.append(path.charAt(at++));
            }
            at += isQuoted ? 1 : 0;
            String step = name.toString();
            if (isQuoted || !(step.equals("?") || step.equals("[]"))) {
                dotted.append(dotted.isEmpty() ? "" : ".").append(step);
            }
        }
        return dotted.toString();
    }

    /** Returns a document for each index of a collection. */
    synchronized List<Value.Obj> shown(Container container, String host) {
        Counts counts = counts(container);
        List<Value.Obj> rows = new ArrayList<>();
        for (Value.Obj index : counts.indexes()) {
            String name = PlanIndexes.name(index);
            rows.add(
                    new Doc()
                            .put("name", name)
                            .put("key", index.properties().getOrDefault("key", Value.Null.NULL))
                            .put("host", host)
                            .put(
                                    "accesses",
                                    new Doc()
                                            .putInt64("ops", counts.reads().getOrDefault(name, 0L))
                                            .putDate(
                                                    "since",
                                                    counts.since()
                                                            .getOrDefault(name, startedMillis)))
                            .put("spec", index)
                            .build());
        }
        return rows;
    }
}
