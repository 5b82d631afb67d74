package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.document.Value;
import orrery.frontend.mongo.MongoConfig;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryExplanation;
import orrery.model.Bytes;
import orrery.model.metering.Charge;
import orrery.query.QueryCall;
import orrery.query.execute.QueryMetrics;
import orrery.query.index.IndexUse;
import orrery.query.mongo.find.FindOptions;

/**
 * Answers with the plan of a read, and with what the read took if it is run. Plans come from the
 * planner of each partition that the read asks.
 */
final class Explanations {
    private final Items items;
    private final ReadCommands reads;
    private final MongoConfig config;

    Explanations(Items items, ReadCommands reads, MongoConfig config) {
        this.items = items;
        this.reads = reads;
        this.config = config;
    }

    /** How much is told. */
    enum Verbosity {
        /** The plan. */
        PLAN,
        /** And what it takes. */
        RUN,
        /** And what other plans would take, of which there are none: only one is made. */
        ALL
    }

    /** The result of an explanation. */
    private record Found(QueryExplanation explanation, double millis, double ru) {}

    Bytes queryPlanner(CommandRequest request, Reading reading) {
        return explain(request, reading, Verbosity.PLAN);
    }

    Bytes explain(CommandRequest request, Reading reading, Verbosity verbosity) {
        boolean runs = verbosity != Verbosity.PLAN;
        long start = System.nanoTime();
        QueryExplanation explanation = explanation(request, reading, runs);
        request.charge(explanation.charge());
        Found found =
                new Found(explanation, (System.nanoTime() - start) / 1e6, request.charge().ru());
        PlanStages stages = new PlanStages(write(request), reading, explanation);
        Doc reply =
                new Doc().put("explainVersion", "1").put("queryPlanner", planner(reading, stages));
        if (runs) {
            Doc statistics = statistics(request, reading, found, stages);
            if (verbosity == Verbosity.ALL) {
                statistics.put("allPlansExecution", List.of());
            }
            reply.put("executionStats", statistics)
                    .put("stages", List.of(stage(request, reading, found)))
                    .putDouble("estimatedDelayFromRateLimitingInMilliseconds", 0)
                    .put("continuation", new Doc().put("hasMore", false));
        }
        return reply.put("command", request.arguments().fields())
                .put("serverInfo", server(request))
                .ok();
    }

    private QueryExplanation explanation(CommandRequest request, Reading reading, boolean runs) {
        if (reading.container().isEmpty()) {
            return nothing(0);
        }
        if (reading.isPoint()) {
            return nothing(runs ? reads.point(request, reading).stream().count() : 0);
        }
        return items.explain(
                request.context(),
                reading.container().get(),
                reading.scope(),
                QueryCall.of(reading.statement()),
                new PageRequest(OptionalInt.of(Batches.FIRST_BATCH), Optional.empty()),
                runs);
    }

    /** No query was asked; a look-up has charged the request already. */
    private static QueryExplanation nothing(long rows) {
        return new QueryExplanation(new TreeMap<>(), new TreeMap<>(), rows, Charge.NONE);
    }

    private static Doc planner(Reading reading, PlanStages stages) {
        FindOptions options = reading.statement().options();
        Doc planner =
                new Doc()
                        .put("plannerVersion", 1)
                        .put("namespace", reading.namespace().toString())
                        .put("indexFilterSet", false)
                        .put("parsedQuery", options.filter());
        return planner.put("winningPlan", stages.tree(false)).put("rejectedPlans", List.of());
    }

    private static Optional<String> write(CommandRequest request) {
        return switch (request.name()) {
            case "update" -> Optional.of(PlanStages.UPDATE);
            case "delete" -> Optional.of(PlanStages.DELETE);
            case "findAndModify" ->
                    Optional.of(
                            request.arguments().flag("remove", false)
                                    ? PlanStages.DELETE
                                    : PlanStages.UPDATE);
            default -> Optional.empty();
        };
    }

    private static Doc statistics(
            CommandRequest request, Reading reading, Found found, PlanStages stages) {
        boolean isOnlyWrite = request.name().equals("update") || request.name().equals("delete");
        QueryExplanation explanation = found.explanation();
        QueryMetrics total = explanation.total();
        boolean isPoint = reading.isPoint() && reading.container().isPresent();
        return new Doc()
                .put("executionSuccess", true)
                .putCount("nReturned", isOnlyWrite ? 0 : explanation.rows())
                .putCount("executionTimeMillis", Math.round(found.millis()))
                .putCount("totalKeysExamined", isPoint ? 1 : total.entries())
                .putCount("totalDocsExamined", isPoint ? explanation.rows() : total.documents())
                .putDouble("requestCharge", charge(found.ru()))
                .put("executionStages", stages.tree(true));
    }

    private static double charge(double ru) {
        return Math.round(ru * 100) / 100.0;
    }

    private Doc server(CommandRequest request) {
        return new Doc()
                .put("host", config.advertisedHost().orElse("localhost"))
                .put("port", request.client().local().getPort())
                .put("version", Diagnostics.VERSION)
                .put("gitVersion", "orrery");
    }

    // ---- the form of the service

    private static Value.Obj stage(CommandRequest request, Reading reading, Found found) {
        QueryExplanation explanation = found.explanation();
        QueryMetrics total = explanation.total();
        IndexUse indexes = total.indexes();
        List<String> used = new ArrayList<>(indexes.paths());
        indexes.composites().forEach(paths -> used.add(String.join(", ", paths)));
        return new Doc()
                .put("stage", "$query")
                .putDouble("timeInclusiveMS", found.millis())
                .putDouble("timeExclusiveMS", found.millis())
                .putCount("in", total.documents())
                .putCount("out", explanation.rows())
                .put(
                        "details",
                        new Doc()
                                .put("database", reading.namespace().database())
                                .put("collection", reading.namespace().collection())
                                .put("query", reading.statement().options().filter())
                                .putTexts("pathsIndexed", used)
                                .putTexts("pathsNotIndexed", indexes.missing())
                                .put("shardInformation", shards(request, explanation.work()))
                                .put("queryMetrics", metrics(total)))
                .build();
    }

    private static List<Value> shards(
            CommandRequest request, SortedMap<Integer, QueryMetrics> work) {
        List<Value> shards = new ArrayList<>();
        work.forEach(
                (range, metrics) ->
                        shards.add(
                                new Doc()
                                        .put(
                                                "activityId",
                                                request.context().activityId().toString())
                                        .put("shardKeyRangeId", Integer.toString(range))
                                        .putDouble("durationMS", metrics.times().total() / 1e6)
                                        .put("preemptions", 0)
                                        .putCount("outputDocumentCount", metrics.rows())
                                        .putCount("retrievedDocumentCount", metrics.documents())
                                        .build()));
        return shards;
    }

    private static Doc metrics(QueryMetrics metrics) {
        return new Doc()
                .putCount("retrievedDocumentCount", metrics.documents())
                .putCount("retrievedDocumentSizeBytes", metrics.documentBytes())
                .putCount("outputDocumentCount", metrics.rows())
                .putCount("outputDocumentSizeBytes", metrics.rowBytes())
                .putDouble(
                        "indexHitRatio",
                        metrics.documents() == 0
                                ? 1
                                : (double) metrics.matches() / metrics.documents())
                .putDouble("totalQueryExecutionTimeMS", metrics.times().total() / 1e6)
                .putDouble("indexLookupTimeMS", metrics.times().index() / 1e6)
                .putDouble("documentLoadTimeMS", metrics.times().load() / 1e6)
                .putDouble("documentWriteTimeMS", metrics.times().write() / 1e6);
    }
}
