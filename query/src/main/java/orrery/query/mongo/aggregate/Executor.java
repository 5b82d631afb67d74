package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import orrery.document.Value;
import orrery.query.dialect.RowLimit;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ExpressionContext;

/**
 * Runs stages over documents, one document at a time. Only stages that need all documents before
 * they have any gather them, within a limit.
 */
public final class Executor {
    private final OtherCollections collections;
    private final ExpressionContext context;
    private final RandomGenerator random;

    /**
     * @param collections for pipelines inside of stages
     */
    public Executor(
            OtherCollections collections, ExpressionContext context, RandomGenerator random) {
        this.collections = collections;
        this.context = context;
        this.random = random;
    }

    /** Returns what stages make of documents; nothing is read before it is asked for. */
    public Documents run(List<Stage> stages, Documents source) {
        Documents documents = source;
        int at = 0;
        while (at < stages.size()) {
            List<Stage.OfRows> rows = new ArrayList<>();
            while (at < stages.size() && stages.get(at) instanceof Stage.OfRows ofRows) {
                rows.add(ofRows);
                at++;
            }
            if (!rows.isEmpty()) {
                documents = new RowDocuments(documents, new RowChain(rows));
            } else {
                documents = run(stages, at, documents);
                at++;
            }
        }
        return documents;
    }

    private Documents run(List<Stage> stages, int at, Documents source) {
        return switch (stages.get(at)) {
            case Stage.OfRows ofRows -> new RowDocuments(source, new RowChain(List.of(ofRows)));
            case Stage.Skip(long count) ->
                    new CutDocuments(source, new RowLimit(count, Long.MAX_VALUE));
            case Stage.Limit(long count) -> new CutDocuments(source, new RowLimit(0, count));
            case Stage.Sort sort ->
                    new SortedDocuments(source, new Sorter(sort.spec()), wanted(stages, at + 1));
            case Stage.Group group -> new GroupedDocuments(source, group.spec());
            case Stage.BucketAuto(BucketAutoSpec spec) -> new BucketedDocuments(source, spec);
            case Stage.Sample(long size) -> new SampledDocuments(source, size, random);
            case Stage.Facet facet -> new FacetDocuments(source, facet.parts(), this::run);
            case Stage.Lookup(LookupSpec spec) -> new LookupDocuments(source, spec, collections);
            case Stage.GraphLookup(GraphSpec spec) -> new GraphDocuments(source, spec, collections);
            case Stage.UnionWith(String collection, List<Value> pipeline) ->
                    new UnitedDocuments(
                            source,
                            () ->
                                    collections.open(
                                            Optional.of(collection).filter(name -> !name.isEmpty()),
                                            pipeline,
                                            context));
            case Stage.Counted counted -> new CountedDocuments(source, counted);
            case Stage.Documents documents -> list(documents);
            case Stage.Source _, Stage.Merge _, Stage.Out _ ->
                    throw new IllegalStateException("not a stage that is run over documents");
        };
    }

    /** The number of documents that are wanted of those that a stage gives. */
    private static long wanted(List<Stage> stages, int from) {
        long skipped = 0;
        for (Stage stage : stages.subList(from, stages.size())) {
            switch (stage) {
                case Stage.Skip(long count) -> skipped += count;
                case Stage.Limit(long count) -> {
                    return count > Long.MAX_VALUE - skipped ? Long.MAX_VALUE : skipped + count;
                }
                case Stage.Made _ -> {}
                default -> {
                    return Long.MAX_VALUE;
                }
            }
            if (skipped < 0) {
                return Long.MAX_VALUE;
            }
        }
        return Long.MAX_VALUE;
    }

    private Documents list(Stage.Documents documents) {
        Value list = documents.list().evaluate(context.variables(new Value.Obj(Map.of())));
        if (!(list instanceof Value.Array(List<Value> elements))) {
            throw MongoCode.failure(5858203, "an array is expected as the argument of $documents");
        }
        List<Value.Obj> rows = new ArrayList<>();
        for (Value element : elements) {
            if (!(element instanceof Value.Obj row)) {
                throw MongoCode.failure(
                        40228, "each element of the array of $documents must be an object");
            }
            rows.add(row);
        }
        return new ListDocuments(rows);
    }
}
