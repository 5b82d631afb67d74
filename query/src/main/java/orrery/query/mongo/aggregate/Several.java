package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.List;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.Variables;

/** {@code $firstN}, {@code $lastN}, {@code $minN} and {@code $maxN}. */
final class Several implements Accumulator {
    private static final long ELEMENT_BYTES = 16;

    private final Kind kind;
    private final Expression input;
    private final int most;
    private final MongoOrder order;
    private final List<Value> values = new ArrayList<>();

    enum Kind {
        FIRST,
        LAST,
        LEAST,
        GREATEST
    }

    Several(Kind kind, Expression input, int most, MongoOrder order) {
        this.kind = kind;
        this.input = input;
        this.most = most;
        this.order = order;
    }

    /** The first and the last are of documents, so an absent value is one of them, as null. */
    @Override
    public long add(Variables document) {
        Value value = input.evaluate(document);
        boolean isOfDocuments = kind == Kind.FIRST || kind == Kind.LAST;
        if (isOfDocuments) {
            return take(value.isDefined() ? value : Value.Null.NULL);
        }
        return MongoOrder.isNullish(value) ? 0 : take(value);
    }

    private long take(Value value) {
        int at =
                switch (kind) {
                    case FIRST, LAST -> values.size();
                    case LEAST -> place(value, 1);
                    case GREATEST -> place(value, -1);
                };
        if (at >= most && kind != Kind.LAST) {
            return 0;
        }
        values.add(at, value);
        long grown = size(value);
        if (values.size() > most) {
            grown -= size(kind == Kind.LAST ? values.removeFirst() : values.removeLast());
        }
        return grown;
    }

    private static long size(Value value) {
        return ELEMENT_BYTES + HeapSize.of(value);
    }

    /** Behind all that are not after it in the order, so that the first of equals stays first. */
    private int place(Value value, int sign) {
        int low = 0;
        int high = values.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sign * order.compare(values.get(middle), value) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public Value state() {
        return new Value.Array(values);
    }

    @Override
    public long merge(Value state) {
        long grown = 0;
        for (Value each : ListAccumulators.elements(state)) {
            grown += take(each);
        }
        return grown;
    }

    @Override
    public Value result() {
        return state();
    }
}
