package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Optional;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;
import orrery.query.index.IndexScan;
import orrery.query.index.ValueRange;
import orrery.query.index.ValueRanges;
import orrery.query.mongo.expression.ValueText;

/** Writes ranges of index values as a server shows the bounds of an index. */
final class IndexBounds {
    private static final String LEAST = "MinKey";
    private static final String GREATEST = "MaxKey";
    private static final String EVERY = "[" + LEAST + ", " + GREATEST + "]";

    private IndexBounds() {}

    static List<Value> of(IndexScan.Column column) {
        if (column.ranges().isEmpty()) {
            return List.of(Value.of(EVERY));
        }
        List<Value> texts =
                new java.util.ArrayList<>(
                        column.ranges().stream().map(range -> Value.of(text(range))).toList());
        if (column.isCut()) {
            texts.add(Value.of("..."));
        }
        return texts;
    }

    private static String text(ValueRange range) {
        Optional<String> first = value(range.from());
        if (first.isPresent() && range.to().equals(ValueRanges.after(range.from()))) {
            return "[" + first.get() + ", " + first.get() + "]";
        }
        return lower(range.from()) + ", " + upper(range.to());
    }

    private static String lower(Bytes from) {
        return value(from)
                .map(value -> "[" + value)
                .or(() -> before(from).flatMap(IndexBounds::value).map(value -> "(" + value))
                .orElseGet(() -> "[" + type(from.at(0), true));
    }

    /** The end of a range is the first value that does not belong to it. */
    private static String upper(Bytes to) {
        return value(to)
                .map(value -> value + ")")
                .or(() -> before(to).flatMap(IndexBounds::value).map(value -> value + "]"))
                .orElseGet(() -> type(to.at(0), to.length() > 1) + ")");
    }

    /** The value whose bytes these are, if they are those of one. */
    private static Optional<String> value(Bytes bytes) {
        try {
            IndexValue.Decoded decoded = IndexValue.decode(bytes);
            return decoded.end() == bytes.length() && bytes.at(0) != ValueTag.UNDEFINED
                    ? Optional.of(ValueText.of(decoded.value()))
                    : Optional.empty();
        } catch (MalformedRecordException notWhole) {
            return Optional.empty();
        }
    }

    /** The bytes behind which these are the next. */
    private static Optional<Bytes> before(Bytes bytes) {
        byte[] earlier = bytes.unsafeArray().clone();
        int last = earlier.length - 1;
        if (earlier.length < 2 || earlier[last] == 0) {
            return Optional.empty();
        }
        earlier[last]--;
        return Optional.of(Bytes.wrap(earlier));
    }

    /**
     * The bound that a type has.
     *
     * @param isWithin whether the bound lies among its values, and not in front of them
     */
    private static String type(int tag, boolean isWithin) {
        if (tag <= ValueTag.MIN_KEY) {
            return LEAST;
        }
        if (tag > ValueTag.OBJECT) {
            return GREATEST;
        }
        if (tag == ValueTag.UNDEFINED) {
            return "missing";
        }
        if (tag <= ValueTag.NULL) {
            return "null";
        }
        if (tag <= ValueTag.TRUE) {
            return tag <= ValueTag.FALSE ? "false" : "true";
        }
        if (tag <= ValueTag.NUMBER) {
            return isWithin || tag == ValueTag.NUMBER ? "-inf" : "inf";
        }
        if (tag <= ValueTag.STRING) {
            return tag == ValueTag.STRING ? "\"\"" : "inf";
        }
        return tag <= ValueTag.ARRAY ? "[]" : "{}";
    }
}
