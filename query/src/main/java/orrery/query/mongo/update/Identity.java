package orrery.query.mongo.update;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.Value;

/** Compares values by what is stored of them: widths of numbers and the order of fields count. */
final class Identity {
    private Identity() {}

    static boolean isSame(Value left, Value right) {
        if (left instanceof Value.Obj(var mine) && right instanceof Value.Obj(var other)) {
            return isSame(mine, other);
        }
        if (left instanceof Value.Array(var mine) && right instanceof Value.Array(var other)) {
            return isSame(mine, other);
        }
        if (left instanceof BsonValue.ScopedCode(String code, Value.Obj scope)
                && right instanceof BsonValue.ScopedCode(String other, Value.Obj otherScope)) {
            return code.equals(other) && isSame(scope, otherScope);
        }
        return left.equals(right);
    }

    private static boolean isSame(Map<String, Value> left, Map<String, Value> right) {
        if (left.size() != right.size()) {
            return false;
        }
        Iterator<Map.Entry<String, Value>> others = right.entrySet().iterator();
        for (Map.Entry<String, Value> mine : left.entrySet()) {
            Map.Entry<String, Value> other = others.next();
            if (!mine.getKey().equals(other.getKey())
                    || !isSame(mine.getValue(), other.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(List<Value> left, List<Value> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!isSame(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }
}
