package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.frontend.mongo.cursor.ListCursor;
import orrery.frontend.mongo.cursor.OpenCursor;
import orrery.frontend.mongo.cursor.PipelineCursor;
import orrery.frontend.mongo.cursor.StreamCursor;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** {@code getMore} and {@code killCursors}. */
final class CursorCommands {
    private final Catalogue catalogue;
    private final Cursors cursors;
    private final Batches batches;
    private final ChangeStreams changes;

    CursorCommands(Catalogue catalogue, Cursors cursors, Batches batches, ChangeStreams changes) {
        this.catalogue = catalogue;
        this.cursors = cursors;
        this.batches = batches;
        this.changes = changes;
    }

    void addTo(CommandTable table) {
        table.read("getMore", Set.of("collection", "batchSize"), this::more)
                .read("killCursors", Set.of("cursors"), this::kill);
    }

    private Bytes more(CommandRequest request) {
        long id = id(request.first());
        String namespace =
                Namespace.ofCursor(
                        request.database(), request.arguments().requiredText("collection"));
        OptionalInt size = request.arguments().size("batchSize");
        int most = size.orElse(0) == 0 ? Integer.MAX_VALUE : size.getAsInt();
        OpenCursor cursor = cursors.take(id, CursorCommands.cancelling());
        OpenCursor next = cursor;
        try {
            if (!cursor.namespace().equals(namespace)) {
                throw MongoCode.UNAUTHORIZED.failure(
                        "Requested getMore on namespace '"
                                + namespace
                                + "', but cursor belongs to a different namespace "
                                + cursor.namespace());
            }
            List<Bytes> rows;
            switch (cursor) {
                case Cursor query -> {
                    Batches.Batch batch =
                            batches.read(
                                    request,
                                    catalogue.require(
                                            request.context(), Namespace.parse(namespace)),
                                    query,
                                    most);
                    rows = batch.rows();
                    next = batch.next().orElse(null);
                }
                case PipelineCursor pipeline -> {
                    rows = new ArrayList<>();
                    next = null; // what a pipeline has read is lost if it fails
                    next = Batches.read(request, pipeline, most, rows) ? pipeline : null;
                }
                case StreamCursor stream -> {
                    StreamPlaced placed = new StreamPlaced(stream);
                    try {
                        return changes.more(request, id, stream, size, placed::set);
                    } finally {
                        next = placed.cursor;
                    }
                }
                case ListCursor list -> {
                    rows = list.first(most);
                    next = list.behind(most).orElse(null);
                }
            }
            long shown = next == null ? 0 : id;
            return RawDocuments.cursor("nextBatch", rows, shown, cursor.namespace(), Replies.OK);
        } catch (OrreryException failure) {
            if (failure.code() == ErrorCode.TIMEOUT && cursors.namespace(id).isEmpty()) {
                throw MongoCode.CURSOR_KILLED.failure("cursor id " + id + " was killed");
            }
            // Nothing is lost where a budget was used up before anything was read.
            next = failure.code().isOfRate() ? cursor : next;
            throw failure;
        } finally {
            cursors.release(id, next);
        }
    }

    /** Returns where a stream goes on; where it was if reading fails. */
    private static final class StreamPlaced {
        private @Nullable StreamCursor cursor;

        StreamPlaced(StreamCursor cursor) {
            this.cursor = cursor;
        }

        void set(@Nullable StreamCursor next) {
            cursor = next;
        }
    }

    /** Ends the request that is being answered. */
    private static Runnable cancelling() {
        Cancellation ours = Cancellation.current();
        return ours == Cancellation.NEVER ? () -> {} : ours::cancel;
    }

    private static long id(Value value) {
        return findId(value)
                .orElseThrow(
                        () ->
                                MongoCode.TYPE_MISMATCH.failure(
                                        "BSON field 'getMore.getMore' is the wrong type '"
                                                + TypeNames.of(value)
                                                + "', expected type 'long'"));
    }

    /** Empty for what is no id of a cursor. */
    static Optional<Long> findId(Value value) {
        return switch (value) {
            case Value.Int(long id) -> Optional.of(id);
            case BsonValue.Int64(long id) -> Optional.of(id);
            default -> Optional.empty();
        };
    }

    private Bytes kill(CommandRequest request) {
        if (!(request.first() instanceof Value.Text(String collection))) {
            throw request.arguments().mismatch("killCursors", request.first(), "string");
        }
        String namespace = Namespace.ofCursor(request.database(), collection);
        List<Value> killed = new ArrayList<>();
        List<Value> unknown = new ArrayList<>();
        List<Value> wanted =
                request.arguments()
                        .array("cursors")
                        .orElseThrow(() -> request.arguments().missing("cursors"));
        for (Value each : wanted) {
            boolean isOwn = cursors.namespace(id(each)).filter(namespace::equals).isPresent();
            if (isOwn && cursors.kill(id(each))) {
                killed.add(Doc.int64(id(each)));
            } else {
                unknown.add(Doc.int64(id(each)));
            }
        }
        return new Doc()
                .put("cursorsKilled", killed)
                .put("cursorsNotFound", unknown)
                .put("cursorsAlive", List.of())
                .put("cursorsUnknown", List.of())
                .ok();
    }
}
