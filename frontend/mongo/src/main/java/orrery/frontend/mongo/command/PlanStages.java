package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.gateway.api.QueryExplanation;
import orrery.model.resource.Container;
import orrery.query.execute.AccessPlan;
import orrery.query.execute.QueryMetrics;
import orrery.query.index.IndexScan;
import orrery.query.mongo.find.FindOptions;

/** Shows the plans of partitions as a tree of stages, in the words of the server. */
final class PlanStages {
    static final String UPDATE = "UPDATE";
    static final String DELETE = "DELETE";

    private final Optional<String> write;
    private final Reading reading;
    private final FindOptions options;
    private final QueryExplanation explanation;

    /**
     * @param write the stage that would write what is found; absent if nothing would
     */
    PlanStages(Optional<String> write, Reading reading, QueryExplanation explanation) {
        this.write = write;
        this.reading = reading;
        this.options = reading.statement().options();
        this.explanation = explanation;
    }

    /**
     * @param isRun whether it says what the stages took
     */
    Doc tree(boolean isRun) {
        Doc tree = below(source(isRun), isRun);
        if (write.isEmpty()) {
            return tree;
        }
        Doc stage = new Doc().put("stage", write.get());
        if (isRun) {
            boolean isDelete = write.get().equals(DELETE);
            stage.putCount(isDelete ? "nWouldDelete" : "nMatched", explanation.rows());
        }
        return stage.put("inputStage", tree);
    }

    // ---- what happens to the documents of all partitions

    private Doc below(Doc source, boolean isRun) {
        Doc tree = source;
        if (options.answer() instanceof FindOptions.Answer.Count) {
            return returning(new Doc().put("stage", "COUNT"), isRun).put("inputStage", tree);
        }
        if (reading.isPoint() || write.isPresent()) {
            return tree;
        }
        if (options.skip() > 0) {
            tree =
                    new Doc()
                            .put("stage", "SKIP")
                            .putCount("skipAmount", options.skip())
                            .put("inputStage", tree);
        }
        if (options.limit() > 0) {
            tree =
                    returning(new Doc().put("stage", "LIMIT"), isRun)
                            .putCount("limitAmount", options.limit())
                            .put("inputStage", tree);
        }
        if (!options.projection().properties().isEmpty()) {
            tree =
                    returning(new Doc().put("stage", "PROJECTION_DEFAULT"), isRun)
                            .put("transformBy", options.projection())
                            .put("inputStage", tree);
        }
        return tree;
    }

    private Doc returning(Doc stage, boolean isRun) {
        return isRun ? stage.putCount("nReturned", explanation.rows()) : stage;
    }

    // ---- partitions

    private Doc source(boolean isRun) {
        if (reading.container().isEmpty()) {
            return new Doc().put("stage", "EOF");
        }
        if (reading.isPoint()) {
            return idLookup(isRun);
        }
        SortedSet<Integer> ranges = new TreeSet<>(explanation.plans().keySet());
        ranges.addAll(explanation.work().keySet());
        if (ranges.size() == 1) {
            return stage(ranges.first(), isRun);
        }
        List<Value> shards = new ArrayList<>();
        for (int range : ranges) {
            Doc shard = new Doc().put("shardName", Integer.toString(range));
            if (isRun) {
                QueryMetrics work = work(range);
                shard.put("executionSuccess", true)
                        .putCount("nReturned", work.rows())
                        .putCount("executionTimeMillis", Math.round(work.times().total() / 1e6))
                        .putCount("totalKeysExamined", work.entries())
                        .putCount("totalDocsExamined", work.documents())
                        .put("executionStages", stage(range, true));
            } else {
                shard.put("winningPlan", stage(range, false));
            }
            shards.add(shard.build());
        }
        boolean isSorted = reading.statement().answer().isSorted();
        return new Doc()
                .put("stage", isSorted ? "SHARD_MERGE_SORT" : "SHARD_MERGE")
                .put("shards", shards);
    }

    private Doc idLookup(boolean isRun) {
        Doc stage = new Doc().put("stage", "IDHACK");
        return isRun
                ? stage.putCount("nReturned", explanation.rows())
                        .put("keysExamined", 1)
                        .putCount("docsExamined", explanation.rows())
                : stage;
    }

    private QueryMetrics work(int range) {
        return explanation.work().getOrDefault(range, QueryMetrics.NONE);
    }

    /** A partition that came by a split while the read was run has numbers, but no plan. */
    private Doc stage(int range, boolean isRun) {
        AccessPlan plan = explanation.plans().get(range);
        if (plan == null) {
            return counted(new Doc().put("stage", "UNKNOWN"), range, isRun);
        }
        Doc tree = candidates(plan, range, isRun);
        return plan.sorts()
                ? counted(new Doc().put("stage", "SORT"), range, isRun)
                        .put("sortPattern", options.sort())
                        .put("type", "default")
                        .put("inputStage", tree)
                : tree;
    }

