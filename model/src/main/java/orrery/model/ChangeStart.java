package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The place where a reader of changes begins. Both bounds hold, because a client that began at a
 * time goes on by LSN and still wants nothing from before that time.
 *
 * @param afterLsn only changes with a higher LSN
 * @param sinceMillis only versions written at this time or later; 0 for all
 */
public record ChangeStart(long afterLsn, long sinceMillis) {
    public static final ChangeStart BEGINNING = new ChangeStart(0, 0);

    /** Skips all that is there; the answer says where that was. */
    public static final ChangeStart NOW = new ChangeStart(Long.MAX_VALUE, 0);

    public ChangeStart {
        if (afterLsn < 0 || sinceMillis < 0) {
            throw new IllegalArgumentException(
                    "changes begin neither before LSN 0 nor before 1970");
        }
    }

    public boolean isNow() {
        return afterLsn == Long.MAX_VALUE;
    }

    public void write(BinaryWriter out) {
        out.u64(afterLsn).u64(sinceMillis);
    }

    public static ChangeStart read(BinaryReader in) {
        return in.checked(r -> new ChangeStart(r.u64(), r.u64()));
    }
}
