package orrery.query.mongo.aggregate;

import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.expression.Deviation;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.Sum;
import orrery.query.mongo.expression.Variables;

/** Accumulators of numbers. What is no number counts as nothing. */
final class NumberAccumulators {
    private static final String COUNT = "a";

    private NumberAccumulators() {}

    private static Map<String, Value> fields(Value state) {
        return ((Value.Obj) state).properties();
    }

    /** {@code $sum}. */
    static final class Total implements Accumulator {
        private final Expression input;
        private final Sum sum = new Sum();

        Total(Expression input) {
            this.input = input;
        }

        @Override
        public long add(Variables document) {
            Value value = input.evaluate(document);
            if (Numbers.isNumber(value)) {
                sum.add(value);
            }
            return 0;
        }

        @Override
        public Value state() {
            return sum.state();
        }

        @Override
        public long merge(Value state) {
            sum.merge(fields(state));
            return 0;
        }

        @Override
        public Value result() {
            return sum.result();
        }
    }

    /** {@code $avg}. */
    static final class Mean implements Accumulator {
        private final Expression input;
        private final Sum sum = new Sum();
        private long count;

        Mean(Expression input) {
            this.input = input;
        }

        @Override
        public long add(Variables document) {
            Value value = input.evaluate(document);
            if (Numbers.isNumber(value)) {
                sum.add(value);
                count++;
            }
            return 0;
        }

        @Override
        public Value state() {
            Map<String, Value> state = new LinkedHashMap<>(sum.state().properties());
            state.put(COUNT, Numbers.int64(count));
            return new Value.Obj(state);
        }

        @Override
        public long merge(Value state) {
            sum.merge(fields(state));
            count += Numbers.toLong(fields(state).getOrDefault(COUNT, Value.of(0)));
            return 0;
        }

        @Override
        public Value result() {
            return count == 0 ? Value.Null.NULL : sum.over(count);
        }
    }

    /** {@code $stdDevPop} and {@code $stdDevSamp}. */
    static final class Spread implements Accumulator {
        private final Expression input;
        private final boolean isSample;
        private final Deviation deviation = new Deviation();

        Spread(Expression input, boolean isSample) {
            this.input = input;
            this.isSample = isSample;
        }

        @Override
        public long add(Variables document) {
            Value value = input.evaluate(document);
            if (Numbers.isNumber(value)) {
                deviation.add(Numbers.toDouble(value));
            }
            return 0;
        }

        @Override
        public Value state() {
            return deviation.state();
        }

        @Override
        public long merge(Value state) {
            deviation.merge(fields(state));
            return 0;
        }

        @Override
        public Value result() {
            return deviation.result(isSample);
        }
    }
}
