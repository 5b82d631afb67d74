package orrery.model;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The rows that a leader derived from a body, and what they depend on besides it.
 *
 * @param policyVersion the indexing policy that wants them; 0 where none does
 * @param seconds the {@code _ts} that they were made for; {@link #ANY_TIME} if they do not depend
 *     on it
 */
public record Derived(int policyVersion, long seconds, List<DerivedRow> rows) {
    public static final long ANY_TIME = -1;

    public static final Derived NONE = new Derived(0, ANY_TIME, List.of());

    public Derived {
        rows = List.copyOf(rows);
    }

    /** Returns true if these are the rows of an item that is written now. */
    public boolean isFor(int presentPolicyVersion, long presentSeconds) {
        return policyVersion == presentPolicyVersion
                && (seconds == ANY_TIME || seconds == presentSeconds);
    }

    public void write(BinaryWriter out) {
        out.u32(policyVersion).u64(seconds);
        DerivedRow.writeAll(out, rows);
    }

    public static Derived read(BinaryReader in) {
        return new Derived(in.u32(), in.u64(), DerivedRow.readAll(in));
    }
}
