package orrery.document;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoded path to wherever a reader stands in an item: steps are pushed on the way down and
 * popped on the way up, so no path is built twice.
 */
final class PathWriter {
    private final ByteSink bytes = new ByteSink(128);

    /** Length of the path after each step. */
    private int[] ends = new int[16];

    private int depth;

    /**
     * Hash states after each step, for the rare paths that are too long. Each goes on from the one
     * above it: an item whose first name takes a megabyte must not be hashed again at every leaf.
     */
    private @Nullable MessageDigest[] digests = new MessageDigest[0];

    void pushProperty(String name) {
        bytes.put(IndexPathCodec.PROPERTY);
        for (int i = 0; i < name.length(); i++) {
            char unit = name.charAt(i);
            if (unit < IndexPathCodec.FIRST_PLAIN) {
                bytes.put(IndexPathCodec.ESCAPE).put(unit + IndexPathCodec.ESCAPE_OFFSET);
            } else if (unit < 0x80) {
                bytes.put(unit);
            } else if (Utf8.isPairAt(name, i)) {
                Utf8.put(name.codePointAt(i), bytes);
                i++;
            } else {
                Utf8.put(unit, bytes);
            }
        }
        push();
    }

    void pushElement() {
        bytes.put(IndexPathCodec.ELEMENT);
        push();
    }

    private void push() {
        if (depth == ends.length) {
            ends = Arrays.copyOf(ends, depth * 2);
        }
        ends[depth++] = bytes.length();
    }

    void pop() {
        depth--;
        if (depth < digests.length) {
            digests[depth] = null;
        }
        bytes.truncate(depth == 0 ? 0 : ends[depth - 1]);
    }

    void appendTo(ByteSink out) {
        if (bytes.length() < IndexPathCodec.MAX_BYTES) {
            out.put(bytes.unsafeArray(), 0, bytes.length());
        } else {
            out.put(bytes.unsafeArray(), 0, IndexPathCodec.HASHED_PREFIX_BYTES);
            out.put(IndexPathCodec.HASH);
            out.put(copy(digest(depth - 1)).digest(), 0, IndexPathCodec.HASH_BYTES);
        }
        out.put(IndexPathCodec.END);
    }

    /** Returns the digest of the path up to and including the given step. */
    private MessageDigest digest(int step) {
        if (digests.length <= step) {
            digests = Arrays.copyOf(digests, ends.length);
        }
        MessageDigest known = digests[step];
        if (known != null) {
            return known;
        }
        boolean isParentLong = step > 0 && ends[step - 1] >= IndexPathCodec.MAX_BYTES;
        MessageDigest digest = isParentLong ? copy(digest(step - 1)) : sha256();
        int from = isParentLong ? ends[step - 1] : 0;
        digest.update(bytes.unsafeArray(), from, ends[step] - from);
        digests[step] = digest;
        return digest;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's SHA-256 can be copied", e);
        }
    }
}
