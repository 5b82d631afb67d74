package orrery.query.evaluate;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.dialect.Effort;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/**
 * The rows that FROM and its JOINs make from one item, and the WHERE that they have to pass. Rows
 * come one by one: of a cross product only the current row is in memory. Safe to share.
 *
 * <p>Rows come before the filter, so that whoever takes them can count each as work and stop
 * between any two.
 */
public final class Rows {
    private final Compiled[] sources;
    private final @Nullable Expression where;

    /** True if the only source is the item itself. */
    private final boolean isItem;

    /** The alias of a source that nothing but a {@code *} can refer to. */
    static final String NAMELESS = "*";

    private record Compiled(String alias, Function<Bindings, Iterator<Value>> values) {}

    public Rows(Evaluator evaluator, List<Source> from, Optional<Scalar> where) {
        this(new Compiler(evaluator), from, where);
    }

    Rows(Compiler compiler, List<Source> from, Optional<Scalar> where) {
        this.sources = new Compiled[from.size()];
        for (int i = 0; i < sources.length; i++) {
            Source source = from.get(i);
            sources[i] = new Compiled(source.alias().orElse(NAMELESS), values(compiler, source));
        }
        this.isItem =
                sources.length == 1
                        && from.getFirst()
                                instanceof Source.Bound(_, Source.Collection.Single(Scalar.Item()));
        this.where = where.isPresent() ? compiler.compile(where.get()) : null;
    }

    /** All rows of an item, before the filter. */
    public Iterator<Bindings> of(Value item) {
        return of(Bindings.of(item));
    }

    /**
     * Like {@link #of(Value)}.
     *
     * @param effort counts all that is done for the item
     */
    public Iterator<Bindings> of(Value item, Effort effort) {
        return of(Bindings.of(item, effort));
    }

    private Iterator<Bindings> of(Bindings origin) {
        // Most queries have nothing but a name for the item, and a scan makes millions of rows.
        return isItem
                ? Collections.singleton(origin.with(sources[0].alias(), origin.item())).iterator()
                : new NestedLoops(sources, origin, true);
    }

    /** The rows that the sources add to one around them. */
    Iterator<Bindings> inside(Bindings outer) {
        return new NestedLoops(sources, outer, false);
    }

    public boolean accepts(Bindings row) {
        return where == null || where.accepts(row);
    }

    private static Function<Bindings, Iterator<Value>> values(Compiler compiler, Source source) {
        boolean isIterated = source instanceof Source.Iterated;
        return switch (source.collection()) {
            case Source.Collection.Single(Scalar scalar) -> {
                Expression value = compiler.compile(scalar);
                yield isIterated
                        ? row -> elements(value.evaluate(row))
                        : row -> ifDefined(value.evaluate(row));
            }
            case Source.Collection.Results(var query) -> {
                InnerQuery inner = new InnerQuery(compiler, query);
                yield isIterated ? row -> new Flattened(inner.results(row)) : inner::results;
            }
        };
    }

    private static Iterator<Value> ifDefined(Value value) {
        return value.isDefined()
                ? Collections.singleton(value).iterator()
                : Collections.emptyIterator();
    }

    private static Iterator<Value> elements(Value value) {
        return value instanceof Value.Array(List<Value> elements)
                ? elements.iterator()
                : Collections.emptyIterator();
    }

    /** The elements of arrays, one array after the other. */
    private static final class Flattened implements Iterator<Value> {
        private final Iterator<Value> arrays;
        private Iterator<Value> elements = Collections.emptyIterator();

        Flattened(Iterator<Value> arrays) {
            this.arrays = arrays;
        }

        @Override
        public boolean hasNext() {
            while (!elements.hasNext() && arrays.hasNext()) {
                elements = elements(arrays.next());
            }
            return elements.hasNext();
        }

        @Override
        public Value next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return elements.next();
        }
    }

    /** Like for loops inside each other, one for each source, stopped after each row. */
    private static final class NestedLoops implements Iterator<Bindings> {
        private final Compiled[] sources;
        private final boolean isOutermost;
        private final Bindings[] rows;
        private final Iterator<Value>[] loops;
        private int depth;
        private @Nullable Bindings next;

        @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types.
        NestedLoops(Compiled[] sources, Bindings outer, boolean isOutermost) {
            this.sources = sources;
            this.isOutermost = isOutermost;
            this.rows = new Bindings[sources.length];
            this.loops = new Iterator[sources.length];
            if (sources.length == 0) {
                depth = -1;
                next = outer;
            } else {
                rows[0] = outer;
                loops[0] = sources[0].values().apply(outer);
            }
        }

        @Override
        public boolean hasNext() {
            while (next == null && depth >= 0) {
                step();
            }
            return next != null;
        }

        private void step() {
            Iterator<Value> loop = loops[depth];
            rows[depth].countStep();
            if (!loop.hasNext()) {
                depth--;
                return;
            }
            Value value = loop.next();
            if (!value.isDefined()) {
                return;
            }
            Bindings row = rows[depth].with(sources[depth].alias(), value);
            if (depth == sources.length - 1) {
                next = row;
                return;
            }
            depth++;
            rows[depth] = row;
            loops[depth] = sources[depth].values().apply(row);
        }

        @Override
        public Bindings next() {
            if (!hasNext() || next == null) {
                throw new NoSuchElementException();
            }
            Bindings row = next;
            next = null;
            if (isOutermost) {
                row.forgetWork();
            }
            return row;
        }
    }
}
