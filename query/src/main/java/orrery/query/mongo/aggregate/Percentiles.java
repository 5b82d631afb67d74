package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import orrery.document.Value;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.Variables;

/**
 * {@code $median} and {@code $percentile}. All numbers are kept, so the results are those that the
 * method of the server comes near to.
 */
final class Percentiles implements Accumulator {
    private final Expression input;
    private final double[] places;
    private final boolean isSingle;
    private double[] numbers = new double[4];
    private int count;

    Percentiles(Expression input, double[] places, boolean isSingle) {
        this.input = input;
        this.places = places.clone();
        this.isSingle = isSingle;
    }

    static double number(Value number) {
        return Numbers.toDouble(number);
    }

    @Override
    public long add(Variables document) {
        Value value = input.evaluate(document);
        return Numbers.isNumber(value) ? take(number(value)) : 0;
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
            grown += take(number(each));
        }
        return grown;
    }

    @Override
    public Value result() {
        Arrays.sort(numbers, 0, count);
        List<Value> results = new ArrayList<>();
        for (double place : places) {
            results.add(at(place));
        }
        return isSingle ? results.getFirst() : new Value.Array(results);
    }

    /** The least number that as many are not above as the place demands. */
    private Value at(double place) {
        if (count == 0) {
            return Value.Null.NULL;
        }
        int rank = (int) Math.max(0, Math.ceil(place * count) - 1);
        return new Value.Real(numbers[Math.min(rank, count - 1)]);
    }
}
