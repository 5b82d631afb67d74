package orrery.query.mongo.update;

import java.util.Comparator;
import java.util.List;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;

/**
 * The path of an update, with parts that may stand for elements of arrays: {@code $} for the one
 * that the query found, {@code $[]} for all, {@code $[name]} for those that a filter takes.
 */
record UpdatePath(List<String> parts) {
    static final String FOUND = "$";
    static final String ALL = "$[]";

    /** Numbers sort as numbers, so that elements come in their order. */
    private static final Comparator<String> BY_PART =
            (left, right) -> {
                int a = index(left);
                int b = index(right);
                return a >= 0 && b >= 0 ? Integer.compare(a, b) : left.compareTo(right);
            };

    static final Comparator<UpdatePath> ORDER =
            (left, right) -> {
                int shared = Math.min(left.parts.size(), right.parts.size());
                for (int i = 0; i < shared; i++) {
                    int order = BY_PART.compare(left.parts.get(i), right.parts.get(i));
                    if (order != 0) {
                        return order;
                    }
                }
                return Integer.compare(left.parts.size(), right.parts.size());
            };

    UpdatePath {
        parts = List.copyOf(parts);
    }

    static UpdatePath parse(String dotted) {
        if (dotted.isEmpty()) {
            throw MongoCode.EMPTY_FIELD_NAME.failure("An empty update path is not valid.");
        }
        UpdatePath path = new UpdatePath(List.of(dotted.split("\\.", -1)));
        int found = 0;
        for (int i = 0; i < path.parts.size(); i++) {
            String part = path.parts.get(i);
            if (part.isEmpty()) {
                throw MongoCode.EMPTY_FIELD_NAME.failure(
                        "The update path '"
                                + dotted
                                + "' contains an empty field name, which is not allowed.");
            }
            boolean isElements = isElements(part);
            if (i == 0 && isElements) {
                throw MongoCode.BAD_VALUE.failure(
                        "Cannot have array filter identifier (i.e. '$[<id>]') element in the first"
                                + " position in path '"
                                + dotted
                                + "'");
            }
            if (part.equals(FOUND)) {
                if (i == 0) {
                    throw MongoCode.BAD_VALUE.failure(
                            "Cannot have positional (i.e. '$') element in the first position in"
                                    + " path '"
                                    + dotted
                                    + "'");
                }
                found++;
            } else if (part.startsWith("$") && !isElements && !isReference(part)) {
                throw MongoCode.DOLLAR_PREFIXED_FIELD_NAME.failure(
                        "The dollar ($) prefixed field '"
                                + part
                                + "' in '"
                                + dotted
                                + "' is not valid for storage.");
            }
        }
        if (found > 1) {
            throw MongoCode.BAD_VALUE.failure(
                    "Too many positional (i.e. '$') elements found in path '" + dotted + "'");
        }
        return path;
    }

    /** The parts of a reference to another document begin with a dollar and are stored. */
    static boolean isReference(String part) {
        return part.equals("$ref") || part.equals("$id") || part.equals("$db");
    }

    /** Returns true for {@code $[]} and {@code $[name]}. */
    static boolean isElements(String part) {
        return part.startsWith("$[") && part.endsWith("]");
    }

    /** The name in {@code $[name]}. */
    static String filterName(String part) {
        return part.substring(2, part.length() - 1);
    }

    /** Returns true if a part stands for elements that only the document tells. */
    boolean isDynamic() {
        return parts.stream().anyMatch(part -> part.equals(FOUND) || isElements(part));
    }

    String dotted() {
        return String.join(".", parts);
    }

    /** Returns true if one path is the other or leads to it. */
    boolean meets(UpdatePath other) {
        int shared = Math.min(parts.size(), other.parts.size());
        return parts.subList(0, shared).equals(other.parts.subList(0, shared));
    }

    /** The place that a part names in an array, or -1. */
    static int index(String part) {
        return FieldPath.arrayIndex(part);
    }
}
