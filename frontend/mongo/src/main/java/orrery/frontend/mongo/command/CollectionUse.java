package orrery.frontend.mongo.command;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import orrery.document.Value;

/**
 * How often and how long commands have worked on each collection since the start of the server, as
 * {@code top} tells it. Thread-safe.
 */
final class CollectionUse {
    /** Collections that are counted; of more, the one that nobody has used for longest is not. */
    private static final int MOST = 10_000;

    private static final long NANOS_PER_MICRO = 1_000;

    /** The kinds of work, in the words of the answer. */
    enum Kind {
        QUERIES,
        GETMORE,
        INSERT,
        UPDATE,
        REMOVE,
        COMMANDS;

        private boolean isWrite() {
            return this == INSERT || this == UPDATE || this == REMOVE;
        }
    }

    /** The commands that work on the collection that they name. */
    private static final Map<String, Kind> KINDS =
            Map.ofEntries(
                    Map.entry("find", Kind.QUERIES),
                    Map.entry("count", Kind.QUERIES),
                    Map.entry("distinct", Kind.QUERIES),
                    Map.entry("getMore", Kind.GETMORE),
                    Map.entry("insert", Kind.INSERT),
                    Map.entry("update", Kind.UPDATE),
                    Map.entry("delete", Kind.REMOVE),
                    Map.entry("aggregate", Kind.COMMANDS),
                    Map.entry("findAndModify", Kind.COMMANDS),
                    Map.entry("createIndexes", Kind.COMMANDS),
                    Map.entry("dropIndexes", Kind.COMMANDS),
                    Map.entry("listIndexes", Kind.COMMANDS),
                    Map.entry("collStats", Kind.COMMANDS),
                    Map.entry("validate", Kind.COMMANDS));

    private record Work(long count, long nanos) {
        static final Work NONE = new Work(0, 0);

        Work plus(long times, long more) {
            return new Work(count + times, nanos + more);
        }

        Doc shown() {
            return new Doc().putCount("time", nanos / NANOS_PER_MICRO).putCount("count", count);
        }
    }

    private final Map<String, Map<Kind, Work>> collections =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Map<Kind, Work>> eldest) {
                    return size() > MOST;
                }
            };

    /** Counts a command, if it has worked on a collection. One that is dropped begins anew. */
    void count(CommandRequest request, long nanos) {
        switch (request.name()) {
            case "drop" -> named(request).ifPresent(this::forget);
            case "dropDatabase" -> forgetDatabase(request.database());
            case "renameCollection" -> {
                if (request.first() instanceof Value.Text(String from)) {
                    forget(from);
                }
            }
            default -> {
                Kind kind = KINDS.get(request.name());
                if (kind != null) {
                    named(request).ifPresent(collection -> add(collection, kind, 1, nanos));
                }
            }
        }
    }

    private static Optional<String> named(CommandRequest request) {
        Value named =
                request.name().equals("getMore")
                        ? request.arguments().find("collection").orElse(request.first())
                        : request.first();
        return named instanceof Value.Text(String collection)
                ? Optional.of(request.database() + "." + collection)
                : Optional.empty();
    }

    synchronized void add(String collection, Kind kind, long times, long nanos) {
        collections
                .computeIfAbsent(collection, _ -> new EnumMap<>(Kind.class))
                .merge(kind, new Work(times, nanos), (was, _) -> was.plus(times, nanos));
    }

    private synchronized void forget(String collection) {
        collections.remove(collection);
    }

    private synchronized void forgetDatabase(String database) {
        collections.keySet().removeIf(name -> name.startsWith(database + "."));
    }

    /** Returns what was counted, by collection. */
    synchronized Map<String, Value.Obj> shown() {
        Map<String, Value.Obj> shown = new TreeMap<>();
        collections.forEach((name, work) -> shown.put(name, shown(work)));
        return shown;
    }

    private static Value.Obj shown(Map<Kind, Work> work) {
        Doc row =
                new Doc()
                        .put("total", sum(work, true, true).shown())
                        .put("readLock", sum(work, true, false).shown())
                        .put("writeLock", sum(work, false, true).shown());
        for (Kind kind : Kind.values()) {
            row.put(
                    kind.name().toLowerCase(Locale.ROOT),
                    work.getOrDefault(kind, Work.NONE).shown());
        }
        return row.build();
    }

    private static Work sum(Map<Kind, Work> work, boolean reads, boolean writes) {
        Work sum = Work.NONE;
        for (Map.Entry<Kind, Work> each : work.entrySet()) {
            if (each.getKey().isWrite() ? writes : reads) {
                sum = sum.plus(each.getValue().count(), each.getValue().nanos());
            }
        }
        return sum;
    }
}
