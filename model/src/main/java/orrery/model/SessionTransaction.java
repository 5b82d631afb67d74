package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The name of a transaction of several writes.
 *
 * @param session the client's own name for the session, 16 bytes
 * @param number the client counts the transactions of a session
 */
public record SessionTransaction(Bytes session, long number) {
    public SessionTransaction {
        if (session.length() != Statement.SESSION_BYTES) {
            throw new IllegalArgumentException("a session has a name of 16 bytes");
        }
    }

    public static SessionTransaction of(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        SessionTransaction transaction = read(in);
        in.expectEnd();
        return transaction;
    }

    public Bytes toBytes() {
        BinaryWriter out = new BinaryWriter(Statement.SESSION_BYTES + Long.BYTES);
        write(out);
        return out.toBytes();
    }

    public void write(BinaryWriter out) {
        out.raw(session).u64(number);
    }

    public static SessionTransaction read(BinaryReader in) {
        return new SessionTransaction(Bytes.wrap(in.raw(Statement.SESSION_BYTES)), in.u64());
    }
}
