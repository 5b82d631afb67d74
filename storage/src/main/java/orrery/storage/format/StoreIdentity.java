package orrery.storage.format;

import java.util.OptionalLong;
import java.util.UUID;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The account to which a store belongs, and the start in which it was last used. The stores of an
 * account compare theirs at each start, and so notice that one is missing, foreign or older than
 * the others.
 *
 * @param account made at random with the account
 * @param store which one of the account: {@link #CATALOG}, or {@link #ofReplicaSet}
 * @param start how many starts there were, this one included
 * @param incarnation of this start, made at random: two copies of an account that went on apart
 *     have different ones
 * @param previous the incarnation before, until all stores have this one; 0 if there was none
 */
public record StoreIdentity(
        UUID account,
        int store,
        long start,
        long incarnation,
        OptionalLong previous,
        Extensions extensions) {
    public static final int CATALOG = 0;

    private static final int VERSION = 2;
    private static final int FIXED_BYTES = RecordHeader.BYTES + 45;

    public static int ofReplicaSet(int number) {
        return number + 1;
    }

    /** Returns true if the account was being made: the other stores may not be there yet. */
    public boolean isFirst() {
        return previous.isPresent() && previous.getAsLong() == 0;
    }

    /** Returns true if a store with this incarnation has seen the same starts. */
    public boolean agreesWith(long other) {
        return incarnation == other || (previous.isPresent() && previous.getAsLong() == other);
    }

    /** The same once all stores have this incarnation. */
    public StoreIdentity settled() {
        return new StoreIdentity(
                account, store, start, incarnation, OptionalLong.empty(), extensions);
    }

    public byte[] encode() {
        int length = Extensions.headerBytes(FIXED_BYTES, extensions);
        BinaryWriter out = new BinaryWriter(length);
        RecordHeader.write(out, VERSION, length);
        return out.u64(account.getMostSignificantBits())
                .u64(account.getLeastSignificantBits())
                .u32(store)
                .u64(start)
                .u64(incarnation)
                .bool(previous.isPresent())
                .u64(previous.orElse(0))
                .raw(extensions.encoded())
                .toArray();
    }

    public static StoreIdentity decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        RecordHeader header = RecordHeader.read(in, VERSION, "the identity of a store");
        UUID account = new UUID(in.u64(), in.u64());
        int store = in.u32();
        long start = in.u64();
        long incarnation = in.u64();
        boolean isUnsettled = in.bool();
        long previous = in.u64();
        Extensions extensions = header.extensions(in);
        in.expectEnd();
        return new StoreIdentity(
                account,
                store,
                start,
                incarnation,
                isUnsettled ? OptionalLong.of(previous) : OptionalLong.empty(),
                extensions);
    }
}
