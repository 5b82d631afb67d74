package orrery.model;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A value that was made from an item where an expression could run, and that is kept beside the
 * item from then on. Stored and logged; the layout is in docs/formats/storage.md.
 *
 * @param kind what the bytes are: {@link #COMPUTED}, {@link #MATCHED}, or a kind that a later
 *     release adds
 * @param name of the property that was derived, or of the index
 */
public record DerivedRow(int kind, String name, Bytes value) {
    /** The value of a computed property. */
    public static final int COMPUTED = 1;

    /** The item matches the filter of the unique index of this name; the value is empty. */
    public static final int MATCHED = 2;

    /** Bytes in memory besides those of the name and of the value. */
    private static final int OVERHEAD = 96;

    private void write(BinaryWriter out) {
        out.u8(kind).string(name).bytes(value);
    }

    private static DerivedRow read(BinaryReader in) {
        return new DerivedRow(in.u8(), in.string(), in.bytes());
    }

    public static void writeAll(BinaryWriter out, List<DerivedRow> rows) {
        out.list(rows, (w, row) -> row.write(w));
    }

    public static List<DerivedRow> readAll(BinaryReader in) {
        return in.list(DerivedRow::read);
    }

    /** Roughly the bytes of these rows in memory; in the log they have no more. */
    public static int sizeOf(List<DerivedRow> rows) {
        int bytes = 0;
        for (DerivedRow row : rows) {
            bytes += OVERHEAD + 3 * row.name.length() + row.value.length();
        }
        return bytes;
    }
}
