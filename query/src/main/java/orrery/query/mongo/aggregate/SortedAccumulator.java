package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.List;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.Variables;

/** {@code $top}, {@code $bottom}, {@code $topN} and {@code $bottomN}. */
final class SortedAccumulator implements Accumulator {
    private static final long ELEMENT_BYTES = 64;

    private final Sorter sorter;
    private final Expression output;
    private final int most;
    private final boolean isBottom;
    private final boolean isSingle;

    /** In the order. */
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(List<Value> key, Value output) {
        long size() {
            return ELEMENT_BYTES + HeapSize.of(output) + key.stream().mapToLong(HeapSize::of).sum();
        }

        Value state() {
            return new Value.Array(
                    List.of(
                            new Value.Array(
                                    key.stream()
                                            .map(each -> each.isDefined() ? each : Value.Null.NULL)
                                            .toList()),
                            output));
        }
    }

    SortedAccumulator(
            Sorter sorter, Expression output, int most, boolean isBottom, boolean isSingle) {
        this.sorter = sorter;
        this.output = output;
        this.most = most;
        this.isBottom = isBottom;
        this.isSingle = isSingle;
    }

    @Override
    public long add(Variables document) {
        Value value = output.evaluate(document);
        return take(
                new Entry(
                        sorter.key(document.root()), value.isDefined() ? value : Value.Null.NULL));
    }

    private long take(Entry entry) {
        int at = place(entry);
        boolean isOut = isBottom ? at == 0 && entries.size() >= most : at >= most;
        if (isOut) {
            return 0;
        }
        entries.add(at, entry);
        long grown = entry.size();
        if (entries.size() > most) {
            grown -= (isBottom ? entries.removeFirst() : entries.removeLast()).size();
        }
        return grown;
    }

    private int place(Entry entry) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorter.compare(entries.get(middle).key(), entry.key()) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public Value state() {
        return new Value.Array(entries.stream().map(Entry::state).toList());
    }

    @Override
    public long merge(Value state) {
        long grown = 0;
        for (Value each : ListAccumulators.elements(state)) {
            List<Value> parts = ListAccumulators.elements(each);
            grown += take(new Entry(ListAccumulators.elements(parts.getFirst()), parts.getLast()));
        }
        return grown;
    }

    @Override
    public Value result() {
        List<Value> outputs = entries.stream().map(Entry::output).toList();
        if (isSingle) {
            return outputs.isEmpty() ? Value.Null.NULL : outputs.getFirst();
        }
        return new Value.Array(outputs);
    }
}
