package orrery.query.mongo.aggregate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.expression.DocumentStage;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.Redaction;
import orrery.query.mongo.find.SortSpec;
import orrery.query.mongo.match.Matcher;

/** One stage of a pipeline that was read and is sound. Safe to share. */
public sealed interface Stage {
    /** A stage that makes of each document what it does, whatever others there are. */
    sealed interface OfRows extends Stage {
        /** Returns the stage as it was written, to be sent to partitions. */
        Value.Obj source();
    }

    /** {@code $match}. */
    record Match(Value.Obj filter, Matcher matcher) implements OfRows {
        @Override
        public Value.Obj source() {
            return new Value.Obj(Map.of("$match", filter));
        }
    }

    /** One document of each: {@code $project}, {@code $addFields} and others. */
    record Made(Value.Obj source, DocumentStage stage) implements OfRows {}

    /** {@code $redact}. */
    record Redact(Value.Obj source, Redaction redaction) implements OfRows {}

    /** {@code $unwind}. */
    record Unwind(Value.Obj source, UnwindSpec spec) implements OfRows {}

    /** {@code $sort}. */
    record Sort(Value.Obj by, SortSpec spec) implements Stage {}

    /** {@code $skip}. */
    record Skip(long count) implements Stage {}

    /** {@code $limit}. */
    record Limit(long count) implements Stage {}

    /** {@code $group}. */
    record Group(Value.Obj operand, GroupSpec spec) implements Stage {}

    /** {@code $bucketAuto}. */
    record BucketAuto(BucketAutoSpec spec) implements Stage {}

    /** {@code $sample}. */
    record Sample(long size) implements Stage {}

    /** {@code $facet}: pipelines over the same documents, each of which fills a field. */
    record Facet(Map<String, Pipeline> parts) implements Stage {}

    /** {@code $lookup}. */
    record Lookup(LookupSpec spec) implements Stage {}

    /** {@code $graphLookup}. */
    record GraphLookup(GraphSpec spec) implements Stage {}

    /** {@code $unionWith}. */
    record UnionWith(String collection, List<Value> pipeline) implements Stage {}

    /** {@code $documents}: the values of an expression. */
    record Documents(Expression list) implements Stage {}

    /** A stage that has documents of its own, such as {@code $collStats}. */
    record Source(String name, Value.Obj operand) implements Stage {}

    /** {@code $merge}. */
    record Merge(MergeSpec spec) implements Stage {}

    /** {@code $out}. */
    record Out(Optional<String> database, String collection) implements Stage {}

    /**
     * Makes of the count of all documents what a group that counts them is; not written by clients.
     *
     * @param id of the group
     * @param name of the field with the count
     */
    record Counted(Value id, String name) implements Stage {}
}
