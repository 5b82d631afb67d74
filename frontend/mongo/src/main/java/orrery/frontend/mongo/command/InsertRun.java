package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.model.Statement;

/**
 * Documents of one command on their way into one collection, in as few batches of the engine as
 * their order allows. Used by one thread.
 */
final class InsertRun {
    private final Items items;
    private final CommandRequest request;
    private final ContainerRef.Resolved container;
    private final boolean ordered;
    private final Statements statements;
    private final WriteOutcomes outcomes;
    private final List<NewDocument> waiting = new ArrayList<>();
    private final List<Integer> indexes = new ArrayList<>();
    private long waitingBytes;

    /**
     * @param ordered whether each document is written before the next
     * @param statements of the command
     */
    InsertRun(
            Items items,
            CommandRequest request,
            ContainerRef.Resolved container,
            boolean ordered,
            Statements statements,
            WriteOutcomes outcomes) {
        this.items = items;
        this.request = request;
        this.container = container;
        this.ordered = ordered;
        this.statements = statements;
        this.outcomes = outcomes;
    }

    ContainerRef.Resolved container() {
        return container;
    }

    /**
     * Takes a document. What comes before one that has no meaning is written first.
     *
     * @param index its position in the command
     */
    void add(int index, Supplier<NewDocument> document) {
        NewDocument made;
        try {
            made = document.get();
        } catch (OrreryException refused) {
            flush();
            if (!outcomes.isOver()) {
                outcomes.failed(index, refused, Value.Null.NULL);
            }
            return;
        }
        add(index, made);
    }

    private void add(int index, NewDocument document) {
        long limit = SizeLimits.MONGODB.bulkBytes();
        boolean isOtherKey =
                ordered && !waiting.isEmpty() && !waiting.getFirst().key().equals(document.key());
        if (waiting.size() == ItemBatch.MAX_OPERATIONS
                || isOtherKey
                || waitingBytes + document.length() > limit) {
            flush();
        }
        if (!outcomes.isOver()) {
            waiting.add(document);
            indexes.add(index);
            waitingBytes += document.length();
        }
    }

    /** Writes all that waits. */
    void flush() {
        if (waiting.isEmpty() || outcomes.isOver()) {
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
        outcomes.inserted(indexes.get(i));
        answer.remembered().ifPresent(_ -> statements.retried(indexes.get(i)));
    }

    /** A refusal of the batch is about its first document, and in no order about all. */
    private void failAll(OrreryException refused) {
        request.charge(refused.charge());
        int count = ordered ? 1 : waiting.size();
        for (int i = 0; i < count; i++) {
            fail(i, refused);
        }
    }

    private void fail(int i, OrreryException failure) {
        outcomes.failed(indexes.get(i), failure, waiting.get(i).id());
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
                if (!outcomes.isOver()) {
                    fail(i, failure);
                }
                return;
            }
        }
        indexes.subList(0, documents.size()).forEach(outcomes::inserted);
    }

    private void oneByOne(int count) {
        for (int i = 0; i < count && !outcomes.isOver(); i++) {
            try {
                one(i);
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                fail(i, refused);
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
                case BatchAnswer.Result.Refused(var failure) -> fail(i, failure);
                case BatchAnswer.Result.Done done -> {
                    outcomes.inserted(indexes.get(i));
                    if (done.isRemembered()) {
                        statements.retried(indexes.get(i));
                    }
                }
                case BatchAnswer.Result.NotModified _ -> outcomes.inserted(indexes.get(i));
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

    private static List<BatchOperation> operations(List<NewDocument> documents) {
        return documents.stream()
                .<BatchOperation>map(document -> new BatchOperation.Write(create(document)))
                .toList();
    }

    private static ItemWrite create(NewDocument document) {
        return new ItemWrite.Create(document.body(), Optional.of(document.key()));
    }
}
