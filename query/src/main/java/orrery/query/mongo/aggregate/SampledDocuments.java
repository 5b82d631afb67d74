package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import orrery.document.HeapSize;
import orrery.document.Value;

/** {@code $sample}: so many documents of all, each of which is as likely to be among them. */
final class SampledDocuments extends Gathered {
    private final long size;
    private final RandomGenerator random;
    private final StageMemory memory = new StageMemory("$sample");
    private final List<Value.Obj> sample = new ArrayList<>();
    private long seen;

    SampledDocuments(Documents source, long size, RandomGenerator random) {
        super(source);
        this.size = size;
        this.random = random;
    }

    @Override
    void add(Value.Obj document) {
        seen++;
        if (sample.size() < size) {
            memory.take(HeapSize.of(document));
            sample.add(document);
            return;
        }
        long at = random.nextLong(seen);
        if (at < size) {
            Value.Obj before = sample.set((int) at, document);
            memory.take(HeapSize.of(document));
            memory.drop(HeapSize.of(before));
        }
    }

    @Override
    Iterator<Value.Obj> results() {
        Collections.shuffle(sample, Random.from(random));
        return sample.iterator();
    }

    @Override
    long gatheredBytes() {
        return memory.bytes();
    }
}
