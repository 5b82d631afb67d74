package orrery.storage.format;

import java.util.List;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The value of a row of the index: the key of the item that it leads to. The row of a docid also
 * keeps what was derived from the item, with the version of the policy that wanted it.
 */
public final class IndexEntry {
    private static final int PLAIN = 1;
    private static final int WITH_DERIVED = 2;

    private IndexEntry() {}

    public static byte[] encode(Bytes itemSuffix) {
        byte[] value = new byte[1 + itemSuffix.length()];
        value[0] = PLAIN;
        System.arraycopy(itemSuffix.unsafeArray(), 0, value, 1, itemSuffix.length());
        return value;
    }

    /** The value for the row of a docid. */
    public static byte[] encode(Bytes itemSuffix, int policyVersion, List<DerivedRow> derived) {
        if (derived.isEmpty()) {
            return encode(itemSuffix);
        }
        BinaryWriter out = new BinaryWriter(256).u8(WITH_DERIVED).bytes(itemSuffix);
        DerivedRow.writeAll(out.u32(policyVersion), derived);
        return out.toArray();
    }

    /** Returns the length of what {@link #encode(Bytes)} makes of a key. */
    public static int length(Bytes itemSuffix) {
        return 1 + itemSuffix.length();
    }

    /** Returns the length of what {@link #encode(Bytes, int, List)} makes of its arguments. */
    public static int length(Bytes itemSuffix, List<DerivedRow> derived) {
        return derived.isEmpty() ? length(itemSuffix) : encode(itemSuffix, 0, derived).length;
    }

    /** Returns the key of the item, without its container. */
    public static Bytes itemSuffix(byte[] value) {
        return switch (version(value)) {
            case PLAIN -> Bytes.copyOf(value, 1, value.length - 1);
            case WITH_DERIVED -> {
                BinaryReader in = new BinaryReader(value);
                in.u8();
                yield in.bytes();
            }
            default -> throw new MalformedRecordException("unknown version of an index entry");
        };
    }

    public static List<DerivedRow> derived(byte[] value) {
        return switch (version(value)) {
            case PLAIN -> List.of();
            case WITH_DERIVED -> {
                BinaryReader in = new BinaryReader(value);
                in.u8();
                in.bytes();
                in.u32();
                List<DerivedRow> derived = DerivedRow.readAll(in);
                in.expectEnd();
                yield derived;
            }
            default -> throw new MalformedRecordException("unknown version of an index entry");
        };
    }

    private static int version(byte[] value) {
        return value.length == 0 ? 0 : value[0];
    }
}
