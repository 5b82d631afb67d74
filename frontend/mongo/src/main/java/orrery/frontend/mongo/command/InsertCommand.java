package orrery.frontend.mongo.command;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.model.Statement;
import orrery.query.mongo.MongoCode;

/** {@code insert}: as few batches of the engine as the order of the documents allows. */
final class InsertCommand {
    private final Items items;
    private final Catalogue catalogue;
    private final ObjectIds ids;

    InsertCommand(Items items, Catalogue catalogue, SecureRandom random, InstantSource clock) {
        this.items = items;
        this.catalogue = catalogue;
        this.ids = new ObjectIds(random, clock);
    }

    void addTo(CommandTable table) {
        table.write(
                "insert", Set.of("documents", "ordered", "bypassDocumentValidation"), this::insert);
    }

    private Bytes insert(CommandRequest request) {
        Namespace namespace = request.namespace();
        // Where nothing or all is written, there is no other order.
        boolean ordered = request.arguments().flag("ordered", true) || request.isInTransaction();
        int count = WriteBatch.size(request, "documents");
        Statements statements = Statements.of(request, count);
        ContainerRef.Resolved container = catalogue.findOrCreate(request, namespace);
        Run run = new Run(request, container, namespace, ordered, statements);
        for (int i = 0; i < count && !run.isOver(); i++) {
            try {
                run.add(i, document(request, i, container));
            } catch (OrreryException refused) {
                run.flush();
                if (!run.isOver()) {
                    run.fail(i, refused, Value.Null.NULL);
                }
            }
        }
        run.flush();
        return statements.addTo(run.errors.addTo(new Doc().putCount("n", run.inserted))).ok();
    }

    private NewDocument document(CommandRequest request, int i, ContainerRef.Resolved container) {
        List<Bytes> raw = request.sequences().get("documents");
        if (raw != null) {
            return NewDocument.read(raw.get(i), container.container(), ids);
        }
        Value element = request.arguments().array("documents").orElseThrow().get(i);
        if (element instanceof Value.Obj document) {
            return NewDocument.of(document, container.container(), ids);
        }
        throw MongoCode.TYPE_MISMATCH.failure(
                "BSON field 'insert.documents." + i + "' is not an object");
    }

    /** The documents of one command, on their way in batches. */
    private final class Run {
        private final CommandRequest request;
        private final ContainerRef.Resolved container;
        private final boolean ordered;
        private final WriteErrors errors;
        private final Statements statements;
        private final List<NewDocument> waiting = new ArrayList<>();
        private final List<Integer> indexes = new ArrayList<>();
        private long waitingBytes;
        private long inserted;

        Run(
                CommandRequest request,
                ContainerRef.Resolved container,
                Namespace namespace,
                boolean ordered,
                Statements statements) {
            this.request = request;
            this.container = container;
            this.ordered = ordered;
            this.errors = new WriteErrors(request, namespace, statements);
            this.statements = statements;
        }

        /** An ordered command ends with its first failure. */
        boolean isOver() {
            return ordered && !errors.isEmpty();
        }

        void add(int index, NewDocument document) {
            long limit = SizeLimits.MONGODB.bulkBytes();
            boolean isOtherKey =
                    ordered
                            && !waiting.isEmpty()
                            && !waiting.getFirst().key().equals(document.key());
            if (waiting.size() == ItemBatch.MAX_OPERATIONS
                    || isOtherKey
                    || waitingBytes + document.length() > limit) {
                flush();
            }
            if (!isOver()) {
                waiting.add(document);
                indexes.add(index);
                waitingBytes += document.length();
            }
        }

        void flush() {
            if (waiting.isEmpty() || isOver()) {
                return;
            }
            try {
                if (waiting.size() == 1) {
                    one(0);
                } else if (ordered) {
                    allOrFirst(waiting);
                } else {
                    eachByItself();
                }
            } catch (OrreryException refused) {
                failAll(refused);
            }
            waiting.clear();
            indexes.clear();
            waitingBytes = 0;
        }

