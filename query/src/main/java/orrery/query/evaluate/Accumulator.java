package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.syntax.BuiltIn;

/**
 * The running state of one aggregate function in one group. Undefined inputs never count.
 *
 * <p>States add up: those of two sets of rows merge to that of both, in the order given. The bytes
 * of a saved state are in docs/formats/messages.md.
 */
sealed interface Accumulator {
    void add(Value input);

    /**
     * Adds the saved state of the same function over other rows. Fails with
     * MalformedRecordException for what is no such state.
     */
    void merge(BinaryReader saved);

    void save(BinaryWriter out);

    Value result();

    /** Estimates the memory of the inputs that had to be kept. */
    default long sizeBytes() {
        return 0;
    }

    static Accumulator of(BuiltIn function) {
        return switch (function) {
            case COUNT -> new Count(false);
            case COUNTIF -> new Count(true);
            case SUM -> new Sum(false);
            case AVG -> new Sum(true);
            case MIN -> new Extreme(-1);
            case MAX -> new Extreme(1);
            case MAKELIST -> new Gathered(new ArrayList<>());
            case MAKESET -> new Gathered(new LinkedHashSet<>());
            default -> throw new IllegalStateException("no aggregate: " + function);
        };
    }

    private static void writeDouble(BinaryWriter out, double number) {
        out.u64(Double.doubleToRawLongBits(number));
    }

    private static double readDouble(BinaryReader in) {
        return Double.longBitsToDouble(in.u64());
    }

    /** COUNT of the defined inputs, or COUNTIF of the true ones. */
    final class Count implements Accumulator {
        private final boolean onlyTrue;
        private long count;

        private Count(boolean onlyTrue) {
            this.onlyTrue = onlyTrue;
        }

        @Override
        public void add(Value input) {
            if (onlyTrue ? Operators.isTrue(input) : input.isDefined()) {
                count++;
            }
        }

        @Override
        public void merge(BinaryReader saved) {
            count += saved.varint();
        }

        @Override
        public void save(BinaryWriter out) {
            out.varint(count);
        }

        @Override
        public Value result() {
            return Value.of(count);
        }
    }

    /**
     * SUM and AVG, which one input that is no number makes undefined. As in the service the sum is
     * a double; Neumaier's correction keeps it from depending on the order of the rows, and so on
     * how they are spread over partitions, in all but contrived cases.
     */
    final class Sum implements Accumulator {
        private final boolean isAverage;
        private double sum;
        private double correction;
        private long count;
        private boolean isUndefined;

        private Sum(boolean isAverage) {
            this.isAverage = isAverage;
        }

        @Override
        public void add(Value input) {
            if (input.isNumber()) {
                add(Operators.toDouble(input));
                count++;
            } else if (input.isDefined()) {
                isUndefined = true;
            }
        }

        private void add(double number) {
            double total = sum + number;
            correction +=
                    Math.abs(sum) >= Math.abs(number)
                            ? (sum - total) + number
                            : (number - total) + sum;
            sum = total;
        }

        @Override
        public void merge(BinaryReader saved) {
            add(readDouble(saved));
            correction += readDouble(saved);
            count += saved.varint();
            isUndefined |= saved.bool();
        }

        @Override
        public void save(BinaryWriter out) {
            writeDouble(out, sum);
            writeDouble(out, correction);
            out.varint(count).bool(isUndefined);
        }

        @Override
        public Value result() {
            if (isUndefined || (isAverage && count == 0)) {
                return Value.Undefined.UNDEFINED;
            }
            // With an infinite term the correction is NaN, and there is nothing to correct.
            double total = Double.isFinite(sum) ? sum + correction : sum;
            return Value.of(isAverage ? total / count : total);
        }
    }

    /** MIN and MAX over primitives; one array or object makes them undefined. */
    final class Extreme implements Accumulator {
        private final int sign;
        private @Nullable Value best;
        private boolean isUndefined;

        /**
         * @param sign of the comparison that makes an input the better one
         */
        private Extreme(int sign) {
            this.sign = sign;
        }

        @Override
        public void add(Value input) {
            if (input instanceof Value.Array || input instanceof Value.Obj) {
                isUndefined = true;
            } else if (input.isDefined()
                    && (best == null || ValueOrder.INSTANCE.compare(input, best) * sign > 0)) {
                best = input;
            }
        }

        @Override
        public void merge(BinaryReader saved) {
            isUndefined |= saved.bool();
            saved.optional(ValueCodec::read).ifPresent(this::add);
        }

        @Override
        public void save(BinaryWriter out) {
            out.bool(isUndefined).optional(Optional.ofNullable(best), ValueCodec::write);
        }

        @Override
        public Value result() {
            return isUndefined || best == null ? Value.Undefined.UNDEFINED : best;
        }
    }

    /** MAKELIST and MAKESET. They keep their inputs, and fail where no page could hold them. */
    final class Gathered implements Accumulator {
        private final Collection<ValueKey> inputs;
        private long size;

        private Gathered(Collection<ValueKey> inputs) {
            this.inputs = inputs;
        }

        @Override
        public void add(Value input) {
            if (input.isDefined() && inputs.add(new ValueKey(input))) {
                size = BoundedText.addJson(input, size);
            }
        }

        @Override
        public void merge(BinaryReader saved) {
            saved.list(ValueCodec::read).forEach(this::add);
        }

        @Override
        public void save(BinaryWriter out) {
            out.list(inputs, (w, input) -> ValueCodec.write(w, input.value()));
        }

        @Override
        public Value result() {
            List<Value> values = new ArrayList<>(inputs.size());
            for (ValueKey input : inputs) {
                values.add(input.value());
            }
            return new Value.Array(values);
        }

        @Override
        public long sizeBytes() {
            return 2 * size;
        }
    }
}
