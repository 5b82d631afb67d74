package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** {@code bulkWrite}: writes of all kinds to several collections, in one command. */
final class BulkWriteCommand {
    private static final String CURSOR = "admin.$cmd.bulkWrite";

    private final Items items;
    private final Catalogue catalogue;
    private final Batches batches;
    private final FilteredWrites writes;
    private final ObjectIds ids;
    private final CollectionUse use;

    BulkWriteCommand(
            Items items,
            Catalogue catalogue,
            Batches batches,
            FilteredWrites writes,
            ObjectIds ids,
            CollectionUse use) {
        this.items = items;
        this.catalogue = catalogue;
        this.batches = batches;
        this.writes = writes;
        this.ids = ids;
        this.use = use;
    }

    void addTo(CommandTable table) {
        table.write(
                "bulkWrite",
                Set.of(
                        BulkOperation.FIELD,
                        "nsInfo",
                        "ordered",
                        "errorsOnly",
                        "let",
                        "bypassDocumentValidation",
                        "cursor"),
                this::bulkWrite);
    }

    private Bytes bulkWrite(CommandRequest request) {
        RunningOperations.requireAdmin(request, "bulkWrite");
        Arguments arguments = request.arguments();
        List<Namespace> namespaces = namespaces(request);
        requireWriter(request, namespaces);
        OptionalInt batchSize = Batches.size(request);
        List<BulkOperation> operations = operations(request, namespaces.size());
        Statements statements = Statements.of(request, operations.size());
        if (statements.areNumbered() && operations.stream().anyMatch(BulkOperation::isMany)) {
            throw MongoCode.INVALID_OPTIONS.failure("Cannot use retryable writes with multi=true");
        }
        // A transaction writes nothing or all, so it has no other order.
        boolean ordered = arguments.flag("ordered", true) || request.isInTransaction();
        BulkResults results =
                new BulkResults(
                        ordered,
                        arguments.flag("errorsOnly", false),
                        writes.failures(request, statements),
                        i -> namespaces.get(operations.get(i).collection()));
        new Run(request, namespaces, ordered, statements, results).all(operations);
        return batches.first(
                request,
                CURSOR,
                awaitsResults(arguments) ? results.rows() : List.of(),
                batchSize.orElse(Integer.MAX_VALUE),
                statements.addTo(results.summary()).putAll(Replies.OK).build());
    }

    /** Nobody would fetch the results of a write that is not acknowledged. */
    private static boolean awaitsResults(Arguments arguments) {
        return arguments
                .inner("writeConcern")
                .flatMap(concern -> concern.find("w"))
                .flatMap(Arguments::number)
                .filter(nodes -> nodes.signum() == 0)
                .isEmpty();
    }

    // ---- what the command says

    private static List<Namespace> namespaces(CommandRequest request) {
        List<Arguments> given = WriteBatch.elements(request, "nsInfo");
        List<Namespace> namespaces = new ArrayList<>(given.size());
        for (Arguments each : given) {
            each.allowOnly(Set.of("ns"));
            Namespace namespace = Namespace.parse(each.requiredText("ns"));
            if (request.isInTransaction()) {
                TransactionFields.requireDatabase(namespace.database());
            }
            namespaces.add(namespace);
        }
        return namespaces;
    }

    /** A key that only reads may write to none of the collections; the refusal names the first. */
    private static void requireWriter(CommandRequest request, List<Namespace> namespaces) {
        if (request.client().isReader()) {
            throw MongoCode.UNAUTHORIZED.failure(
                    "not authorized on "
                            + namespaces.stream()
                                    .findFirst()
                                    .map(Namespace::database)
                                    .orElse("admin")
                            + " to execute command bulkWrite");
        }
    }

