package orrery.document;

import java.util.Map;
import orrery.document.IndexValue.Decoded;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/**
 * The bytes of the kinds that JSON lacks, tag included. Texts and binaries are cut like strings;
 * behind a text that was cut nothing follows, so that what was left out cannot sort wrongly.
 */
final class IndexBson {
    /** A length that was cut does not say what is left, so no level changes this. */
    private static final int MAX_BINARY_BYTES = 256;

    private static final int ALL = 0x01;
    private static final int CUT = 0x02;

    /** Tag, length, subtype, and whether all bytes follow. */
    private static final int BINARY_HEAD = 7;

    private IndexBson() {}

    /**
     * @param maxBytes of a text that are kept; {@link IndexValue#WHOLE} keeps binaries too
     */
    static void put(BsonValue value, int maxBytes, ByteSink out) {
        switch (value) {
            case BsonValue.MinKey _ -> out.put(ValueTag.MIN_KEY);
            case BsonValue.MaxKey _ -> out.put(ValueTag.MAX_KEY);
            case BsonValue.Undef _ -> out.put(ValueTag.UNDEF);
            case BsonValue.Int64(long number) -> IndexNumber.putLong(number, out);
            case BsonValue.Decimal decimal -> IndexNumber.putDecimal(decimal, out);
            case BsonValue.Symbol(String name) ->
                    IndexText.put(name, maxBytes, out.put(ValueTag.STRING));
            case BsonValue.Binary(int subtype, Bytes data) ->
                    putBinary(subtype, data, maxBytes, out);
            case BsonValue.ObjectId(Bytes id) -> out.put(ValueTag.OBJECT_ID).put(id);
            case BsonValue.DateTime(long millis) ->
                    out.put(ValueTag.DATE_TIME).putLong(millis ^ Long.MIN_VALUE);
            case BsonValue.Timestamp(int seconds, int increment) ->
                    out.put(ValueTag.TIMESTAMP)
                            .putLong((long) seconds << 32 | Integer.toUnsignedLong(increment));
            case BsonValue.Regex(String pattern, String options) -> {
                if (putText(ValueTag.REGEX, pattern, maxBytes, out)) {
                    IndexText.put(options, maxBytes, out);
                }
            }
            case BsonValue.Pointer(String namespace, BsonValue.ObjectId(Bytes id)) -> {
                if (putText(ValueTag.POINTER, namespace, maxBytes, out)) {
                    out.put(id);
                }
            }
            case BsonValue.Code(String code) -> putText(ValueTag.CODE, code, maxBytes, out);
            case BsonValue.ScopedCode(String code, Value.Obj scope) -> {
                if (putText(ValueTag.SCOPED_CODE, code, maxBytes, out)) {
                    IndexValue.putContents(!scope.properties().isEmpty(), out);
                }
            }
        }
    }

    /** Returns true if the text is there whole. */
    private static boolean putText(int tag, String text, int maxBytes, ByteSink out) {
        IndexText.put(text, maxBytes, out.put(tag));
        return !IndexText.isCut(out.unsafeArray(), out.length(), 0);
    }

    private static void putBinary(int subtype, Bytes data, int maxBytes, ByteSink out) {
        int length = data.length();
        out.put(ValueTag.BINARY);
        out.put(length >> 24).put(length >> 16).put(length >> 8).put(length);
        int kept = maxBytes == IndexValue.WHOLE ? length : Math.min(length, MAX_BINARY_BYTES);
        out.put(subtype).put(kept == length ? ALL : CUT);
        out.put(data.unsafeArray(), 0, kept);
    }

    /** The offset behind the value whose tag stands at the given one. */
    static int end(byte[] bytes, int offset, int flip) {
        int at = offset + 1;
        return switch ((byte) (bytes[offset] ^ flip)) {
            case ValueTag.MIN_KEY, ValueTag.MAX_KEY, ValueTag.UNDEF -> at;
            case ValueTag.DATE_TIME, ValueTag.TIMESTAMP -> at + Long.BYTES;
            case ValueTag.OBJECT_ID -> at + BsonValue.ObjectId.LENGTH;
            case ValueTag.BINARY -> {
                int length = binaryLength(bytes, offset, flip);
                yield offset
                        + BINARY_HEAD
                        + (isCutBinary(bytes, offset, flip) ? MAX_BINARY_BYTES : length);
            }
            case ValueTag.CODE -> IndexText.end(bytes, at, flip);
            case ValueTag.REGEX -> {
                int end = IndexText.end(bytes, at, flip);
                yield IndexText.isCut(bytes, end, flip) ? end : IndexText.end(bytes, end, flip);
            }
            case ValueTag.POINTER -> {
                int end = IndexText.end(bytes, at, flip);
                yield IndexText.isCut(bytes, end, flip) ? end : end + BsonValue.ObjectId.LENGTH;
            }
            case ValueTag.SCOPED_CODE -> {
                int end = IndexText.end(bytes, at, flip);
                yield IndexText.isCut(bytes, end, flip) ? end : end + 1;
            }
            default -> throw new MalformedRecordException("unknown index value tag");
        };
    }

    private static int binaryLength(byte[] bytes, int offset, int flip) {
        int length = 0;
        for (int i = 1; i <= Integer.BYTES; i++) {
            length = length << 8 | ((bytes[offset + i] ^ flip) & 0xFF);
        }
        if (length < 0) {
            throw new MalformedRecordException("the length of an index value is negative");
        }
        return length;
    }

    private static boolean isCutBinary(byte[] bytes, int offset, int flip) {
        return (bytes[offset + BINARY_HEAD - 1] ^ flip) == CUT;
    }

