package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import orrery.model.OrreryException;
import orrery.model.metering.Charge;

/** Adds up what the calls of one traversal cost. Used by its thread. */
public final class GraphMeter {
    private double ru;
    private final List<Operation> operations = new ArrayList<>();
    private final boolean keepsOperations;

    /**
     * What a call at the door took.
     *
     * @param ranges how many physical partitions answered
     * @param items how many items came
     */
    public record Operation(String operator, int ranges, int items, long bytes, long nanos) {}

    /**
     * @param keepsOperations whether each call is wanted, and not only the sum
     */
    public GraphMeter(boolean keepsOperations) {
        this.keepsOperations = keepsOperations;
    }

    /** Returns the request units of all calls so far, also of those that have failed. */
    public double ru() {
        return ru;
    }

    public List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** The part of an answer that is counted. */
    record Counted<T>(T answer, Charge charge, int items, long bytes) {}

    <T> T count(String operator, Supplier<Counted<T>> call) {
        long began = System.nanoTime();
        try {
            Counted<T> counted = call.get();
            add(operator, counted.charge(), counted.items(), counted.bytes(), began);
            return counted.answer();
        } catch (OrreryException failed) {
            add(operator, failed.charge(), 0, 0, began);
            throw failed;
        }
    }

    private void add(String operator, Charge charge, int items, long bytes, long began) {
        ru += charge.ru();
        if (keepsOperations) {
            operations.add(
                    new Operation(
                            operator,
                            Math.max(1, charge.ranges()),
                            items,
                            bytes,
                            System.nanoTime() - began));
        }
    }
}