        private void one(int i) {
            ItemAnswer answer =
                    items.writeItem(
                            request.context(),
                            container,
                            create(waiting.get(i)),
                            statements.name(indexes.get(i)));
            request.charge(answer.charge());
            inserted++;
            answer.remembered().ifPresent(_ -> statements.retried(indexes.get(i)));
        }

        /** A refusal of the batch is about its first document, and in no order about all. */
        private void failAll(OrreryException refused) {
            request.charge(refused.charge());
            int count = ordered ? 1 : waiting.size();
            for (int i = 0; i < count; i++) {
                fail(indexes.get(i), refused, waiting.get(i).id());
            }
        }

        /**
         * Documents of one key are written together, which costs one entry of the log. If one is
         * refused, none has been written; then those before it are. If some were written when the
         * command came before, each tells by itself.
         */
        private void allOrFirst(List<NewDocument> documents) {
            Optional<Statement> names = statements.name(indexes.subList(0, documents.size()));
            if (names.isEmpty() && statements.areNumbered()) {
                oneByOne(documents.size());
                return;
            }
            BatchAnswer answer;
            try {
                answer =
                        items.batch(
                                request.context(),
                                container,
                                new ItemBatch.Atomic(
                                        documents.getFirst().key(),
                                        operations(documents),
                                        OptionalLong.empty(),
                                        names));
            } catch (OrreryException refused) {
                if (refused.code() != ErrorCode.STATEMENT_DONE) {
                    throw refused;
                }
                request.charge(refused.charge());
                oneByOne(documents.size());
                return;
            }
            request.charge(answer.charge());
            for (int i = 0; i < documents.size(); i++) {
                if (answer.results().get(i) instanceof BatchAnswer.Result.Refused(var failure)
                        && failure.code() != ErrorCode.FAILED_DEPENDENCY) {
                    if (i > 0 && !request.isInTransaction()) {
                        allOrFirst(List.copyOf(documents.subList(0, i)));
                    }
                    if (!isOver()) {
                        fail(indexes.get(i), failure, documents.get(i).id());
                    }
                    return;
                }
            }
            inserted += documents.size();
        }

        private void oneByOne(int count) {
            for (int i = 0; i < count && !isOver(); i++) {
                try {
                    one(i);
                } catch (OrreryException refused) {
                    request.charge(refused.charge());
                    fail(indexes.get(i), refused, waiting.get(i).id());
                }
            }
        }

        private void eachByItself() {
            BatchAnswer answer =
                    items.batch(
                            request.context(),
                            container,
                            new ItemBatch.Bulk(namedOperations(), false, true));
            request.charge(answer.charge());
            for (int i = 0; i < waiting.size(); i++) {
                switch (answer.results().get(i)) {
                    case BatchAnswer.Result.Refused(var failure) ->
                            fail(indexes.get(i), failure, waiting.get(i).id());
                    case BatchAnswer.Result.Done done -> {
                        inserted++;
                        if (done.isRemembered()) {
                            statements.retried(indexes.get(i));
                        }
                    }
                    case BatchAnswer.Result.NotModified _ -> inserted++;
                }
            }
        }

        private List<BatchOperation> namedOperations() {
            List<BatchOperation> operations = new ArrayList<>();
            for (int i = 0; i < waiting.size(); i++) {
                operations.add(
                        new BatchOperation.Write(
                                create(waiting.get(i)), statements.name(indexes.get(i))));
            }
            return operations;
        }

        private List<BatchOperation> operations(List<NewDocument> documents) {
            return documents.stream()
                    .<BatchOperation>map(document -> new BatchOperation.Write(create(document)))
                    .toList();
        }

        private ItemWrite create(NewDocument document) {
            return new ItemWrite.Create(document.body(), Optional.of(document.key()));
        }

        void fail(int index, OrreryException failure, Value id) {
            errors.add(index, failure, id);
        }
    }
}
