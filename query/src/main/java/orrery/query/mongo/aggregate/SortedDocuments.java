package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import orrery.document.HeapSize;
import orrery.document.Value;

/**
 * {@code $sort}. Documents that sort alike stay in the order in which they came. Where only the
 * first are wanted, no others are kept.
 */
final class SortedDocuments extends Gathered {
    private static final long ENTRY_BYTES = 96;

    private final Sorter sorter;
    private final long most;
    private final PriorityQueue<Entry> last;
    private final StageMemory memory = new StageMemory("$sort");
    private List<Entry> entries = new ArrayList<>();
    private long number;

    private record Entry(List<Value> key, long number, Value.Obj document, long bytes) {}

    /**
     * @param most the first documents that are wanted
     */
    SortedDocuments(Documents source, Sorter sorter, long most) {
        super(source);
        this.sorter = sorter;
        this.most = most;
        this.last = new PriorityQueue<>(order().reversed());
    }

    private Comparator<Entry> order() {
        return Comparator.comparing(Entry::key, sorter).thenComparingLong(Entry::number);
    }

    @Override
    void add(Value.Obj document) {
        List<Value> key = sorter.key(document);
        long bytes =
                ENTRY_BYTES + HeapSize.of(document) + key.stream().mapToLong(HeapSize::of).sum();
        Entry entry = new Entry(key, number, document, bytes);
        number++;
        if (most == Long.MAX_VALUE) {
            memory.take(bytes);
            entries.add(entry);
            return;
        }
        Entry worst = last.size() < most ? null : last.peek();
        if (worst != null && sorter.compare(key, worst.key()) >= 0) {
            return;
        }
        memory.take(bytes);
        last.add(entry);
        if (last.size() > most) {
            memory.drop(last.remove().bytes());
        }
    }

    @Override
    Iterator<Value.Obj> results() {
        entries.addAll(last);
        last.clear();
        entries.sort(order());
        Iterator<Entry> sorted = entries.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return sorted.hasNext();
            }

            @Override
            public Value.Obj next() {
                return sorted.next().document();
            }
        };
    }

    @Override
    long gatheredBytes() {
        return memory.bytes();
    }
}
