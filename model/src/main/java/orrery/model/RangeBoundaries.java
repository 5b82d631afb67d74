package orrery.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import orrery.model.codec.BinaryWriter;

/**
 * Chooses the boundaries between the ranges of a container: evenly at its creation, in the middle
 * when one is split. Hashes are uniform, so even pieces of the hash space hold about as many
 * logical partitions each.
 */
public final class RangeBoundaries {
    private static final long MAX_HASH_V1 = 0xFFFF_FFFFL;
    private static final BigInteger MAX_HASH_V2 =
            BigInteger.ONE.shiftLeft(126).subtract(BigInteger.ONE);

    // A text that begins with an ASCII character has its first byte, plus one, in 01..80. The two
    // bytes behind it give each boundary room.
    private static final int FIRST_ASCII = 0x01_0000;
    private static final int ASCII_SPAN = 0x80_0000 - FIRST_ASCII;

    private RangeBoundaries() {}

    /**
     * Ranges that tile the key space, by the formulas of the service. The service offers no range
     * kind; for that we spread the boundaries evenly over the first bytes of ASCII texts and leave
     * everything that is not a text to the first range. Even boundaries in the bytes themselves
     * would be useless, because all keys begin with one of ten type markers.
     */
    public static List<KeyRange> initial(PartitionKeyDefinition definition, int count) {
        if (count < 1 || count > PartitionId.MAX_RANGE) {
            throw new IllegalArgumentException("a container cannot begin with so many ranges");
        }
        return switch (definition.kind()) {
            case HASH ->
                    EffectiveKeys.isFirstVersion(definition)
                            ? tile(count, i -> boundaryV1(MAX_HASH_V1 / count * i))
                            : tileV2(count);
            case MULTI_HASH -> tileV2(count);
            case RANGE -> tile(count, i -> boundaryOfTexts((int) ((long) ASCII_SPAN * i / count)));
        };
    }

    /**
     * A key in the middle of a range, where it is to be split. It lies strictly inside; where there
     * is no such key, as when a range holds a single hash, throws IllegalArgumentException.
     */
    public static EffectiveKey midpoint(PartitionKeyDefinition definition, KeyRange range) {
        EffectiveKey middle =
                switch (definition.kind()) {
                    case HASH ->
                            EffectiveKeys.isFirstVersion(definition)
                                    ? midpointV1(range)
                                    : midpointOfLevels(range, 1);
                    case MULTI_HASH -> midpointOfLevels(range, definition.paths().size());
                    case RANGE -> midpointOfBytes(range);
                };
        if (middle.equals(range.min()) || !range.contains(middle)) {
            throw new IllegalArgumentException("the range is too narrow to be split");
        }
        return middle;
    }

    /** Returns the part of the hash space that a range covers, 0 to 1. */
    public static double span(PartitionKeyDefinition definition, KeyRange range) {
        return switch (definition.kind()) {
            case HASH ->
                    EffectiveKeys.isFirstVersion(definition)
                            ? (double) (valueV1(range.max()) - valueV1(range.min())) / MAX_HASH_V1
                            : spanOfFirstLevel(range);
            case MULTI_HASH -> spanOfFirstLevel(range);
            case RANGE -> fraction(range.max()) - fraction(range.min());
        };
    }

    private static double spanOfFirstLevel(KeyRange range) {
        return level(range.max(), 0, MAX_HASH_V2)
                        .subtract(level(range.min(), 0, BigInteger.ZERO))
                        .doubleValue()
                / MAX_HASH_V2.doubleValue();
    }

    private static double fraction(EffectiveKey boundary) {
        byte[] bytes = Arrays.copyOf(boundary.bytes().unsafeArray(), Long.BYTES - 1);
        return new BigInteger(1, bytes).doubleValue() / Math.pow(2, 8.0 * bytes.length);
    }

    private static List<KeyRange> tileV2(int count) {
        BigInteger step = MAX_HASH_V2.divide(BigInteger.valueOf(count));
        return tile(count, i -> new EffectiveKey(hashV2(step.multiply(BigInteger.valueOf(i)))));
    }

    private static List<KeyRange> tile(int count, IntFunction<EffectiveKey> boundary) {
        List<KeyRange> ranges = new ArrayList<>(count);
        EffectiveKey min = EffectiveKey.MIN;
        for (int i = 1; i <= count; i++) {
            EffectiveKey max = i == count ? EffectiveKey.MAX : boundary.apply(i);
            ranges.add(new KeyRange(min, max));
            min = max;
        }
        return List.copyOf(ranges);
    }

