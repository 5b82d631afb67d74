package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Statement;

/** Operations that are sent together, at most {@link #MAX_OPERATIONS}. */
public sealed interface ItemBatch {
    /** The service's limit. */
    int MAX_OPERATIONS = 100;

    List<BatchOperation> operations();

    default boolean isWithoutWrites() {
        return operations().stream().noneMatch(BatchOperation.Write.class::isInstance);
    }

    /**
     * All operations, in their order and at once, or none; all are on items of one key.
     *
     * @param expectedLsn the LSN of the key's last write that the sender has seen. If the key was
     *     written since, the batch as a whole is refused with {@code KEY_CHANGED}.
     * @param statements the names that a session has for the operations. If one of them was carried
     *     out before, the batch is refused with {@code STATEMENT_DONE}, and each can be sent alone.
     */
    record Atomic(
            PartitionKey key,
            List<BatchOperation> operations,
            OptionalLong expectedLsn,
            Optional<Statement> statements)
            implements ItemBatch {
        public Atomic {
            operations = checked(operations);
        }

        /** A batch that depends on no more than the conditions of its operations. */
        public Atomic(PartitionKey key, List<BatchOperation> operations) {
            this(key, operations, OptionalLong.empty());
        }

        /** A batch that no session has a name for. */
        public Atomic(PartitionKey key, List<BatchOperation> operations, OptionalLong expectedLsn) {
            this(key, operations, expectedLsn, Optional.empty());
        }
    }

    /**
     * Each operation by itself, whatever its key. Where the client names a range, an operation
     * outside of it is refused with {@code RANGE_GONE}; not so where the range has been split or
     * merged since.
     *
     * @param inOrder one after the other; else only operations on the same item are
     * @param continueOnError where not, the operations after one that is refused are not carried
     *     out, and all run in their order
     * @param range the physical partition in which the client believes the items to be
     */
    record Bulk(
            List<BatchOperation> operations,
            boolean inOrder,
            boolean continueOnError,
            OptionalInt range)
            implements ItemBatch {
        public Bulk {
            operations = checked(operations);
        }

        public Bulk(List<BatchOperation> operations, boolean inOrder, boolean continueOnError) {
            this(operations, inOrder, continueOnError, OptionalInt.empty());
        }

        public Bulk in(OptionalInt believed) {
            return new Bulk(operations, inOrder, continueOnError, believed);
        }
    }

    /** The one key of all operations, if the batch is bound to one. */
    default Optional<PartitionKey> namedKey() {
        return this instanceof Atomic atomic ? Optional.of(atomic.key()) : Optional.empty();
    }

    private static List<BatchOperation> checked(List<BatchOperation> operations) {
        if (operations.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "Batch request has no operations. Send at least one.");
        }
        if (operations.size() > MAX_OPERATIONS) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Batch request has more operations than what is supported. It may have "
                            + MAX_OPERATIONS
                            + " and has "
                            + operations.size()
                            + ".");
        }
        return List.copyOf(operations);
    }
}
