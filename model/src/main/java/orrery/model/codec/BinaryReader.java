package orrery.model.codec;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import orrery.model.Bytes;

/**
 * Reads what {@link BinaryWriter} wrote. Every read is checked against the end of the buffer, so
 * damaged or hostile bytes end in a {@link MalformedRecordException}, never in a huge allocation.
 */
public final class BinaryReader {
    /** A class copies its constants for each caller; every record that is read asks for some. */
    private static final ClassValue<Object[]> CONSTANTS =
            new ClassValue<>() {
                @Override
                protected Object[] computeValue(Class<?> type) {
                    return Objects.requireNonNull(type.getEnumConstants(), type::getName);
                }
            };

    private static final int FIRST_ROOM = 64;

    private final byte[] buffer;
    private final int end;
    private int position;

    public BinaryReader(byte[] buffer) {
        this(buffer, 0, buffer.length);
    }

    public BinaryReader(byte[] buffer, int offset, int count) {
        this.buffer = buffer;
        this.position = offset;
        this.end = offset + count;
    }

    public BinaryReader(Bytes bytes) {
        this(bytes.unsafeArray());
    }

    public int u8() {
        require(1);
        return buffer[position++] & 0xFF;
    }

    public int u16() {
        require(2);
        return (buffer[position++] & 0xFF) << 8 | (buffer[position++] & 0xFF);
    }

    public int u32() {
        require(4);
        return (buffer[position++] & 0xFF) << 24
                | (buffer[position++] & 0xFF) << 16
                | (buffer[position++] & 0xFF) << 8
                | (buffer[position++] & 0xFF);
    }

    public long u64() {
        return ((long) u32() << 32) | (u32() & 0xFFFFFFFFL);
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new MalformedRecordException("varint longer than 64 bits");
    }

    /** A varint that counts something which follows: at least one byte each. */
    public int count() {
        long count = varint();
        if (count < 0 || count > remaining()) {
            throw new MalformedRecordException("count exceeds the record");
        }
        return (int) count;
    }

    public int varint32() {
        long value = varint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new MalformedRecordException("number exceeds 31 bits");
        }
        return (int) value;
    }

    public boolean bool() {
        return switch (u8()) {
            case 0 -> false;
            case 1 -> true;
            default -> throw new MalformedRecordException("a flag is neither 0 nor 1");
        };
    }

    public <E extends Enum<E>> E enumeration(Class<E> type) {
        Object[] constants = CONSTANTS.get(type);
        int ordinal = u8();
        if (ordinal >= constants.length) {
            throw new MalformedRecordException("unknown " + type.getSimpleName());
        }
        return type.cast(constants[ordinal]);
    }

    /**
     * Reads a type that checks its parts. A value that its constructor refuses was never written,
     * so it counts as malformed.
     */
    public <T> T checked(Function<BinaryReader, T> read) {
        try {
            return read.apply(this);
        } catch (IllegalArgumentException refused) {
            throw new MalformedRecordException("a value is out of bounds", refused);
        }
    }

    public byte[] raw(int count) {
        require(count);
        byte[] bytes = Arrays.copyOfRange(buffer, position, position + count);
        position += count;
        return bytes;
    }

    public byte[] rest() {
        return raw(remaining());
    }

    public Bytes bytes() {
        return Bytes.wrap(raw(count()));
    }

    public String string() {
        int count = count();
        String text = new String(buffer, position, count, StandardCharsets.UTF_8);
        position += count;
        return text;
    }

    public <T> Optional<T> optional(Function<BinaryReader, T> read) {
        return bool() ? Optional.of(read.apply(this)) : Optional.empty();
    }

    public OptionalLong optionalU64() {
        return bool() ? OptionalLong.of(u64()) : OptionalLong.empty();
    }

    public OptionalInt optionalU32() {
        return bool() ? OptionalInt.of(u32()) : OptionalInt.empty();
    }

    public <T> List<T> list(Function<BinaryReader, T> read) {
        int count = count();
        // Lists inside of each other may each claim all that is left: none gets room for it before.
        List<T> values = new ArrayList<>(Math.min(count, FIRST_ROOM));
        for (int i = 0; i < count; i++) {
            values.add(read.apply(this));
        }
        return List.copyOf(values);
    }

    public int position() {
        return position;
    }

    public int remaining() {
        return end - position;
    }

    /** Bytes left over mean that writer and reader disagree about the format. */
    public void expectEnd() {
        if (remaining() != 0) {
            throw new MalformedRecordException("bytes left over after the record");
        }
    }

    private void require(int count) {
        if (count < 0 || count > remaining()) {
            throw new MalformedRecordException("record ends early");
        }
    }
}
