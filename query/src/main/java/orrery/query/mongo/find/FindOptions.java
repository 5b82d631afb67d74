package orrery.query.mongo.find;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;

/**
 * The parts of a read as clients write them. Empty documents stand for parts that are absent.
 *
 * @param skip not negative
 * @param limit the most results; 0 for all
 * @param let variables for expressions, by name
 * @param hint the fields of the index that is to find the documents, or {@code $natural} for none
 * @param now the time that expressions see, if the front-end knows one
 */
public record FindOptions(
        Value.Obj filter,
        Value.Obj projection,
        Value.Obj sort,
        long skip,
        long limit,
        Value.Obj let,
        Value.Obj collation,
        Value.Obj hint,
        Optional<Instant> now,
        Answer answer) {
    public static final Value.Obj NONE = new Value.Obj(Map.of());

    /** The kind of answer. */
    public sealed interface Answer {
        /** Rows are documents. */
        record Documents() implements Answer {}

        /** One row {@code {n: number}}, with skip and limit taken into account. */
        record Count() implements Answer {}

        /** One row {@code {v: value}} for each different value at a path; arrays are unwound. */
        record Distinct(String key) implements Answer {}
    }

    /** All documents that a filter accepts. */
    public static FindOptions of(Value.Obj filter) {
        return new FindOptions(
                filter,
                NONE,
                NONE,
                0,
                0,
                NONE,
                NONE,
                NONE,
                Optional.empty(),
                new Answer.Documents());
    }

    public FindOptions withProjection(Value.Obj wanted) {
        return new FindOptions(
                filter, wanted, sort, skip, limit, let, collation, hint, now, answer);
    }

    public FindOptions withSort(Value.Obj wanted) {
        return new FindOptions(
                filter, projection, wanted, skip, limit, let, collation, hint, now, answer);
    }

    public FindOptions within(long skipped, long atMost) {
        return new FindOptions(
                filter, projection, sort, skipped, atMost, let, collation, hint, now, answer);
    }

    public FindOptions withLet(Value.Obj variables) {
        return new FindOptions(
                filter, projection, sort, skip, limit, variables, collation, hint, now, answer);
    }

    public FindOptions withCollation(Value.Obj wanted) {
        return new FindOptions(
                filter, projection, sort, skip, limit, let, wanted, hint, now, answer);
    }

    public FindOptions withHint(Value.Obj wanted) {
        return new FindOptions(
                filter, projection, sort, skip, limit, let, collation, wanted, now, answer);
    }

    public FindOptions at(Instant time) {
        return at(Optional.of(time));
    }

    FindOptions at(Optional<Instant> time) {
        return new FindOptions(
                filter, projection, sort, skip, limit, let, collation, hint, time, answer);
    }

    public FindOptions counted() {
        return answering(new Answer.Count());
    }

    public FindOptions distinct(String key) {
        return answering(new Answer.Distinct(key));
    }

    private FindOptions answering(Answer wanted) {
        return new FindOptions(
                filter, projection, sort, skip, limit, let, collation, hint, now, wanted);
    }
}
