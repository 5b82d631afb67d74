package orrery.storage.format;

import java.util.Optional;
import orrery.model.ItemVersion.Operation;
import orrery.model.SessionTransaction;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The part that change records and journal records have in common: what was done to the item, why
 * and when.
 *
 * @param flags {@link #FIRST}, {@link #LAST}, {@link #TOMBSTONE}, {@link #UPDATE} and {@link
 *     #BEFORE}
 * @param reasons why the version is kept; none for a change record
 * @param previousLsn LSN of the version before, 0 if there was none
 * @param extensions the transaction of a session, of type 1, where the change was part of one
 */
public record ChangeHeader(
        Operation operation,
        Cause cause,
        int flags,
        int reasons,
        long timeMillis,
        long previousLsn,
        Origin origin,
        Extensions extensions) {
    /** Flag: the first change of its transaction. */
    public static final int FIRST = 0x01;

    /** Flag: the last change of its transaction. */
    public static final int LAST = 0x02;

    /** Flag: a delete that is kept without what was there before. The item then has no body. */
    public static final int TOMBSTONE = 0x04;

    /** Flag: whoever asked for the replace said what to change of the item, and not all of it. */
    public static final int UPDATE = 0x08;

    /** Flag: the record has the version before as well. */
    public static final int BEFORE = 0x10;

    /** Reason: the container keeps all versions for a while. */
    public static final int RETENTION = 0x01;

    private static final int FROM_ELSEWHERE = 0x80;
    private static final int KNOWN_FLAGS =
            FIRST | LAST | TOMBSTONE | UPDATE | BEFORE | FROM_ELSEWHERE;
    private static final int KNOWN_REASONS = 0x1F;

    /** The type of the extension that names a transaction. */
    private static final int TRANSACTION = 1;

    private static final int HEADER_AT = 1;
    private static final int OPERATION_AT = 3;
    private static final int PREVIOUS_AT = 7;
    private static final int FIXED_BYTES = 23;

    /** A change of a transaction by a client, or by the end of an item's time. */
    public static ChangeHeader of(
            Operation operation, Cause cause, int flags, long timeMillis, long previousLsn) {
        return new ChangeHeader(
                operation, cause, flags, 0, timeMillis, previousLsn, Origin.HERE, Extensions.NONE);
    }

    public ChangeHeader keptFor(int why) {
        return new ChangeHeader(
                operation, cause, flags, why, timeMillis, previousLsn, origin, extensions);
    }

    public ChangeHeader withFlags(int more) {
        return new ChangeHeader(
                operation,
                cause,
                flags | more,
                reasons,
                timeMillis,
                previousLsn,
                origin,
                extensions);
    }

    /** The same change, as a part of a transaction. */
    public ChangeHeader within(SessionTransaction transaction) {
        return new ChangeHeader(
                operation,
                cause,
                flags,
                reasons,
                timeMillis,
                previousLsn,
                origin,
                extensions.and(TRANSACTION, transaction.toBytes()));
    }

    /** The transaction of a session that the change was a part of. */
    public Optional<SessionTransaction> transaction() {
        return extensions.find(TRANSACTION).map(SessionTransaction::of);
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    int length() {
        return Extensions.headerBytes(
                FIXED_BYTES + (origin.isHere() ? 0 : Origin.BYTES), extensions);
    }

    void write(BinaryWriter out, int version) {
        RecordHeader.write(out, version, length());
        out.enumeration(operation)
                .enumeration(cause)
                .u8(flags | (origin.isHere() ? 0 : FROM_ELSEWHERE))
                .u8(reasons)
                .u64(previousLsn)
                .u64(timeMillis);
        if (!origin.isHere()) {
            origin.write(out);
        }
        out.raw(extensions.encoded());
    }

    static ChangeHeader read(BinaryReader in, int version) {
        RecordHeader header = RecordHeader.read(in, version, "a change or journal record");
        Operation operation = in.enumeration(Operation.class);
        Cause cause = in.enumeration(Cause.class);
        int flags = in.u8();
        int reasons = in.u8();
        if ((flags & ~KNOWN_FLAGS) != 0 || (reasons & ~KNOWN_REASONS) != 0) {
            throw new MalformedRecordException("unknown flag of a change");
        }
        long previousLsn = in.u64();
        long timeMillis = in.u64();
        Origin origin = (flags & FROM_ELSEWHERE) == 0 ? Origin.HERE : Origin.read(in);
        return new ChangeHeader(
                operation,
                cause,
                flags & ~FROM_ELSEWHERE,
                reasons,
                timeMillis,
                previousLsn,
                origin,
                header.extensions(in));
    }

    /** One field alone, for readers that meet many records. */
    static Operation operation(byte[] bytes, int version) {
        check(bytes.length >= FIXED_BYTES && bytes[0] == version);
        return new BinaryReader(bytes, OPERATION_AT, 1).enumeration(Operation.class);
    }

    /** One field alone, for readers that meet many records. */
    static long previousLsn(byte[] bytes, int version) {
        check(bytes.length >= FIXED_BYTES && bytes[0] == version);
        return new BinaryReader(bytes, PREVIOUS_AT, Long.BYTES).u64();
    }

    /** Reads on after the header. */
    static BinaryReader rest(byte[] bytes, int version) {
        check(bytes.length >= FIXED_BYTES && bytes[0] == version);
        int length = new BinaryReader(bytes, HEADER_AT, Short.BYTES).u16();
        check(length >= FIXED_BYTES && length <= bytes.length);
        return new BinaryReader(bytes, length, bytes.length - length);
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new MalformedRecordException("unknown version of a change or journal record");
        }
    }
}