    /** All operations are read first: one without a meaning fails the command as a whole. */
    private static List<BulkOperation> operations(CommandRequest request, int collections) {
        int count = WriteBatch.size(request, BulkOperation.FIELD);
        List<BulkOperation> operations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            BulkOperation operation = BulkOperation.read(request, i);
            if (operation.collection() >= collections) {
                throw MongoCode.BAD_VALUE.failure(
                        "BulkWrite ops entry "
                                + i
                                + " has an invalid nsInfo index. It names collection "
                                + operation.collection()
                                + ", and nsInfo has "
                                + collections);
            }
            operations.add(operation);
        }
        return operations;
    }

    // ---- what it does

    /** The operations of one command, one after the other, with inserts gathered into batches. */
    private final class Run {
        private final CommandRequest request;
        private final List<Namespace> namespaces;
        private final boolean ordered;
        private final Statements statements;
        private final BulkResults results;
        private @Nullable InsertRun inserts;
        private int insertedInto;

        Run(
                CommandRequest request,
                List<Namespace> namespaces,
                boolean ordered,
                Statements statements,
                BulkResults results) {
            this.request = request;
            this.namespaces = namespaces;
            this.ordered = ordered;
            this.statements = statements;
            this.results = results;
        }

        void all(List<BulkOperation> operations) {
            for (int at = 0; at < operations.size() && !results.isOver(); at++) {
                int i = at;
                switch (operations.get(i)) {
                    case BulkOperation.Insert insert ->
                            timed(insert, CollectionUse.Kind.INSERT, () -> insert(i, insert));
                    case BulkOperation.Update update -> {
                        flush();
                        timed(update, CollectionUse.Kind.UPDATE, () -> update(i, update));
                    }
                    case BulkOperation.Delete delete -> {
                        flush();
                        timed(delete, CollectionUse.Kind.REMOVE, () -> delete(i, delete));
                    }
                }
            }
            flush();
        }

        private void timed(BulkOperation operation, CollectionUse.Kind kind, Runnable work) {
            if (!results.isOver()) {
                long start = System.nanoTime();
                work.run();
                count(operation.collection(), kind, 1, start);
            }
        }

        private void count(int collection, CollectionUse.Kind kind, int times, long start) {
            use.add(namespaces.get(collection).toString(), kind, times, System.nanoTime() - start);
        }

        private void insert(int i, BulkOperation.Insert insert) {
            if (inserts == null || insertedInto != insert.collection()) {
                flush();
                if (results.isOver() || !begin(i, insert.collection())) {
                    return;
                }
            }
            InsertRun run = inserts;
            if (run != null) {
                run.add(i, () -> insert.document().read(run.container().container(), ids));
            }
        }

        /** Returns false if there can be no such collection. */
        private boolean begin(int i, int collection) {
            try {
                ContainerRef.Resolved container =
                        catalogue.findOrCreate(request, namespaces.get(collection));
                inserts = new InsertRun(items, request, container, ordered, statements, results);
                insertedInto = collection;
                return true;
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                results.failed(i, refused, Value.Null.NULL);
                return false;
            }
        }

        private void flush() {
            if (inserts != null) {
                long start = System.nanoTime();
                inserts.flush();
                inserts = null;
                count(insertedInto, CollectionUse.Kind.INSERT, 0, start);
            }
        }

        private void update(int i, BulkOperation.Update update) {
            UpdateStatement statement = update.statement();
            FilteredWrites.Done done;
            try {
                done =
                        writes.update(
                                request,
                                namespaces.get(update.collection()),
                                statements,
                                statement,
                                i);
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                results.updateFailed(i, refused, statement.id());
                return;
            }
            results.updated(i, done);
        }

        private void delete(int i, BulkOperation.Delete delete) {
            FilteredWrites.Done done;
            try {
                done =
                        writes.delete(
                                request,
                                namespaces.get(delete.collection()),
                                statements,
                                delete.statement(),
                                i);
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                results.failed(i, refused, Value.Null.NULL);
                return;
            }
            results.deleted(i, done);
        }
    }
}
