package orrery.document;

import java.util.Arrays;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.codec.MalformedRecordException;

/**
 * The order of types that a query language sorts by. Index terms are in SQL's order; a sort in
 * another order walks the ranges of tags in the sequence that {@link #ranges} gives. Within a range
 * bytes decide.
 */
public enum TypeOrder {
    SQL,

    /** Undefined, null and missing are one type there; a boolean sorts above an object. */
    MONGODB;

    private static final int PLACES_OF_A_RANGE = 8;

    private static final List<TagRange> ALL =
            List.of(new TagRange(ValueTag.MIN_KEY, ValueTag.MAX_KEY));

    private static final List<TagRange> OF_MONGODB =
            List.of(
                    TagRange.of(ValueTag.MIN_KEY),
                    new TagRange(ValueTag.UNDEFINED, ValueTag.NULL),
                    TagRange.of(ValueTag.NUMBER),
                    TagRange.of(ValueTag.STRING),
                    TagRange.of(ValueTag.OBJECT),
                    TagRange.of(ValueTag.ARRAY),
                    TagRange.of(ValueTag.BINARY),
                    TagRange.of(ValueTag.OBJECT_ID),
                    new TagRange(ValueTag.FALSE, ValueTag.TRUE),
                    TagRange.of(ValueTag.DATE_TIME),
                    TagRange.of(ValueTag.TIMESTAMP),
                    TagRange.of(ValueTag.REGEX),
                    TagRange.of(ValueTag.POINTER),
                    TagRange.of(ValueTag.CODE),
                    TagRange.of(ValueTag.SCOPED_CODE),
                    TagRange.of(ValueTag.MAX_KEY));

    /** Tags from the first to the last; both belong to it. */
    public record TagRange(int first, int last) {
        private static TagRange of(int tag) {
            return new TagRange(tag, tag);
        }

        public boolean contains(int tag) {
            return tag >= first && tag <= last;
        }
    }

    /** Every tag is in exactly one range; ascending sorts walk them from first to last. */
    public List<TagRange> ranges() {
        return switch (this) {
            case SQL -> ALL;
            case MONGODB -> OF_MONGODB;
        };
    }

    public static TypeOrder of(ContainerKind kind) {
        return switch (kind) {
            case MONGODB -> MONGODB;
            case DOCUMENT, TABLE, GRAPH -> SQL;
        };
    }

    /**
     * Returns the byte that stands for a tag where bytes alone must give this order, as in a
     * composite term and in the sort keys of queries. It is stored and never changes.
     */
    public int place(int tag) {
        return switch (this) {
            case SQL -> tag;
            case MONGODB -> {
                int rank = rank(tag);
                // Tags are even, so a range has room for as many as lie between its ends.
                yield PLACES_OF_A_RANGE * (rank + 1) + (tag - ranges().get(rank).first()) / 2;
            }
        };
    }

    /**
     * Returns the tag that a byte stands for.
     *
     * @throws MalformedRecordException if it stands for none
     */
    public int tag(int place) {
        return switch (this) {
            case SQL -> place;
            case MONGODB -> {
                int rank = place / PLACES_OF_A_RANGE - 1;
                if (rank < 0 || rank >= ranges().size()) {
                    throw new MalformedRecordException("no type has this place");
                }
                yield ranges().get(rank).first() + 2 * (place % PLACES_OF_A_RANGE);
            }
        };
    }

    /** Compares two encoded values as a sort in this order does. */
    public int compare(Bytes left, Bytes right) {
        int byType = Integer.compare(rank(left.at(0)), rank(right.at(0)));
        return byType != 0
                ? byType
                : Arrays.compareUnsigned(left.unsafeArray(), right.unsafeArray());
    }

    private int rank(int tag) {
        for (int i = 0; i < ranges().size(); i++) {
            if (ranges().get(i).contains(tag)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no index value begins with " + tag);
    }
}
