package orrery.query.mongo.aggregate;

import java.util.Comparator;
import java.util.List;
import orrery.document.Value;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.find.SortSpec;

/** Compares documents by the values that they are sorted by, which are found once for each. */
record Sorter(SortSpec spec) implements Comparator<List<Value>> {
    /** Returns what a document is compared by. */
    List<Value> key(Value document) {
        return spec.values(document);
    }

    /** Keys hold no strings of a collation any more, but what stands for them. */
    @Override
    public int compare(List<Value> left, List<Value> right) {
        for (int i = 0; i < left.size(); i++) {
            int difference = MongoOrder.SIMPLE.compare(comparable(left, i), comparable(right, i));
            if (difference != 0) {
                return spec.columns().get(i).isDescending() ? -difference : difference;
            }
        }
        return 0;
    }

    /** Null and what is absent have one place. */
    private static Value comparable(List<Value> key, int at) {
        Value value = key.get(at);
        return value.isDefined() ? value : Value.Null.NULL;
    }
}
