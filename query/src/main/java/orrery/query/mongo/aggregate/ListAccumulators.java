package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.ValuePlaces;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.Variables;

/** Accumulators that keep the values of all documents; absent values are left out. */
final class ListAccumulators {
    private static final long ELEMENT_BYTES = 16;
    private static final long PLACE_BYTES = 128;

    private ListAccumulators() {}

    static List<Value> elements(Value state) {
        return ((Value.Array) state).elements();
    }

    /** {@code $push}. */
    static final class Push implements Accumulator {
        private final Expression input;
        private final List<Value> values = new ArrayList<>();

        Push(Expression input) {
            this.input = input;
        }

        @Override
        public long add(Variables document) {
            return take(input.evaluate(document));
        }

        private long take(Value value) {
            if (!value.isDefined()) {
                return 0;
            }
            values.add(value);
            return ELEMENT_BYTES + HeapSize.of(value);
        }

        @Override
        public Value state() {
            return new Value.Array(values);
        }

        @Override
        public long merge(Value state) {
            long grown = 0;
            for (Value each : elements(state)) {
                grown += take(each);
            }
            return grown;
        }

        @Override
        public Value result() {
            return state();
        }
    }

    /** {@code $addToSet}: the first of equal values stands for all. */
    static final class Different implements Accumulator {
        private final Expression input;
        private final MongoOrder order;
        private final Map<Bytes, Value> values = new LinkedHashMap<>();

        Different(Expression input, MongoOrder order) {
            this.input = input;
            this.order = order;
        }

        @Override
        public long add(Variables document) {
            return take(input.evaluate(document));
        }

        private long take(Value value) {
            return value.isDefined()
                            && values.putIfAbsent(ValuePlaces.of(value, order), value) == null
                    ? PLACE_BYTES + HeapSize.of(value)
                    : 0;
        }

        @Override
        public Value state() {
            return new Value.Array(List.copyOf(values.values()));
        }

        @Override
        public long merge(Value state) {
            long grown = 0;
            for (Value each : elements(state)) {
                grown += take(each);
            }
            return grown;
        }

        @Override
        public Value result() {
            return state();
        }
    }
}
