package orrery.partition.simulated;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import orrery.document.BodyFormat;
import orrery.document.ItemBody;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ItemRequest;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.sql.SqlStatement;

/**
 * The least that a front-end for documents in BSON does: it names the document, finds its partition
 * and sends its message, under one request id, until somebody answers.
 */
final class BsonFrontEnd {
    private static final BodyFormat BSON = BodyFormat.of(Encoding.BSON);
    private static final int MAX_ATTEMPTS = 10_000;

    /** The place where messages go. */
    interface Service {
        /** Empty if the leader knows of no owner. */
        Optional<PartitionId> owner(EffectiveKey epk);

        PartitionResponse call(PartitionRequest request);

        /** Lets something happen before the message is sent again. */
        void pass();
    }

    private final PartitionKeyDefinition definition;
    private final Service service;
    private long requests;
    private int resends;
    private int moves;

    BsonFrontEnd(PartitionKeyDefinition definition, Service service) {
        this.definition = definition;
        this.service = service;
    }

    /**
     * A write as it was sent, which may be sent again.
     *
     * @param search finds the document, which the key only names the logical partition of
     */
    record Sent(RequestId id, ItemKey key, Optional<String> search, WriteAction action) {}

    /** A document from its JSON form. */
    static Bytes document(String form) {
        return BSON.show(Body.json(Bytes.ofUtf8(form)));
    }

    ItemKey key(Bytes document) {
        ItemBody body = BSON.parse(document, definition);
        PartitionKey key = body.partitionKey(definition);
        return new ItemKey(
                EffectiveKeys.of(definition, key),
                key,
                body.rowKey(ContainerKind.MONGODB.ids()).orElseThrow());
    }

    Sent write(ItemKey key, WriteAction action) {
        return new Sent(newRequest(), key, Optional.empty(), action);
    }

    /** A write to the first document of the key's logical partition that a query returns. */
    Sent writeFirst(ItemKey key, String search, WriteAction.Computed action) {
        return new Sent(newRequest(), key, Optional.of(search), action);
    }

    private RequestId newRequest() {
        return new RequestId(42, ++requests << 20);
    }

    WriteResponse.Written send(Sent sent) {
        PartitionResponse answer = send(sent.key().epk(), owner -> request(owner, sent));
        return answer instanceof WriteResponse.Searched(WriteResponse.Written write, var _)
                ? write
                : (WriteResponse.Written) answer;
    }

    private static WriteRequest request(PartitionId owner, Sent sent) {
        return sent.search().isPresent() && sent.action() instanceof WriteAction.Computed action
                ? new WriteRequest.WriteFirst(
                        owner,
                        sent.id(),
                        sent.key().epk(),
                        sent.key().partitionKey(),
                        SqlStatement.parse(sent.search().get(), Map.of()).encoded(),
                        1,
                        action)
                : new WriteRequest.WriteItem(
                        owner, sent.id(), sent.key(), sent.action(), Precondition.NONE);
    }

    WriteResponse.Batch send(List<BatchStep> steps) {
        return send(steps, OptionalLong.empty());
    }

    /** A batch that is refused if its key was written since this LSN. */
    WriteResponse.Batch send(List<BatchStep> steps, OptionalLong expectedLsn) {
        RequestId id = newRequest();
        return (WriteResponse.Batch)
                send(
                        steps.getFirst().key().epk(),
                        owner -> new WriteRequest.Batch(owner, id, steps, 0, expectedLsn));
    }

    /** The LSN of the last write of the key's logical partition. */
    long lastWrite(ItemKey key) {
        return ((ReadResponse.LastWrite)
                        send(
                                key.epk(),
                                owner ->
                                        new ReadRequest.ReadLastWrite(
                                                owner, key.epk(), key.partitionKey(), 0)))
                .lsn();
    }

    /**
     * @param lsn at least as far must be whoever answers
     */
    ReadResponse.Found read(ItemKey key, long lsn) {
        return (ReadResponse.Found)
                send(key.epk(), owner -> new ReadRequest.ReadItem(owner, key, lsn));
    }

    private PartitionResponse send(EffectiveKey epk, Function<PartitionId, ItemRequest> request) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<PartitionId> owner = service.owner(epk);
            if (owner.isPresent()) {
                try {
                    return service.call(request.apply(owner.get()));
                } catch (OrreryException failure) {
                    note(failure);
                }
            }
            service.pass();
        }
        throw new AssertionError("nobody answers");
    }

    private void note(OrreryException failure) {
        if (failure.code() == ErrorCode.TIMEOUT) {
            resends++;
        } else if (failure.code() == ErrorCode.RANGE_GONE) {
            moves++;
        } else if (failure.code() != ErrorCode.READ_SESSION_NOT_AVAILABLE) {
            throw failure;
        }
    }

    /** Messages whose answer was lost. */
    int resends() {
        return resends;
    }

    /** Messages that found their partition split. */
    int moves() {
        return moves;
    }
}
