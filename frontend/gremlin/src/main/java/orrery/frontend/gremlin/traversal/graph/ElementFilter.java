package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.structure.T;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Scalar;

/**
 * The part of a traversal's conditions on elements that a query can check. What passes it is
 * checked again by the traversal, so it may let through more, but never less.
 *
 * @param ids the ids of which an element must have one; absent for any
 * @param partitions the same for the values of partition keys
 * @param conditions on items, beside these
 * @param isExact true if the traversal would let through all that passes
 */
public record ElementFilter(
        Optional<Set<String>> ids,
        Optional<Set<Value>> partitions,
        List<Scalar> conditions,
        boolean isExact) {
    /** A query with more constants than this takes longer to plan than it saves. */
    private static final int MAX_CONSTANTS = 1000;

    /** A double tells whole numbers apart up to this one. */
    private static final long MAX_EXACT = 1L << 53;

    /** The name of the element of an array in a query. */
    private static final String ELEMENT = "p";

    public ElementFilter {
        conditions = List.copyOf(conditions);
    }

    static ElementFilter of(GraphSchema schema, boolean ofEdges, List<HasContainer> containers) {
        Reader reader = new Reader(schema, ofEdges);
        containers.forEach(reader::read);
        return new ElementFilter(reader.ids, reader.partitions, reader.conditions, reader.isExact);
    }

    /** Returns the conditions with those on ids and partitions. */
    List<Scalar> all(GraphSchema schema) {
        List<Scalar> all = new ArrayList<>();
        ids.ifPresent(
                some ->
                        all.add(
                                Conditions.inTexts(
                                        Conditions.property(GraphSchema.ID), some.stream())));
        partitions.ifPresent(
                some ->
                        all.add(
                                Conditions.in(
                                        Conditions.property(schema.partitionKey().orElseThrow()),
                                        some)));
        all.addAll(conditions);
        return all;
    }

    /** Returns the page that is worth asking for, if a traversal wants so many elements. */
    static OptionalInt page(long wanted) {
        return wanted > 0 && wanted < MAX_CONSTANTS
                ? OptionalInt.of((int) wanted)
                : OptionalInt.empty();
    }

    private static final class Reader {
        private final GraphSchema schema;
        private final boolean ofEdges;
        private Optional<Set<String>> ids = Optional.empty();
        private Optional<Set<Value>> partitions = Optional.empty();
        private final List<Scalar> conditions = new ArrayList<>();
        private boolean isExact = true;

        private Reader(GraphSchema schema, boolean ofEdges) {
            this.schema = schema;
            this.ofEdges = ofEdges;
        }

        private void read(HasContainer container) {
            String key = container.getKey();
            P<?> predicate = container.getPredicate();
            if (key == null || predicate == null) {
                isExact = false;
                return;
            }
            if (key.equals(T.id.getAccessor()) || key.equals(GraphSchema.ID)) {
                readId(predicate);
            } else if (key.equals(T.label.getAccessor()) || key.equals(GraphSchema.LABEL)) {
                readLabel(predicate);
            } else if (schema.isPartitionKey(key) && values(predicate).isPresent()) {
                Set<Value> wanted = new LinkedHashSet<>(values(predicate).get());
                partitions.ifPresent(wanted::retainAll);
                partitions = Optional.of(wanted);
            } else {
                add(property(key, predicate));
            }
        }

        private void readId(P<?> predicate) {
            Optional<List<Value>> values = values(predicate);
            if (values.isEmpty()
                    || !values.get().stream().allMatch(value -> value instanceof Value.Text)) {
                // TinkerPop compares ids with numbers by rules of its own.
                isExact = false;
                return;
            }
            Set<String> wanted = new LinkedHashSet<>();
            for (Value value : values.get()) {
                if (value instanceof Value.Text(String id)) {
                    wanted.add(id);
                }
            }
            ids.ifPresent(wanted::retainAll);
            ids = Optional.of(wanted);
        }

        @SuppressWarnings("unchecked")
        private void readLabel(P<?> predicate) {
            String otherwise = ofEdges ? StoredEdge.DEFAULT_LABEL : StoredVertex.DEFAULT_LABEL;
            if (((P<Object>) predicate).test(otherwise)) {
                // An item that SQL has written may lack a label, and is shown with this one.
                isExact = false;
            } else {
                add(test(Conditions.property(GraphSchema.LABEL), predicate));
            }
        }

        private Optional<Scalar> property(String key, P<?> predicate) {
            if (GraphSchema.isReserved(key)) {
                return Optional.empty();
            }
            if (ofEdges || schema.isFlat(key)) {
                return test(Conditions.property(key), predicate);
            }
            Scalar value = new Scalar.Property(new Scalar.Reference(ELEMENT), GraphSchema.VALUE);
            return test(value, predicate)
                    .map(condition -> Conditions.anyElement(key, ELEMENT, condition));
        }

        private void add(Optional<Scalar> condition) {
            condition.ifPresentOrElse(conditions::add, () -> isExact = false);
        }

        private Optional<Scalar> test(Scalar path, P<?> predicate) {
            if (predicate instanceof AndP<?> and) {
                return and(path, and);
            }
            if (predicate instanceof OrP<?> or) {
                List<Scalar> parts = new ArrayList<>();
                for (P<?> part : or.getPredicates()) {
                    Optional<Scalar> condition = test(path, part);
                    if (condition.isEmpty()) {
                        return condition;
                    }
                    parts.add(condition.get());
                }
                return Optional.of(Conditions.any(parts));
            }
            Optional<List<Value>> values = values(predicate);
            if (values.isPresent()) {
                return Optional.of(Conditions.in(path, values.get()));
            }
            return comparison(path, predicate.getBiPredicate(), predicate.getValue());
        }

        private Optional<Scalar> and(Scalar path, AndP<?> and) {
            List<Scalar> parts = new ArrayList<>();
            for (P<?> part : and.getPredicates()) {
                test(path, part).ifPresentOrElse(parts::add, () -> isExact = false);
            }
            return parts.isEmpty() ? Optional.empty() : Optional.of(Conditions.all(parts));
        }

        private Optional<Scalar> comparison(
                Scalar path, BiPredicate<?, ?> predicate, @Nullable Object operand) {
            if (operand == null) {
                return Optional.empty();
            }
            Optional<Value> value = constant(operand).filter(Reader::isOrderedAlike);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            if (predicate instanceof Compare compare) {
                return operator(compare)
                        .map(
                                operator ->
                                        new Scalar.Infix(
                                                operator, path, new Scalar.Constant(value.get())));
            }
            if (predicate instanceof Text text && operand instanceof String) {
                return function(text)
                        .map(
                                function ->
                                        new Scalar.Call(
                                                function,
                                                List.of(path, new Scalar.Constant(value.get()))));
            }
            return Optional.empty();
        }

        private static Optional<Scalar.InfixOperator> operator(Compare compare) {
            return switch (compare) {
                case gt -> Optional.of(Scalar.InfixOperator.GREATER);
                case gte -> Optional.of(Scalar.InfixOperator.GREATER_OR_EQUAL);
                case lt -> Optional.of(Scalar.InfixOperator.LESS);
                case lte -> Optional.of(Scalar.InfixOperator.LESS_OR_EQUAL);
                // A value of another type than the operand differs from it, but not in SQL.
                case eq, neq -> Optional.empty();
            };
        }

        private static Optional<BuiltIn> function(Text text) {
            return switch (text) {
                case startingWith -> Optional.of(BuiltIn.STARTSWITH);
                case endingWith -> Optional.of(BuiltIn.ENDSWITH);
                case containing -> Optional.of(BuiltIn.CONTAINS);
                case notStartingWith, notEndingWith, notContaining -> Optional.empty();
            };
        }

        /** Returns the values of which an element must have one, if that is what is asked. */
        private static Optional<List<Value>> values(P<?> predicate) {
            if (predicate.getBiPredicate() == Compare.eq && predicate.getValue() != null) {
                return constant(predicate.getValue()).map(List::of);
            }
            if (predicate.getBiPredicate() == Contains.within
                    && predicate.getValue() instanceof Collection<?> some
                    && some.size() <= MAX_CONSTANTS) {
                List<Value> values = new ArrayList<>();
                for (Object each : some) {
                    Optional<Value> value = each == null ? Optional.empty() : constant(each);
                    if (value.isEmpty()) {
                        return Optional.empty();
                    }
                    values.add(value.get());
                }
                return Optional.of(values);
            }
            return Optional.empty();
        }

        /** Returns what SQL compares with; empty where it would not do it as TinkerPop does. */
        private static Optional<Value> constant(Object operand) {
            return operand instanceof Float
                    ? Optional.empty()
                    : GraphValues.find(operand).filter(Reader::isComparedAlike);
        }

        /** Returns true if SQL and TinkerPop agree on what equals the value. */
        private static boolean isComparedAlike(Value value) {
            return !(value instanceof Value.Int(long number)) || Math.abs(number) <= MAX_EXACT;
        }

        /**
         * Returns true if SQL and TinkerPop agree on what is before and behind the value. Texts are
         * ordered by characters here and by halves of surrogate pairs there, and booleans only
         * there.
         */
        private static boolean isOrderedAlike(Value value) {
            return switch (value) {
                case Value.Text(String text) ->
                        text.chars().allMatch(unit -> unit < Character.MIN_SURROGATE);
                case Value.Int _, Value.Real _ -> isComparedAlike(value);
                default -> false;
            };
        }
    }
}
