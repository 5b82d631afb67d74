package orrery.frontend.sql;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import orrery.document.SqlId;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.resource.Container;

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
     * Returns the operation for the engine. One that cannot be carried out whatever the container
     * holds, by its id or its patch, is refused by itself, and not the request.
     *
     * @param common the key of the whole request, if it has one
     */
    BatchOperation operation(Optional<PartitionKey> common, Container container) {
        Optional<PartitionKey> own = key.or(() -> common);
        Precondition precondition = ifMatch.map(Precondition::matching).orElse(Precondition.NONE);
        return switch (type) {
            case CREATE -> new BatchOperation.Write(new ItemWrite.Create(requireBody(), own));
            case UPSERT ->
                    new BatchOperation.Write(
                            new ItemWrite.Upsert(requireBody(), own, precondition));
            case REPLACE ->
                    writing(
                            container,
                            item -> new ItemWrite.Replace(item, own, requireBody(), precondition));
            case PATCH -> patch(container, own, precondition);
            case DELETE ->
                    writing(
                            container,
                            item -> new ItemWrite.Delete(item, requireKey(own), precondition));
            case READ ->
                    on(
                            container,
                            item ->
                                    new BatchOperation.Read(
                                            item,
                                            requireKey(own),
                                            ifNoneMatch
                                                    .or(() -> ifMatch)
                                                    .map(Precondition::matching)
                                                    .orElseGet(Precondition.Impossible::new)));
        };
    }

    private BatchOperation patch(
            Container container, Optional<PartitionKey> own, Precondition precondition) {
        Bytes patch = requireBody();
        PartitionKey named = requireKey(own);
        return unlessRefused(
                () -> PatchJson.parse(patch, container.number()),
                evaluation ->
                        writing(
                                container,
                                item ->
                                        new ItemWrite.Evaluate(
                                                item, named, evaluation, precondition)));
    }

    private BatchOperation writing(Container container, Function<ItemRef, ItemWrite> write) {
        return on(
                container, item -> new BatchOperation.Write(write.apply(new ItemRef.Named(item))));
    }

    private BatchOperation on(Container container, Function<RowKey, BatchOperation> operation) {
        String name = requireId();
        return unlessRefused(() -> SqlId.rowKey(container.definition().kind(), name), operation);
    }

    private static <T> BatchOperation unlessRefused(
            Supplier<T> read, Function<T, BatchOperation> operation) {
        T value;
        try {
            value = read.get();
        } catch (OrreryException refused) {
            return new BatchOperation.Refused(refused);
        }
        return operation.apply(value);
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
