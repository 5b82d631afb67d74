package orrery.frontend.mongo.command;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.query.mongo.MongoCode;

/**
 * {@code $out}: writes the documents of a pipeline into a collection of their own, which takes the
 * name of the one that they replace when all are written. If something fails, nothing has changed.
 */
final class OutWriter {
    private static final int NAME_BYTES = 8;

    private final Items items;
    private final Catalogue catalogue;
    private final PipelineReads reads;
    private final ObjectIds ids;
    private final CommandRequest request;
    private final Namespace namespace;
    private final Optional<ContainerRef.Resolved> replaced;
    private final ContainerRef.Resolved made;
    private final List<NewDocument> waiting = new ArrayList<>();
    private long waitingBytes;

    OutWriter(
            Items items,
            Catalogue catalogue,
            PipelineReads reads,
            ObjectIds ids,
            SecureRandom random,
            CommandRequest request,
            Namespace namespace) {
        this.items = items;
        this.catalogue = catalogue;
        this.reads = reads;
        this.ids = ids;
        this.request = request;
        this.namespace = namespace;
        this.replaced = catalogue.find(request.context(), namespace);
        replaced.filter(found -> Catalogue.shardKey(found.container()).isPresent())
                .ifPresent(
                        _ -> {
                            throw MongoCode.failure(
                                    28769,
                                    "namespace '"
                                            + namespace
                                            + "' is sharded so it can't be used for $out");
                        });
        byte[] name = new byte[NAME_BYTES];
        random.nextBytes(name);
        this.made =
                catalogue.createLike(
                        request.context(),
                        new Namespace(
                                namespace.database(),
                                "tmp.agg_out." + HexFormat.of().formatHex(name)),
                        replaced.map(ContainerRef.Resolved::container));
    }

    void write(Value.Obj document) {
        NewDocument next = NewDocument.of(document, made.container(), ids);
        if (waiting.size() == ItemBatch.MAX_OPERATIONS
                || waitingBytes + next.length() > SizeLimits.MONGODB.bulkBytes()) {
            flush();
        }
        waiting.add(next);
        waitingBytes += next.length();
    }

    private void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        List<BatchOperation> writes = new ArrayList<>();
        for (NewDocument each : waiting) {
            writes.add(
                    new BatchOperation.Write(
                            new ItemWrite.Create(each.body(), Optional.of(each.key()))));
        }
        BatchAnswer answer =
                reads.patiently(
                        () ->
                                items.batch(
                                        request.context(),
                                        made,
                                        new ItemBatch.Atomic(waiting.getFirst().key(), writes)));
        request.charge(answer.charge());
        for (int i = 0; i < waiting.size(); i++) {
            if (answer.results().get(i) instanceof BatchAnswer.Result.Refused(var failure)
                    && failure.code() != ErrorCode.FAILED_DEPENDENCY) {
                throw new WriteErrors.Refused(
                        WriteErrors.failure(
                                namespace,
                                () -> Optional.of(made.container()),
                                failure,
                                waiting.get(i).id()));
            }
        }
        waiting.clear();
        waitingBytes = 0;
    }

    /** Puts the new collection into the place of the one that was there at the beginning. */
    void replace() {
        flush();
        try {
            catalogue.takeName(request.context(), made, namespace.collection(), replaced);
        } catch (OrreryException overtaken) {
            throw overtaken.code() == ErrorCode.PRECONDITION_FAILED
                    ? MongoCode.OPERATION_FAILED.failure(
                            "the collection "
                                    + namespace
                                    + " was changed, dropped or created while $out ran")
                    : overtaken;
        }
    }

    /** Takes back what was written. */
    void drop() {
        catalogue.drop(request.context(), made);
    }
}
