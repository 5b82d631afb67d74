package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import orrery.document.Value;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.PercentileSpec;
import orrery.query.mongo.expression.Variables;

/**
 * {@code $median} and {@code $percentile}. All numbers are kept, so the results are those that the
 * method of the server comes near to.
 */
final class Percentiles implements Accumulator {
    private final PercentileSpec spec;
    private double[] numbers = new double[4];
    private int count;

    Percentiles(PercentileSpec spec) {
        this.spec = spec;
    }

    @Override
    public long add(Variables document) {
        Value value = spec.input().evaluate(document);
        return Numbers.isNumber(value) ? take(Numbers.toDouble(value)) : 0;
    }

    private long take(double number) {
        if (Double.isNaN(number)) {
            return 0;
        }
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count * 2);
        }
        numbers[count] = number;
        count++;
        return Double.BYTES * 2;
    }

    @Override
    public Value state() {
        List<Value> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(new Value.Real(numbers[i]));
        }
        return new Value.Array(values);
    }

    @Override
    public long merge(Value state) {
        long grown = 0;
        for (Value each : ListAccumulators.elements(state)) {
            grown += take(Numbers.toDouble(each));
        }
        return grown;
    }

    @Override
    public Value result() {
        return spec.result(numbers, count);
    }
}
