package orrery.query.execute;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Stands in a token for a sort key that is too long for one: names an item that had the key.
 *
 * @param docid of the item
 * @param hash of the key, to tell whether the item still has it
 */
public record KeyMark(long docid, Bytes hash) {
    /** Clients and proxies refuse headers of some kilobytes; a token is one. */
    static final int MAX_CARRIED_BYTES = 1024;

    private static final int HASH_BYTES = 16;

    static KeyMark of(Bytes key, long docid) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.unsafeArray());
            return new KeyMark(docid, Bytes.wrap(Arrays.copyOf(digest, HASH_BYTES)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns true if a key has to be marked in a token. */
    public static boolean isNeeded(Bytes key) {
        return key.length() > MAX_CARRIED_BYTES;
    }

    /**
     * Writes a key into a token, or a mark of it.
     *
     * @param docid of an item that has the key
     */
    public static void writeKey(BinaryWriter out, Bytes key, long docid) {
        boolean isMarked = isNeeded(key);
        out.bool(isMarked);
        if (isMarked) {
            of(key, docid).write(out);
        } else {
            out.bytes(key);
        }
    }

    /** The key that was written; empty if the item does not have it any more. */
    public static Optional<Bytes> readKey(
            BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
        return in.bool() ? finder.apply(read(in)) : Optional.of(in.bytes());
    }

    /** Makes the error for a token none of whose marks leads to its key. */
    public static OrreryException lost() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "Invalid Continuation Token. The items at the end of the previous page have changed,"
                        + " and what they were sorted by is too long for a token. Start again"
                        + " without one.");
    }

    void write(BinaryWriter out) {
        out.u64(docid).raw(hash);
    }

    static KeyMark read(BinaryReader in) {
        return new KeyMark(in.u64(), Bytes.wrap(in.raw(HASH_BYTES)));
    }
}
