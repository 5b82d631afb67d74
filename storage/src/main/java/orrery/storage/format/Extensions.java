package orrery.storage.format;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /** These, and behind them those of the others that are not among these. */
    public Extensions union(Extensions others) {
        Set<Extension> all = new LinkedHashSet<>(list());
        all.addAll(others.list());
        Extensions union = NONE;
        for (Extension extension : all) {
            union = union.and(extension.type(), extension.value());
        }
        return union;
    }

    private record Extension(int type, Bytes value) {}

    private List<Extension> list() {
        List<Extension> all = new ArrayList<>();
        BinaryReader in = new BinaryReader(encoded);
        while (in.remaining() > 0) {
            all.add(new Extension(in.u8(), in.bytes()));
        }
        return all;
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
