package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/**
 * A query inside another, evaluated for one row of the query around it. The parser has refused what
 * it cannot have: an order and a limit.
 */
final class InnerQuery {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    /** Many times what an item can hold. */
    private static final long MAX_GROUP_BYTES = 64 * 1024 * 1024;

    private final Rows rows;
    private final @Nullable Aggregation aggregation;
    private final @Nullable Projection projection;
    private final boolean isDistinct;

    InnerQuery(Compiler outer, Query query) {
        Set<String> aliases = new HashSet<>();
        for (Source source : query.from()) {
            source.alias().ifPresent(aliases::add);
        }
        Compiler compiler = outer.shadowing(aliases);
        this.rows = new Rows(compiler, query.from(), query.where());
        this.isDistinct = query.distinct();
        if (query.isGrouped()) {
            this.aggregation = new Aggregation(compiler, query);
            this.projection = null;
        } else {
            this.aggregation = null;
            this.projection = new Projection(compiler, query);
        }
    }

    static Expression expression(Compiler outer, Scalar.SubqueryKind kind, Query query) {
        InnerQuery inner =
                new InnerQuery(outer, kind == Scalar.SubqueryKind.ALL ? negated(query) : query);
        return switch (kind) {
            case SCALAR -> row -> single(inner.results(row));
            case EXISTS -> row -> Value.of(inner.results(row).hasNext());
            case ALL -> row -> Value.of(!inner.results(row).hasNext());
            case ARRAY -> row -> array(row, inner.results(row));
            case FIRST -> row -> first(inner.results(row));
            case LAST -> row -> last(inner.results(row));
        };
    }

    /** The same query for the rows that fail its filter; without a filter none does. */
    private static Query negated(Query query) {
        Scalar where =
                query.where().isPresent()
                        ? new Scalar.Prefix(Scalar.PrefixOperator.NOT, query.where().get())
                        : new Scalar.Constant(Value.of(false));
        return new Query(
                query.distinct(),
                query.top(),
                query.selection(),
                query.from(),
                Optional.of(where),
                query.groupBy(),
                query.orderBy(),
                query.window());
    }

    /** All of them defined, made one by one as they are asked for. */
    Iterator<Value> results(Bindings outer) {
        Iterator<Value> results =
                aggregation != null ? aggregate(aggregation, outer) : new Projected(outer);
        return isDistinct ? new Distinct(outer, results) : results;
    }

    private Iterator<Value> aggregate(Aggregation aggregation, Bindings outer) {
        Groups groups = aggregation.start(outer);
        Iterator<Bindings> all = rows.inside(outer);
        while (all.hasNext()) {
            Bindings row = all.next();
            outer.countInnerRow();
            if (rows.accepts(row)) {
                groups.add(row);
                if (groups.sizeBytes() > MAX_GROUP_BYTES) {
                    throw BoundedText.tooLarge();
                }
            }
        }
        return groups.uncheckedResults();
    }

    private static Value single(Iterator<Value> results) {
        Value value = first(results);
        if (results.hasNext()) {
            throw QueryError.engine("A scalar subquery returned more than one value.");
        }
        return value;
    }

    private static Value first(Iterator<Value> results) {
        return results.hasNext() ? results.next() : UNDEFINED;
    }

    private static Value last(Iterator<Value> results) {
        Value last = UNDEFINED;
        while (results.hasNext()) {
            last = results.next();
        }
        return last;
    }

    private static Value array(Bindings row, Iterator<Value> results) {
        List<Value> values = new ArrayList<>();
        while (results.hasNext()) {
            Value value = results.next();
            row.countKept(value);
            values.add(value);
        }
        return new Value.Array(values);
    }

    /** Filtered rows as the SELECT list shows them. */
    private final class Projected implements Iterator<Value> {
        private final Bindings outer;
        private final Iterator<Bindings> all;
        private @Nullable Value next;

        Projected(Bindings outer) {
            this.outer = outer;
            this.all = rows.inside(outer);
        }

        @Override
        public boolean hasNext() {
            while (next == null && all.hasNext()) {
                Bindings row = all.next();
                outer.countInnerRow();
                if (projection != null && rows.accepts(row)) {
                    Value value = projection.evaluate(row);
                    next = value.isDefined() ? value : null;
                }
            }
            return next != null;
        }

        @Override
        public Value next() {
            if (!hasNext() || next == null) {
                throw new NoSuchElementException();
            }
            Value value = next;
            next = null;
            return value;
        }
    }

    /** The first of each value. */
    private static final class Distinct implements Iterator<Value> {
        private final Bindings outer;
        private final Iterator<Value> all;
        private final Set<ValueKey> seen = new HashSet<>();
        private Iterator<Value> next = Collections.emptyIterator();

        Distinct(Bindings outer, Iterator<Value> all) {
            this.outer = outer;
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            while (!next.hasNext() && all.hasNext()) {
                Value value = all.next();
                if (seen.add(new ValueKey(value))) {
                    outer.countKept(value);
                    next = Collections.singleton(value).iterator();
                }
            }
            return next.hasNext();
        }

        @Override
        public Value next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return next.next();
        }
    }
}
