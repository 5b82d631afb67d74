package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.frontend.mongo.cursor.ListCursor;
import orrery.frontend.mongo.cursor.PipelineCursor;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.query.QueryCall;
import orrery.query.index.IndexUse;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.aggregate.Documents;

/** Reads the results of queries in the batches that clients want. */
final class Batches {
    /** The documents of a first batch for which no size is asked, as servers have it. */
    static final int FIRST_BATCH = 101;

    /** A batch ends when it has so many bytes. */
    private static final int FULL_BYTES = 16 << 20;

    /** What a document may have beyond that where it is only shown, as servers have it. */
    private static final int OVERHEAD_BYTES = 16 << 10;

    private final Items items;
    private final Cursors cursors;
    private final IndexUses uses;

    Batches(Items items, Cursors cursors, IndexUses uses) {
        this.items = items;
        this.cursors = cursors;
        this.uses = uses;
    }

    /**
     * A batch.
     *
     * @param next where the cursor goes on; absent if it has ended
     */
    record Batch(List<Bytes> rows, Optional<Cursor> next) {}

    /** Takes note of the indexes by which a write has found documents. */
    void searched(ContainerRef.Resolved container, IndexUse used) {
        uses.count(container.container(), used);
    }

    /** Takes note that a write has looked for a document by its id. */
    void lookedUp(ContainerRef.Resolved container) {
        uses.countLookup(container.container());
    }

    /** Reads a batch. A page of the engine may be empty although more follow, so it reads on. */
    Batch read(CommandRequest request, ContainerRef.Resolved container, Cursor cursor, int most) {
        List<Bytes> rows = new ArrayList<>();
        long bytes = 0;
        Optional<String> continuation = cursor.continuation();
        while (rows.size() < most && bytes < FULL_BYTES) {
            QueryPage page =
                    items.query(
                            request.context(),
                            container,
                            cursor.scope(),
                            QueryCall.of(cursor.statement()),
                            new PageRequest(OptionalInt.of(most - rows.size()), continuation));
            request.charge(page.charge());
            if (continuation.isEmpty()) {
                uses.count(container.container(), page);
            }
            long size = page.rows().stream().mapToLong(Bytes::length).sum();
            MemoryAccount.current().take(size);
            bytes += size;
            page.rows().forEach(Batches::requireSize);
            rows.addAll(page.rows());
            continuation = page.continuation();
            if (continuation.isEmpty()) {
                return new Batch(rows, Optional.empty());
            }
        }
        return new Batch(rows, Optional.of(cursor.at(continuation)));
    }

    /**
     * Reads documents of a pipeline, within the time of the request. A document that is larger than
     * one may be ends the pipeline. Where a budget is used up, those that were read are given.
     *
     * @return true if there may be more
     */
    static boolean read(CommandRequest request, PipelineCursor cursor, int most, List<Bytes> rows) {
        try {
            return PipelineReads.during(request, () -> readInTime(cursor, most, rows));
        } catch (OrreryException failure) {
            if (failure.code().isOfRate() && !rows.isEmpty()) {
                return true;
            }
            throw failure;
        }
    }

    private static boolean readInTime(PipelineCursor cursor, int most, List<Bytes> rows) {
        long bytes = 0;
        while (rows.size() < most && bytes < FULL_BYTES) {
            if (cursor.documents().advance() == Documents.Step.END) {
                return false;
            }
            Bytes row = BsonCodec.write(cursor.documents().row());
            requireSize(row);
            MemoryAccount.current().take(row.length());
            bytes += row.length();
            rows.add(row);
        }
        return true;
    }

    /** A group may have become larger than a document. */
    private static void requireSize(Bytes row) {
        if (row.length() > FULL_BYTES + OVERHEAD_BYTES) {
            throw MongoCode.BSON_OBJECT_TOO_LARGE.failure(
                    "BSONObj size: %d (0x%X) is invalid. Size must be between 0 and 16793600(16MB)"
                            .formatted(row.length(), row.length()));
        }
    }

    /** The answer with the first batch of a pipeline. */
    Bytes first(CommandRequest request, PipelineCursor cursor, OptionalInt size) {
        List<Bytes> rows = new ArrayList<>();
        boolean isOpen = read(request, cursor, size.orElse(FIRST_BATCH), rows);
        long id = isOpen ? cursors.open(cursor) : 0;
        return RawDocuments.cursor("firstBatch", rows, id, cursor.namespace(), Replies.OK);
    }

    /** The answer with the first batch, and with the id of a cursor where more follows. */
    Bytes first(
            CommandRequest request,
            ContainerRef.Resolved container,
            Cursor cursor,
            OptionalInt size,
            boolean isSingle) {
        int most = size.orElse(FIRST_BATCH);
        Batch batch =
                most == 0
                        ? new Batch(List.of(), Optional.of(cursor))
                        : read(request, container, cursor, most);
        long id = isSingle ? 0 : batch.next().map(cursors::open).orElse(0L);
        if (id != 0) {
            request.opened(id);
        }
        return RawDocuments.cursor("firstBatch", batch.rows(), id, cursor.namespace(), Replies.OK);
    }

    /** The answer with the first batch of a list. */
    Bytes first(CommandRequest request, String namespace, List<Bytes> rows) {
        return first(request, namespace, rows, size(request).orElse(FIRST_BATCH), Replies.OK);
    }

    /** Returns the size that a command wants its first batch to have. */
    static OptionalInt size(CommandRequest request) {
        Optional<Arguments> wish = request.arguments().inner("cursor");
        wish.ifPresent(cursor -> cursor.allowOnly(Set.of("batchSize")));
        return wish.map(cursor -> cursor.size("batchSize")).orElse(OptionalInt.empty());
    }

    /**
     * The answer with the first batch of a list.
     *
     * @param most the documents that it may have
     * @param more fields behind the cursor
     */
    Bytes first(
            CommandRequest request, String namespace, List<Bytes> rows, int most, Value.Obj more) {
        ListCursor list = new ListCursor(namespace, rows, request.session());
        long id = list.behind(most).map(cursors::open).orElse(0L);
        if (id != 0) {
            request.opened(id);
        }
        return RawDocuments.cursor("firstBatch", list.first(most), id, namespace, more);
    }

    static Bytes nothing(String namespace) {
        return RawDocuments.cursor("firstBatch", List.of(), 0, namespace, Replies.OK);
    }
}
