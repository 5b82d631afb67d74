package orrery.storage.format;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Fields that a record may have beyond its fixed ones: each a type, a length and its bytes. They
 * stay as they were read, so a reader that does not know a type keeps it when it rewrites the
 * record.
 */
public record Extensions(Bytes encoded) {
    public static final Extensions NONE = new Extensions(Bytes.EMPTY);

    /** Reads the extensions that fill the next bytes. */
    public static Extensions read(BinaryReader in, int length) {
        if (length == 0) {
            return NONE;
        }
        Extensions extensions = new Extensions(Bytes.wrap(in.raw(length)));
        extensions.find(-1);
        return extensions;
    }

    public int length() {
        return encoded.length();
    }

    /** The bytes of the first extension of a type. */
    public Optional<Bytes> find(int type) {
        BinaryReader in = new BinaryReader(encoded);
        while (in.remaining() > 0) {
            int next = in.u8();
            Bytes value = in.bytes();
            if (next == type) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /** These and one more behind them. */
    public Extensions and(int type, Bytes value) {
        return new Extensions(
                new BinaryWriter(encoded.length() + 4 + value.length())
                        .raw(encoded)
                        .u8(type)
                        .bytes(value)
                        .toBytes());
    }

    /** These without those of a type. */
    public Extensions without(int type) {
        if (length() == 0) {
            return NONE;
        }
        Extensions others = NONE;
        BinaryReader in = new BinaryReader(encoded);
        while (in.remaining() > 0) {
            int next = in.u8();
            Bytes value = in.bytes();
            others = next == type ? others : others.and(next, value);
        }
        return others;
    }

    /** These and others behind them. */
    public Extensions and(Extensions others) {
        if (length() == 0 || others.length() == 0) {
            return length() == 0 ? others : this;
        }
        return new Extensions(
                new BinaryWriter(length() + others.length())
                        .raw(encoded)
                        .raw(others.encoded)
                        .toBytes());
    }

    /** The length of a header with extensions, which is a number of 16 bits. */
    static int headerBytes(int withoutExtensions, Extensions extensions) {
        int bytes = withoutExtensions + extensions.length();
        if (bytes > 0xFFFF) {
            throw new IllegalArgumentException("the extensions of a record are too long");
        }
        return bytes;
    }

    /** Reads the extensions up to the end of a header. */
    static Extensions readTo(BinaryReader in, int start, int headerBytes) {
        int left = start + headerBytes - in.position();
        if (left < 0) {
            throw new MalformedRecordException("a header is shorter than its fields");
        }
        return read(in, left);
    }
}
