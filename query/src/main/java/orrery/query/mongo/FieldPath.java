package orrery.query.mongo;

import java.util.List;
import java.util.Map;
import orrery.document.Value;

/**
 * A dotted path, as filters, sorts and projections write it. It descends objects by name. Through
 * an array it goes into each element that is an object, and by a number also into the element at
 * that place. An element that is an array itself is entered by a number only.
 */
public record FieldPath(List<String> parts) {
    /** No array was passed. */
    public static final int NO_INDEX = -1;

    public FieldPath {
        parts = List.copyOf(parts);
    }

    public static FieldPath of(String dotted) {
        return new FieldPath(List.of(dotted.split("\\.", -1)));
    }

    /**
     * Reads the path of a field that a stage, a projection or a sort names.
     *
     * @throws orrery.model.OrreryException if no field can have it
     */
    public static FieldPath ofField(String dotted) {
        if (dotted.isEmpty()) {
            throw MongoCode.failure(40352, "FieldPath cannot be constructed with empty string");
        }
        if (dotted.endsWith(".")) {
            throw MongoCode.failure(40353, "FieldPath must not end with a '.'.");
        }
        FieldPath path = of(dotted);
        for (String part : path.parts) {
            if (part.isEmpty()) {
                throw MongoCode.failure(15998, "FieldPath field names may not be empty strings.");
            }
            if (part.startsWith("$")) {
                throw MongoCode.failure(
                        16410,
                        "FieldPath field names may not start with '$'. Consider using $getField or"
                                + " $setField.");
            }
        }
        return path;
    }

    public String dotted() {
        return String.join(".", parts);
    }

    public String first() {
        return parts.getFirst();
    }

    /** Receives what lies at a path. */
    public interface Visitor {
        /**
         * @param value undefined where an object lacks the rest of the path
         * @param index of the outermost array that was passed on the way, or {@link #NO_INDEX}
         * @return true if no more are wanted
         */
        boolean visit(Value value, int index);
    }

    /** The treatment of an array at the end of a path. */
    private enum Leaf {
        WHOLE,
        ELEMENTS,
        ELEMENTS_AND_WHOLE
    }

    /**
     * Shows each value at the path. Of an array at the end of the path that is each element first,
     * then the array. Returns true if the visitor ended the walk.
     */
    public boolean visitElements(Value root, Visitor visitor) {
        return visit(root, 0, Leaf.ELEMENTS_AND_WHOLE, visitor);
    }

    /** Shows each value at the path; an array at the end of it as a whole. */
    public boolean visitValues(Value root, Visitor visitor) {
        return visit(root, 0, Leaf.WHOLE, visitor);
    }

    /** Shows each value at the path; of an array at the end of it the elements only. */
    public boolean visitUnwound(Value root, Visitor visitor) {
        return visit(root, 0, Leaf.ELEMENTS, visitor);
    }

    private boolean visit(Value root, int from, Leaf leaf, Visitor visitor) {
        Value value = root;
        int at = from;
        while (at < parts.size()) {
            if (value instanceof Value.Obj(Map<String, Value> properties)) {
                value = properties.getOrDefault(parts.get(at), Value.Undefined.UNDEFINED);
                at++;
            } else if (value instanceof Value.Array(List<Value> elements)) {
                return visitArray(elements, at, leaf, visitor);
            } else {
                value = Value.Undefined.UNDEFINED;
                at = parts.size();
            }
        }
        return visitLeaf(value, leaf, visitor);
    }

    private static boolean visitLeaf(Value value, Leaf leaf, Visitor visitor) {
        if (leaf != Leaf.WHOLE && value instanceof Value.Array(List<Value> elements)) {
            for (int i = 0; i < elements.size(); i++) {
                if (visitor.visit(elements.get(i), i)) {
                    return true;
                }
            }
            return leaf == Leaf.ELEMENTS_AND_WHOLE && visitor.visit(value, NO_INDEX);
        }
        return visitor.visit(value, NO_INDEX);
    }

    /** The path goes on behind an array. */
    private boolean visitArray(List<Value> elements, int at, Leaf leaf, Visitor visitor) {
        int wanted = arrayIndex(parts.get(at));
        for (int i = 0; i < elements.size(); i++) {
            Value element = elements.get(i);
            int index = i;
            Visitor inner = (value, _) -> visitor.visit(value, index);
            if (element instanceof Value.Obj && visit(element, at, leaf, inner)) {
                return true;
            }
            if (i == wanted && visitPlace(element, at + 1, index, leaf, visitor)) {
                return true;
            }
        }
        return false;
    }

    /** A number of the path named this element, which is therefore not a step into an array. */
    private boolean visitPlace(Value element, int at, int index, Leaf leaf, Visitor visitor) {
        if (at == parts.size()) {
            return leaf == Leaf.ELEMENTS
                    ? visitLeaf(element, leaf, visitor)
                    : visitor.visit(element, index);
        }
        return switch (element) {
            case Value.Obj _ -> visit(element, at, leaf, visitor);
            case Value.Array(List<Value> elements) -> visitArray(elements, at, leaf, visitor);
            default -> false;
        };
    }

    /** Returns the place that a part of a path names in an array, or {@link #NO_INDEX}. */
    public static int arrayIndex(String part) {
        if (part.isEmpty() || part.length() > 9 || (part.length() > 1 && part.charAt(0) == '0')) {
            return NO_INDEX;
        }
        int index = 0;
        for (int i = 0; i < part.length(); i++) {
            char digit = part.charAt(i);
            if (digit < '0' || digit > '9') {
                return NO_INDEX;
            }
            index = 10 * index + (digit - '0');
        }
        return index;
    }
}
