package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;

/** One operation of {@code bulkWrite}, which means something. */
sealed interface BulkOperation {
    /** The fields of the command in which operations come. */
    String FIELD = "ops";

    /** An operation keeps so much beside its values, with what its result may take. */
    int KEPT_BYTES = 256;

    /** Values take several times as many bytes as the BSON that they were read from. */
    int HEAP_FACTOR = 4;

    /** The position of the collection among those of the command. */
    int collection();

    /** Returns true if it may write several documents. */
    boolean isMany();

    /** A document, which nobody has looked at unless it came within the command. */
    sealed interface Given {
        NewDocument read(Container container, ObjectIds ids);

        record Raw(Bytes bson) implements Given {
            @Override
            public NewDocument read(Container container, ObjectIds ids) {
                return NewDocument.read(bson, container, ids);
            }
        }

        record Decoded(Value.Obj document) implements Given {
            @Override
            public NewDocument read(Container container, ObjectIds ids) {
                return NewDocument.of(document, container, ids);
            }
        }
    }

    record Insert(int collection, Given document) implements BulkOperation {
        @Override
        public boolean isMany() {
            return false;
        }
    }

    record Update(int collection, UpdateStatement statement) implements BulkOperation {
        @Override
        public boolean isMany() {
            return statement.isMany();
        }
    }

    record Delete(int collection, DeleteStatement statement) implements BulkOperation {
        @Override
        public boolean isMany() {
            return statement.isMany();
        }
    }

    /** Reads one operation of a command. */
    static BulkOperation read(CommandRequest request, int i) {
        List<Bytes> raw = request.sequences().get(FIELD);
        if (raw == null) {
            MemoryAccount.current().take(KEPT_BYTES);
            Arguments operation = WriteBatch.inside(request, FIELD, i);
            return of(operation, operation.document("document").map(Given.Decoded::new));
        }
        BsonCodec.Parted parted =
                WriteBatch.read(() -> BsonCodec.readAround(raw.get(i), "document"));
        int decoded = raw.get(i).length() - parted.part().map(Bytes::length).orElse(0);
        MemoryAccount.current()
                .take(
                        KEPT_BYTES
                                + (long) HEAP_FACTOR * decoded
                                + parted.part().map(Bytes::length).orElse(0));
        BulkOperation read =
                of(
                        new Arguments(WriteBatch.owner(request, FIELD), parted.rest()),
                        parted.part().map(Given.Raw::new));
        if (parted.part().isPresent() && !(read instanceof Insert)) {
            throw unknown("ops.document");
        }
        return read;
    }

    private static OrreryException unknown(String field) {
        return MongoCode.failure(
                40415, "BSON field 'bulkWrite." + field + "' is an unknown field.");
    }

    private static BulkOperation of(Arguments operation, Optional<? extends Given> document) {
        String kind = operation.properties().keySet().stream().findFirst().orElse("");
        return switch (kind) {
            case "insert" -> {
                operation.allowOnly(Set.of(kind, "document"));
                // A value that is no document is still among the fields, and refused for its type.
                Given given =
                        document.isPresent()
                                ? document.get()
                                : operation
                                        .document("document")
                                        .map(Given.Decoded::new)
                                        .orElseThrow(() -> operation.missing("document"));
                yield new Insert(collection(operation, kind), given);
            }
            case "update" ->
                    new Update(
                            collection(operation, kind),
                            UpdateStatement.read(
                                    operation, UpdateStatement.Names.BULK_WRITE, Set.of(kind)));
            case "delete" ->
                    new Delete(
                            collection(operation, kind),
                            DeleteStatement.readOperation(operation, Set.of(kind)));
            default -> throw unknown(kind);
        };
    }

    private static int collection(Arguments operation, String kind) {
        long index = operation.whole(kind).orElseThrow(() -> operation.missing(kind));
        if (index < 0) {
            throw MongoCode.BAD_VALUE.failure(
                    "BSON field '" + kind + "' value must be >= 0, actual value '" + index + "'");
        }
        return (int) Math.min(index, Integer.MAX_VALUE);
    }
}
