package orrery.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.resource.Container;

/**
 * An open transaction on one logical partition, as the node of its client keeps it between
 * requests. No partition knows of it: each operation brings the writes before it along, and the LSN
 * of the key's last write that the first operation has seen. Thread-safe.
 */
public final class KeyTransaction {
    /** As many as one entry of the log and a replay before each operation should have. */
    public static final int MAX_WRITES = 1000;

    /**
     * Bodies that one transaction may write: those of the largest item, so that one always fits.
     */
    public static final long MAX_BYTES = SizeLimits.LARGEST.maxItemBytes();

    private static final String LIMITED = "A transaction is limited to one logical partition. ";

    private final List<TransactionWrite> writes = new ArrayList<>();
    private Optional<Container> container = Optional.empty();
    private Optional<PartitionKey> key = Optional.empty();
    private OptionalLong lastWrite = OptionalLong.empty();
    private long bytes;

    /** The part of a transaction that an operation needs. */
    public record Before(OptionalLong lastWrite, List<TransactionWrite> writes) {
        public Before {
            writes = List.copyOf(writes);
        }
    }

    /** Fixes the container. Throws if an earlier operation was about another. */
    public synchronized void enter(Container entered) {
        if (container.isPresent()
                && (container.get().number() != entered.number()
                        || container.get().database() != entered.database())) {
            throw outside(
                    "Its first operation was about '"
                            + container.get().name()
                            + "', and this one is about '"
                            + entered.name()
                            + "'.");
        }
        container = Optional.of(entered);
    }

    /** Fixes the key. Throws if an earlier operation was about another. */
    public synchronized Before enter(PartitionKey entered) {
        if (key.isPresent() && !key.get().equals(entered)) {
            throw outside(
                    "Its first operation was about one value of the shard key, and this one is"
                            + " about another.");
        }
        key = Optional.of(entered);
        return new Before(lastWrite, writes);
    }

    /** Makes the refusal of an operation that leaves the logical partition. */
    public static OrreryException outside(String why) {
        return new OrreryException(ErrorCode.OUTSIDE_TRANSACTION, LIMITED + why);
    }

    /**
     * Takes over what an operation has done.
     *
     * @param seen the LSN of the key's last write, which the operation has checked
     */
    public synchronized void proceed(long seen, List<TransactionWrite> more) {
        lastWrite = OptionalLong.of(seen);
        long added = more.stream().mapToLong(TransactionWrite::bodyBytes).sum();
        checkSize(writes.size() + more.size(), bytes + added);
        writes.addAll(more);
        bytes += added;
    }

    /** Throws if a transaction may not have so many writes, or so large ones. */
    public static void checkSize(int writes, long bytes) {
        if (writes > MAX_WRITES || bytes > MAX_BYTES) {
            throw new OrreryException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "The transaction would have "
                            + writes
                            + " writes with "
                            + bytes
                            + " bytes. A transaction may have "
                            + MAX_WRITES
                            + " writes with "
                            + MAX_BYTES
                            + " bytes. Divide it.");
        }
    }

    /** Returns the container, once an operation was about one. */
    public synchronized Optional<Container> container() {
        return container;
    }

    /** Returns the key, once an operation was about one. */
    public synchronized Optional<PartitionKey> key() {
        return key;
    }

    /** Returns the LSN that all operations have seen, and their writes. */
    public synchronized Before soFar() {
        return new Before(lastWrite, writes);
    }

    /** About as many bytes as it keeps. */
    public synchronized long heapBytes() {
        return 512 + bytes + writes.size() * 160L;
    }
}
