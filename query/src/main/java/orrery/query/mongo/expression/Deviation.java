package orrery.query.mongo.expression;

import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.Value;

/**
 * The standard deviation of numbers, from their count, their mean and the squares of the distances
 * to it, which change with each number. Used by one thread.
 */
public final class Deviation {
    private long count;
    private double mean;
    private double squares;

    public void add(double number) {
        count++;
        double distance = number - mean;
        if (distance != 0) {
            mean += distance / count;
            squares += distance * (number - mean);
        }
    }

    /**
     * Returns null where there are too few numbers.
     *
     * @param isSample whether the numbers are a sample of all
     */
    public Value result(boolean isSample) {
        long divisor = isSample ? count - 1 : count;
        return divisor <= 0 ? Value.Null.NULL : new Value.Real(Math.sqrt(squares / divisor));
    }

    /** Writes it down, so that it can be added to another. */
    public Value.Obj state() {
        Map<String, Value> state = new LinkedHashMap<>();
        state.put("c", Numbers.int64(count));
        state.put("m", new Value.Real(mean));
        state.put("s", new Value.Real(squares));
        return new Value.Obj(state);
    }

    /**
     * Adds the state of another one.
     *
     * @throws RuntimeException for what is no state
     */
    public void merge(Map<String, Value> state) {
        long others = Numbers.toLong(state.getOrDefault("c", Value.of(0)));
        if (others == 0) {
            return;
        }
        double otherMean = Numbers.toDouble(state.getOrDefault("m", Value.of(0)));
        double distance = otherMean - mean;
        long all = count + others;
        if (distance != 0) {
            mean = ((double) count * mean + (double) others * otherMean) / all;
        }
        squares +=
                Numbers.toDouble(state.getOrDefault("s", Value.of(0)))
                        + distance * distance * ((double) count * others / all);
        count = all;
    }
}
