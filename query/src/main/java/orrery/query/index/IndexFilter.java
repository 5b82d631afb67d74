package orrery.query.index;

import java.util.List;
import java.util.Optional;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.spatial.Shape;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.query.dialect.Effort;

/** A condition on index entries that every item meets which a filter may accept. */
public sealed interface IndexFilter {
    /** Tells of a value of the index whether it is wanted. Safe to share. */
    @FunctionalInterface
    interface EntryTest {
        /**
         * @param effort counts what that computes
         */
        boolean test(Value value, Effort effort);
    }

    /** Nothing is known: any item may match. */
    record Everything() implements IndexFilter {}

    /** No item matches. */
    record Nothing() implements IndexFilter {}

    /**
     * The item has a value at the path that lies in these ranges and passes the test.
     *
     * @param test where the ranges alone say too little; only for values the index holds whole
     * @param rules by which the index was made
     */
    record OnPath(IndexPath path, ValueRanges ranges, Optional<EntryTest> test, TermRules rules)
            implements IndexFilter, EntryCondition {
        /** Returns true if one look-up, in the order of docids, finds them all. */
        public boolean isPoint() {
            return ranges.isPoint() && test.isEmpty();
        }

        /** Returns true if an item may have several entries that match. */
        public boolean hasElements() {
            return path.steps().contains(IndexPath.Step.Element.ELEMENT);
        }

        public boolean accepts(byte[] entry, int valueAt, int end, Effort effort) {
            return ranges.contains(entry, valueAt, end) && passes(entry, valueAt, effort);
        }

        @Override
        public Bytes prefix() {
            return IndexPathCodec.encode(path);
        }

        @Override
        public boolean meetsItemsTwice() {
            return hasElements() && !ranges.isPoint();
        }

        @Override
        public boolean passes(byte[] entry, int valueAt, Effort effort) {
            if (test.isEmpty()) {
                return true;
            }
            IndexValue.Decoded decoded = IndexValue.decode(entry, valueAt);
            return !decoded.isExact() || test.get().test(decoded.value(), effort);
        }

        @Override
        public Optional<Bytes> first(PathValues item) {
            Bytes[] first = new Bytes[1];
            item.forEach(
                    path,
                    value -> {
                        Bytes encoded = IndexValue.encode(value, rules);
                        if ((first[0] == null || encoded.compareTo(first[0]) < 0)
                                && accepts(
                                        encoded.unsafeArray(),
                                        0,
                                        encoded.length(),
                                        item.effort())) {
                            first[0] = encoded;
                        }
                    });
            if (first[0] == null && ranges.includesUndefined() && !item.has(path)) {
                return Optional.of(IndexValue.encodeWhole(Value.Undefined.UNDEFINED));
            }
            return Optional.ofNullable(first[0]);
        }
    }

    /**
     * The item has a geometry at the path that comes as near to a shape as this.
     *
     * @param otherwise what can be said of the path without a spatial index
     */
    record Near(IndexPath path, Shape shape, double distance, OnPath otherwise)
            implements IndexFilter {}

    record AllOf(List<IndexFilter> parts) implements IndexFilter {
        public AllOf {
            parts = List.copyOf(parts);
        }
    }

    record AnyOf(List<IndexFilter> parts) implements IndexFilter {
        public AnyOf {
            parts = List.copyOf(parts);
        }
    }
}