    private static EffectiveKey boundaryV1(long hash) {
        byte[] out = new byte[OrderedEncoding.MAX_NUMBER_LENGTH];
        int length = OrderedEncoding.putNumber(out, 0, (double) hash);
        return new EffectiveKey(Bytes.copyOf(out, 0, length));
    }

    private static EffectiveKey boundaryOfTexts(int offset) {
        int place = FIRST_ASCII + offset;
        return new EffectiveKey(
                new BinaryWriter().u32(OrderedEncoding.TEXT << 24 | place).toBytes());
    }

    private static EffectiveKey midpointV1(KeyRange range) {
        return boundaryV1((valueV1(range.min()) + valueV1(range.max())) / 2);
    }

    private static long valueV1(EffectiveKey boundary) {
        Bytes bytes = boundary.bytes();
        if (bytes.isEmpty() || (bytes.at(0) & 0xFF) < OrderedEncoding.NUMBER) {
            return 0;
        }
        if (bytes.at(0) != OrderedEncoding.NUMBER) {
            return MAX_HASH_V1;
        }
        // A boundary that is no hash is taken for the nearest one.
        return Math.clamp((long) OrderedEncoding.readNumber(bytes), 0, MAX_HASH_V1);
    }

    /**
     * Looks for room level by level. Where the two hashes of a level are equal or neighbours, the
     * lower one stays and the next level decides; the middle ends with the level that had room.
     */
    private static EffectiveKey midpointOfLevels(KeyRange range, int levels) {
        BinaryWriter middle = new BinaryWriter(EffectiveKeys.HASH_LENGTH * levels);
        for (int level = 0; level < levels; level++) {
            BigInteger min = level(range.min(), level, BigInteger.ZERO);
            BigInteger max = level(range.max(), level, MAX_HASH_V2);
            if (min.compareTo(max) > 0) {
                // Possible only below a level where min was less: up to its end, all is ours.
                max = MAX_HASH_V2;
            }
            BigInteger room = max.subtract(min);
            if (room.compareTo(BigInteger.ONE) > 0) {
                middle.raw(hashV2(min.add(room.shiftRight(1))));
                break;
            }
            middle.raw(hashV2(min));
        }
        return new EffectiveKey(middle.toBytes());
    }

    /** The hash a boundary has at a level, or what stands for it where the boundary is shorter. */
    private static BigInteger level(EffectiveKey boundary, int level, BigInteger absent) {
        byte[] bytes = boundary.bytes().unsafeArray();
        int from = level * EffectiveKeys.HASH_LENGTH;
        if (from >= bytes.length) {
            return absent;
        }
        // Past its end a boundary sorts as if zeros followed; FF alone is above any hash.
        byte[] hash = Arrays.copyOfRange(bytes, from, from + EffectiveKeys.HASH_LENGTH);
        return new BigInteger(1, hash).min(MAX_HASH_V2);
    }

    private static Bytes hashV2(BigInteger hash) {
        return fixedWidth(hash, EffectiveKeys.HASH_LENGTH);
    }

    /** Halfway between the bytes, read as fractions; one byte more gives the half its place. */
    private static EffectiveKey midpointOfBytes(KeyRange range) {
        byte[] min = range.min().bytes().unsafeArray();
        byte[] max = range.max().bytes().unsafeArray();
        int width = Math.max(min.length, max.length) + 1;
        BigInteger sum =
                new BigInteger(1, Arrays.copyOf(min, width))
                        .add(new BigInteger(1, Arrays.copyOf(max, width)));
        byte[] middle = fixedWidth(sum.shiftRight(1), width).unsafeArray();
        int end = width;
        while (end > 0 && middle[end - 1] == 0) {
            end--;
        }
        return new EffectiveKey(Bytes.copyOf(middle, 0, end));
    }

    private static Bytes fixedWidth(BigInteger value, int width) {
        byte[] digits = value.toByteArray();
        byte[] bytes = new byte[width];
        // The sign of a BigInteger may take a byte more than its value.
        int count = Math.min(digits.length, width);
        System.arraycopy(digits, digits.length - count, bytes, width - count, count);
        return Bytes.wrap(bytes);
    }
}
