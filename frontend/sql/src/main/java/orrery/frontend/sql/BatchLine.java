package orrery.frontend.sql;

import java.util.Optional;
import java.util.function.Function;
import orrery.document.SqlId;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;

/**
 * One operation of a batch as it stands in the request, whichever way it is written there.
 *
 * @param key of this operation alone
 * @param ifMatch names the version to change, or for a read the one that the client has: some SDKs
 *     have no other field for it
 * @param ifNoneMatch names the version that the client of a read has, as outside of a batch
 * @param isMinimal whether the client can do without the item that it writes
 * @param body the item, or the patch
 */
record BatchLine(
        Type type,
        Optional<String> id,
        Optional<PartitionKey> key,
        Optional<String> ifMatch,
        Optional<String> ifNoneMatch,
        boolean isMinimal,
        Optional<Bytes> body) {
    /** The operation, with its number in rows. */
    enum Type {
        CREATE(0),
        PATCH(1),
        READ(2),
        DELETE(4),
        REPLACE(5),
        UPSERT(20);

        private final int number;

        Type(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /**
     * Returns the operation for the engine.
     *
     * @param common the key of the whole request, if it has one
     * @param kind of the container
     */
    BatchOperation operation(Optional<PartitionKey> common, ContainerKind kind) {
        Optional<PartitionKey> own = key.or(() -> common);
        Precondition precondition = ifMatch.map(SqlRequest::matching).orElse(Precondition.NONE);
        return switch (type) {
            case CREATE -> new BatchOperation.Write(new ItemWrite.Create(requireBody(), own));
            case UPSERT ->
                    new BatchOperation.Write(
                            new ItemWrite.Upsert(requireBody(), own, precondition));
            case REPLACE ->
                    writing(
                            kind,
                            item -> new ItemWrite.Replace(item, own, requireBody(), precondition));
            case PATCH ->
                    writing(
                            kind,
                            item ->
                                    new ItemWrite.Modify(
                                            item, requireKey(own), requireBody(), precondition));
            case DELETE ->
                    writing(
                            kind,
                            item -> new ItemWrite.Delete(item, requireKey(own), precondition));
            case READ ->
                    on(
                            kind,
                            item ->
                                    new BatchOperation.Read(
                                            item,
                                            requireKey(own),
                                            ifNoneMatch
                                                    .or(() -> ifMatch)
                                                    .map(SqlRequest::matching)
                                                    .orElseGet(Precondition.Impossible::new)));
        };
    }

    private BatchOperation writing(ContainerKind kind, Function<ItemRef, ItemWrite> write) {
        return on(kind, item -> new BatchOperation.Write(write.apply(new ItemRef.Named(item))));
    }

    /** An id that no item can have fails this operation, and not the request. */
    private BatchOperation on(ContainerKind kind, Function<RowKey, BatchOperation> operation) {
        String name = requireId();
        RowKey item;
        try {
            item = SqlId.rowKey(kind, name);
        } catch (OrreryException refused) {
            return new BatchOperation.Refused(refused);
        }
        return operation.apply(item);
    }

    private String requireId() {
        return id.orElseThrow(() -> missing("an id"));
    }

    private Bytes requireBody() {
        return body.orElseThrow(() -> missing("a resourceBody"));
    }

    private PartitionKey requireKey(Optional<PartitionKey> own) {
        return own.orElseThrow(() -> missing("a partitionKey"));
    }

    private OrreryException missing(String what) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "An operation of the batch of type " + type + " has not " + what + ".");
    }
}