    /** Puts what was kept whole as the index has it; returns the offset behind it. */
    static int putShortened(byte[] bytes, int offset, int flip, int maxBytes, ByteSink out) {
        int end = end(bytes, offset, flip);
        switch ((byte) (bytes[offset] ^ flip)) {
            case ValueTag.BINARY -> {
                if (end - offset - BINARY_HEAD > MAX_BINARY_BYTES) {
                    out.put(bytes, offset, BINARY_HEAD - 1).put(CUT ^ flip);
                    out.put(bytes, offset + BINARY_HEAD, MAX_BINARY_BYTES);
                } else {
                    out.put(bytes, offset, end - offset);
                }
            }
            case ValueTag.REGEX, ValueTag.POINTER, ValueTag.CODE, ValueTag.SCOPED_CODE -> {
                out.put(bytes[offset]);
                int next = IndexText.putShortened(bytes, offset + 1, flip, maxBytes, out);
                boolean isCut = IndexText.isCut(out.unsafeArray(), out.length(), flip);
                if (!isCut && (byte) (bytes[offset] ^ flip) == ValueTag.REGEX) {
                    IndexText.putShortened(bytes, next, flip, maxBytes, out);
                } else if (!isCut) {
                    out.put(bytes, next, end - next);
                }
            }
            default -> out.put(bytes, offset, end - offset);
        }
        return end;
    }

    /** Returns true if a part of the value between these offsets was left out. */
    static boolean isCut(byte[] bytes, int offset, int end, int flip) {
        return switch ((byte) (bytes[offset] ^ flip)) {
            case ValueTag.BINARY -> isCutBinary(bytes, offset, flip);
            case ValueTag.CODE -> IndexText.isCut(bytes, end, flip);
            case ValueTag.REGEX, ValueTag.POINTER, ValueTag.SCOPED_CODE -> {
                int first = IndexText.end(bytes, offset + 1, flip);
                yield IndexText.isCut(bytes, first, flip)
                        || ((byte) (bytes[offset] ^ flip) == ValueTag.REGEX
                                && IndexText.isCut(bytes, end, flip));
            }
            default -> false;
        };
    }

    /** The kept part of a value that was cut stands for it; a scope is empty. */
    static Decoded decode(byte[] bytes, int offset) {
        int end = end(bytes, offset, 0);
        if (end > bytes.length) {
            throw new MalformedRecordException("an index value ends too early");
        }
        boolean isExact = !isCut(bytes, offset, end, 0);
        return switch (bytes[offset]) {
            case ValueTag.MIN_KEY -> new Decoded(BsonValue.MinKey.MIN_KEY, true, end);
            case ValueTag.MAX_KEY -> new Decoded(BsonValue.MaxKey.MAX_KEY, true, end);
            case ValueTag.UNDEF -> new Decoded(BsonValue.Undef.UNDEF, true, end);
            case ValueTag.DATE_TIME ->
                    new Decoded(
                            new BsonValue.DateTime(u64(bytes, offset + 1) ^ Long.MIN_VALUE),
                            true,
                            end);
            case ValueTag.TIMESTAMP -> {
                long both = u64(bytes, offset + 1);
                yield new Decoded(
                        new BsonValue.Timestamp((int) (both >>> 32), (int) both), true, end);
            }
            case ValueTag.OBJECT_ID -> new Decoded(objectId(bytes, offset + 1), true, end);
            case ValueTag.BINARY -> {
                int from = offset + BINARY_HEAD;
                yield new Decoded(
                        new BsonValue.Binary(
                                bytes[from - 2] & 0xFF, Bytes.copyOf(bytes, from, end - from)),
                        isExact,
                        end);
            }
            case ValueTag.CODE, ValueTag.REGEX, ValueTag.POINTER, ValueTag.SCOPED_CODE ->
                    decodeTexts(bytes, offset, isExact, end);
            default -> throw new MalformedRecordException("unknown index value tag");
        };
    }

    private static Decoded decodeTexts(byte[] bytes, int offset, boolean isExact, int end) {
        IndexText.Decoded first = IndexText.decode(bytes, offset + 1);
        String text = first.text();
        return switch (bytes[offset]) {
            case ValueTag.CODE -> new Decoded(new BsonValue.Code(text), isExact, end);
            case ValueTag.REGEX -> {
                String options = first.isExact() ? IndexText.decode(bytes, first.end()).text() : "";
                yield new Decoded(new BsonValue.Regex(text, options), isExact, end);
            }
            case ValueTag.POINTER -> {
                BsonValue.ObjectId id =
                        first.isExact()
                                ? objectId(bytes, first.end())
                                : new BsonValue.ObjectId(
                                        Bytes.wrap(new byte[BsonValue.ObjectId.LENGTH]));
                yield new Decoded(new BsonValue.Pointer(text, id), isExact, end);
            }
            default -> {
                boolean isEmpty = first.isExact() && IndexValue.isEmpty(bytes[first.end()]);
                yield new Decoded(
                        new BsonValue.ScopedCode(text, new Value.Obj(Map.of())),
                        isExact && isEmpty,
                        end);
            }
        };
    }

    private static BsonValue.ObjectId objectId(byte[] bytes, int offset) {
        return new BsonValue.ObjectId(Bytes.copyOf(bytes, offset, BsonValue.ObjectId.LENGTH));
    }

    private static long u64(byte[] bytes, int offset) {
        long bits = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            bits = bits << 8 | (bytes[offset + i] & 0xFF);
        }
        return bits;
    }
}
