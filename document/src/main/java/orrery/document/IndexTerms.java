package orrery.document;

import java.util.Arrays;
import java.util.List;
import orrery.model.Bytes;

/**
 * The index terms of one item: each a path and a value as one byte string, sorted as unsigned
 * bytes, none twice.
 */
public final class IndexTerms {
    public static final IndexTerms EMPTY = new IndexTerms(new byte[0][], 0);

    private static final byte[] TS_PATH = IndexPathCodec.encode(IndexPath.of("_ts")).unsafeArray();

    /** An array and the reference to it. */
    private static final int TERM_BYTES = 24;

    private final byte[][] terms;
    private final int leafCount;

    /** The array is given away; it is sorted and holds no term twice. */
    IndexTerms(byte[][] terms, int leafCount) {
        this.terms = terms;
        this.leafCount = leafCount;
    }

    public int size() {
        return terms.length;
    }

    /** About what they take of the heap. */
    public long heapBytes() {
        long sum = 0;
        for (byte[] term : terms) {
            sum += TERM_BYTES + term.length;
        }
        return sum;
    }

    public Bytes term(int index) {
        return Bytes.wrap(terms[index]);
    }

    /** The term itself, for hot paths that promise not to write to it. */
    public byte[] unsafeTerm(int index) {
        return terms[index];
    }

    public List<Bytes> toList() {
        return Arrays.stream(terms).map(Bytes::wrap).toList();
    }

    /**
     * Scalars on indexed paths and cells of geometries, for the charge: each array element counts,
     * even where equal elements share a term; system properties do not.
     */
    public int leafCount() {
        return leafCount;
    }

    /** Returns the terms to remove from the index and the terms to add when an item is replaced. */
    public Change changeTo(IndexTerms newer) {
        byte[][] removed = new byte[terms.length][];
        byte[][] added = new byte[newer.terms.length][];
        int removedCount = 0;
        int addedCount = 0;
        int left = 0;
        int right = 0;
        while (left < terms.length || right < newer.terms.length) {
            int order =
                    left == terms.length
                            ? 1
                            : right == newer.terms.length
                                    ? -1
                                    : Arrays.compareUnsigned(terms[left], newer.terms[right]);
            if (order < 0) {
                removed[removedCount++] = terms[left++];
            } else if (order > 0) {
                added[addedCount++] = newer.terms[right++];
            } else {
                left++;
                right++;
            }
        }
        return new Change(part(removed, removedCount), part(added, addedCount));
    }

    /**
     * The {@code leafCount} of each side counts the terms in it that stand for scalars or cells.
     */
    public record Change(IndexTerms removed, IndexTerms added) {}

    private static IndexTerms part(byte[][] terms, int count) {
        if (count == 0) {
            return EMPTY;
        }
        int leaves = 0;
        for (int i = 0; i < count; i++) {
            leaves += isLeaf(terms[i]) ? 1 : 0;
        }
        return new IndexTerms(Arrays.copyOf(terms, count), leaves);
    }

    private static boolean isLeaf(byte[] term) {
        if (term[0] == IndexPathCodec.COMPOSITE) {
            return false;
        }
        if (term[0] == IndexPathCodec.SPATIAL) {
            return true;
        }
        int valueAt = IndexPathCodec.end(term);
        if (Arrays.equals(term, 0, valueAt, TS_PATH, 0, TS_PATH.length)) {
            return false;
        }
        return switch (term[valueAt]) {
            case ValueTag.UNDEFINED, ValueTag.ARRAY, ValueTag.OBJECT -> false;
            default -> true;
        };
    }
}
