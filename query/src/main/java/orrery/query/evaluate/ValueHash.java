package orrery.query.evaluate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.Value;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The 128-bit hash by which .NET clients tell values apart and order arrays and objects:
 * MurmurHash3 (x64) chained over the parts of a value, so that equal values have equal hashes
 * whatever the order of their properties.
 */
public record ValueHash(long low, long high) implements Comparable<ValueHash> {
    private static final ValueHash ROOT = new ValueHash(0xbfc2359eafc0e2b7L, 0x8846e00284c4cf1fL);
    private static final ValueHash NULL = new ValueHash(0x1380f68bb3b0cfe4L, 0x156c918bf564ee48L);
    private static final ValueHash FALSE = new ValueHash(0xc1be517fe893b40cL, 0xe9fc8a4c531cd0ddL);
    private static final ValueHash TRUE = new ValueHash(0xf86d4abf9a412e74L, 0x788488365c8a985dL);
    private static final ValueHash STRING = new ValueHash(0x61f53f0a44204cfbL, 0x09481be8ef4b56ddL);
    private static final ValueHash ARRAY = new ValueHash(0xfa573b014c4dc18eL, 0xa014512c858eb115L);
    private static final ValueHash OBJECT = new ValueHash(0x77b285ac511aef30L, 0x3dcf187245822449L);
    private static final ValueHash ARRAY_INDEX =
            new ValueHash(0xfe057204216db999L, 0x5b1cc3178bd9c593L);
    private static final ValueHash PROPERTY_NAME =
            new ValueHash(0xc915dde058492a8aL, 0x7c8be2eba72e4634L);
    private static final ValueHash NUMBER = new ValueHash(0x2400e8b894ce9c2aL, 0x790be1eabd7b9481L);

    private static final int DOUBLE_BITS = 52;

    public void write(BinaryWriter out) {
        out.u64(low).u64(high);
    }

    public static ValueHash read(BinaryReader in) {
        return new ValueHash(in.u64(), in.u64());
    }

    /** Undefined elements and properties are skipped; undefined itself has the root's hash. */
    public static ValueHash of(Value value) {
        return of(value, ROOT);
    }

    private static ValueHash of(Value value, ValueHash seed) {
        return switch (value) {
            case Value.Undefined _ -> seed;
            case Value.Null _ -> murmur(NULL, seed);
            case Value.Bool(boolean is) -> murmur(is ? TRUE : FALSE, seed);
            case Value.Int(long number) -> murmur(exact(number), murmur(NUMBER, seed));
            case Value.Real(double number) -> murmur(number(number + 0.0, 0), murmur(NUMBER, seed));
            case Value.Text(String text) -> of(text, murmur(STRING, seed));
            case Value.Array(List<Value> elements) -> ofArray(elements, seed);
            case Value.Obj(Map<String, Value> properties) -> ofObject(properties, seed);
            case BsonValue bson -> of(JsonForm.of(bson), seed);
        };
    }

    private static ValueHash of(String text, ValueHash seed) {
        return murmur(text.getBytes(StandardCharsets.UTF_8), seed);
    }

    private static ValueHash ofArray(List<Value> elements, ValueHash seed) {
        ValueHash hash = murmur(ARRAY, seed);
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i).isDefined()) {
                hash = murmur(of(elements.get(i), ARRAY_INDEX.plus(i)), hash);
            }
        }
        return hash;
    }

    private static ValueHash ofObject(Map<String, Value> properties, ValueHash seed) {
        long low = 0;
        long high = 0;
        for (Map.Entry<String, Value> property : properties.entrySet()) {
            if (property.getValue().isDefined()) {
                ValueHash name = of(property.getKey(), murmur(STRING, PROPERTY_NAME));
                ValueHash hash = of(property.getValue(), name);
                low ^= hash.low;
                high ^= hash.high;
            }
        }
        ValueHash hash = murmur(OBJECT, seed);
        return low == 0 && high == 0 ? hash : murmur(new ValueHash(low, high), hash);
    }

    /**
     * A double and, for integers that need more than its 53 bits, the bits that are left over in
     * the upper ten of another sixteen.
     */
    private static byte[] exact(long number) {
        long size = Math.abs(number);
        int top = 63 - Long.numberOfLeadingZeros(size);
        if (number == Long.MIN_VALUE
                || number == 0
                || top - Long.numberOfTrailingZeros(size) <= DOUBLE_BITS) {
            return number((double) number, 0);
        }
        long fraction = (size << (62 - top)) & 0x3FFFFFFFFFFFFFFFL;
        long bits = (number & Long.MIN_VALUE) | (top + 1023L) << DOUBLE_BITS | (fraction >>> 10);
        return number(Double.longBitsToDouble(bits), (int) ((fraction & 0x3FF) << 6));
    }

    private static byte[] number(double number, int extra) {
        return ByteBuffer.allocate(10)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(number)
                .putShort((short) extra)
                .array();
    }

    private static ValueHash murmur(ValueHash input, ValueHash seed) {
        return murmur(
                ByteBuffer.allocate(16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(input.low)
                        .putLong(input.high)
                        .array(),
                seed);
    }

    private ValueHash plus(int addend) {
        long sum = low + addend;
        return new ValueHash(sum, Long.compareUnsigned(sum, low) < 0 ? high + 1 : high);
    }

    /** By the bytes in memory, as .NET compares them: little-endian, the low word first. */
    @Override
    public int compareTo(ValueHash other) {
        int byLow = Long.compareUnsigned(Long.reverseBytes(low), Long.reverseBytes(other.low));
        return byLow != 0
                ? byLow
                : Long.compareUnsigned(Long.reverseBytes(high), Long.reverseBytes(other.high));
    }

    // ---- MurmurHash3, x64, 128 bits ------------------------------------------------------------

    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;

    private static ValueHash murmur(byte[] bytes, ValueHash seed) {
        ByteBuffer input = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long h1 = seed.low;
        long h2 = seed.high;
        while (input.remaining() >= 16) {
            h1 ^= mix1(input.getLong());
            h1 = Long.rotateLeft(h1, 27) + h2;
            h1 = h1 * 5 + 0x52dce729;
            h2 ^= mix2(input.getLong());
            h2 = Long.rotateLeft(h2, 31) + h1;
            h2 = h2 * 5 + 0x38495ab5;
        }
        byte[] tail = new byte[16];
        input.get(tail, 0, input.remaining());
        ByteBuffer rest = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
        h1 ^= mix1(rest.getLong());
        h2 ^= mix2(rest.getLong());
        h1 ^= bytes.length;
        h2 ^= bytes.length;
        h1 += h2;
        h2 += h1;
        h1 = finish(h1);
        h2 = finish(h2);
        h1 += h2;
        h2 += h1;
        return new ValueHash(h1, h2);
    }

    private static long mix1(long block) {
        return Long.rotateLeft(block * C1, 31) * C2;
    }

    private static long mix2(long block) {
        return Long.rotateLeft(block * C2, 33) * C1;
    }

    private static long finish(long hash) {
        long h = hash;
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        h ^= h >>> 33;
        return h;
    }
}
