package orrery.model;

/**
 * An effective partition key (EPK): where a partition key value lies in the hash space, as the very
 * bytes the client SDKs compute. Order is unsigned byte order, which equals the SDKs' ordinal order
 * of the upper-case hex text.
 */
public record EffectiveKey(Bytes bytes) implements Comparable<EffectiveKey> {
    /** Lowest key of the space, inclusive. */
    public static final EffectiveKey MIN = new EffectiveKey(Bytes.EMPTY);

    /** Highest key of the space, exclusive: every hash begins below this byte. */
    public static final EffectiveKey MAX = new EffectiveKey(Bytes.wrap(new byte[] {(byte) 0xFF}));

    public static EffectiveKey ofHex(String hex) {
        return new EffectiveKey(Bytes.ofHex(hex));
    }

    public String toHex() {
        return bytes.toHex();
    }

    @Override
    public int compareTo(EffectiveKey other) {
        return bytes.compareTo(other.bytes);
    }

    @Override
    public String toString() {
        return toHex();
    }
}
