package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The name that a session has for a write, however often and through whomever it is sent. A
 * partition carries the write out once, remembers its outcome, and gives the first answer again.
 *
 * @param session the client's own name for the session, 16 bytes
 * @param transaction the client counts its writes of a session; a lower number than the newest is
 *     refused
 * @param number of the first statement of the transaction that the write carries out
 * @param count how many it carries out, one after the other
 * @param isSought whether the write is looked for in all partitions when it is sent again, because
 *     its client does not know the partition key
 */
public record Statement(Bytes session, long transaction, int number, int count, boolean isSought) {
    public static final int SESSION_BYTES = 16;

    /** Statements of one write; as many as a batch may have. */
    public static final int MAX_COUNT = 100;

    public Statement {
        if (session.length() != SESSION_BYTES) {
            throw new IllegalArgumentException("a session has a name of 16 bytes");
        }
        if (transaction < 0 || number < 0 || count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("a statement has numbers");
        }
        if (isSought && count != 1) {
            throw new IllegalArgumentException("only single statements are sought");
        }
    }

    /** One statement of a write whose partition key its client knows. */
    public static Statement of(Bytes session, long transaction, int number) {
        return new Statement(session, transaction, number, 1, false);
    }

    /** The same statement, to be looked for in all partitions. */
    public Statement sought() {
        return new Statement(session, transaction, number, count, true);
    }

    public void write(BinaryWriter out) {
        out.raw(session).u64(transaction).u32(number).u32(count).bool(isSought);
    }

    public static Statement read(BinaryReader in) {
        return new Statement(
                Bytes.wrap(in.raw(SESSION_BYTES)), in.u64(), in.u32(), in.u32(), in.bool());
    }
}