    private Doc candidates(AccessPlan plan, int range, boolean isRun) {
        return switch (plan.way()) {
            case NOTHING -> new Doc().put("stage", "EOF");
            case ITEMS -> {
                Doc scan = filtered(new Doc().put("stage", "COLLSCAN")).put("direction", "forward");
                yield isRun ? scan.putCount("docsExamined", work(range).documents()) : scan;
            }
            case ENTRIES, ORDER -> {
                Doc entries = entries(plan, range, isRun);
                if (!plan.readsItems()) {
                    yield entries;
                }
                Doc fetch = filtered(new Doc().put("stage", "FETCH"));
                yield (isRun
                                ? fetch.putCount("nReturned", work(range).matches())
                                        .putCount("docsExamined", work(range).documents())
                                : fetch)
                        .put("inputStage", entries);
            }
        };
    }

    private Doc counted(Doc stage, int range, boolean isRun) {
        return isRun ? stage.putCount("nReturned", work(range).rows()) : stage;
    }

    private Doc filtered(Doc stage) {
        return options.filter().properties().isEmpty()
                ? stage
                : stage.put("filter", options.filter());
    }

    // ---- indexes

    /** Walks over one index are one stage, whichever part of the filter they are for. */
    private Doc entries(AccessPlan plan, int range, boolean isRun) {
        Map<Value.Obj, List<IndexScan>> alone = new LinkedHashMap<>();
        List<Value> branches = new ArrayList<>();
        for (List<IndexScan> branch : plan.branches()) {
            if (branch.size() == 1) {
                IndexScan only = branch.getFirst();
                alone.computeIfAbsent(index(only), _ -> new ArrayList<>()).add(only);
                continue;
            }
            List<Value> scans = new ArrayList<>();
            for (IndexScan scan : branch) {
                scans.add(scan(List.of(scan), plan.isBackward() && scans.isEmpty()).build());
            }
            branches.add(joined("AND_SORTED", scans));
        }
        alone.values().forEach(scans -> branches.add(scan(scans, plan.isBackward()).build()));
        Doc entries = new Doc().putAll(joined("OR", branches));
        // The engine counts the entries of a page, and not those of each index.
        return isRun ? entries.putCount("keysExamined", work(range).entries()) : entries;
    }

    private static Value.Obj joined(String stage, List<Value> inputs) {
        return inputs.size() == 1
                ? (Value.Obj) inputs.getFirst()
                : new Doc().put("stage", stage).put("inputStages", inputs).build();
    }

    /**
     * @param scans of one index; elements of arrays have entries of their own, which clients see as
     *     those of the field
     */
    private Doc scan(List<IndexScan> scans, boolean isBackward) {
        Value.Obj index = index(scans.getFirst());
        Map<String, Set<Value>> bounds = new LinkedHashMap<>();
        for (IndexScan scan : scans) {
            for (IndexScan.Column column : scan.columns()) {
                bounds.computeIfAbsent(dotted(column.path()), _ -> new LinkedHashSet<>())
                        .addAll(IndexBounds.of(column));
            }
        }
        Doc shown = new Doc();
        bounds.forEach((path, texts) -> shown.put(path, List.copyOf(texts)));
        return new Doc()
                .put("stage", "IXSCAN")
                .put("keyPattern", index.properties().getOrDefault("key", FindOptions.NONE))
                .put("indexName", index.properties().getOrDefault("name", Value.of("")))
                .put("direction", isBackward ? "backward" : "forward")
                .put("indexBounds", shown);
    }

    /** The index that clients know under the paths of a scan; the best one of several. */
    private Value.Obj index(IndexScan scan) {
        Container container = reading.container().orElseThrow().container();
        List<String> paths = scan.columns().stream().map(column -> dotted(column.path())).toList();
        List<Value.Obj> all = new ArrayList<>(IndexCommands.documents(container));
        Catalogue.shardKey(container).map(Catalogue::dotted).ifPresent(key -> all.add(ofKey(key)));
        return PlanIndexes.find(all, paths).orElse(FindOptions.NONE);
    }

    /** The index of the shard key, which every sharded collection has. */
    private static Value.Obj ofKey(String path) {
        return new Doc()
                .put("key", new Doc().put(path, "hashed"))
                .put("name", path + "_hashed")
                .build();
    }

    private static String dotted(IndexPath path) {
        return path.steps().stream()
                .filter(IndexPath.Step.Property.class::isInstance)
                .map(step -> ((IndexPath.Step.Property) step).name())
                .collect(Collectors.joining("."));
    }
}
