package orrery.query.mongo.aggregate;

import java.util.Iterator;
import orrery.document.Value;
import orrery.query.mongo.expression.Variables;

/** {@code $group} over documents that come one by one. */
final class GroupedDocuments extends Gathered {
    private final GroupSpec spec;
    private final Groups groups;
    private Variables present;

    GroupedDocuments(Documents source, GroupSpec spec) {
        super(source);
        this.spec = spec;
        this.present = spec.context().variables(Value.Undefined.UNDEFINED);
        this.groups = new Groups(spec, () -> present);
    }

    @Override
    void add(Value.Obj document) {
        long before = groups.sizeBytes();
        present = spec.context().variables(document);
        groups.add();
        StageMemory.take("$group", Math.max(0, groups.sizeBytes() - before));
    }

    @Override
    Iterator<Value.Obj> results() {
        Iterator<Value> all = groups.results();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Value.Obj next() {
                return (Value.Obj) all.next();
            }
        };
    }

    @Override
    long gatheredBytes() {
        return groups.sizeBytes();
    }
}
