package orrery.frontend.mongo.command;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FoundStatement;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.Statement;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.query.mongo.MongoCode;

/**
 * The transactions of sessions. This node keeps what the operations of an open one have written,
 * and partitions know nothing of it until its commit; so one that is aborted, forgotten or too old
 * leaves nothing. Whether one was committed is remembered by the partition for half an hour; what
 * is kept here spares to ask. Thread-safe.
 */
final class Transactions {
    /** The lifetime that servers give a transaction. */
    private static final Duration LIFETIME = Duration.ofSeconds(60);

    /** Open transactions; of more, the oldest is aborted. */
    private static final int MOST_OPEN = 10_000;

    /** Transactions whose end is remembered; of more, the oldest is forgotten. */
    private static final int MOST_ENDED = 10_000;

    private final Items items;
    private final Catalogue catalogue;
    private final Cursors cursors;
    private final LongSupplier nanos;

    /** By session, in the order of their starts. */
    private final Map<Bytes, OpenTransaction> open = new LinkedHashMap<>();

    /** The last transaction of each session that has ended. */
    private final Map<Bytes, Ended> ended =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Bytes, Ended> eldest) {
                    return size() > MOST_ENDED;
                }
            };

    private record Ended(long number, boolean isCommitted) {}

    /**
     * @param nanos the clock of deadlines
     */
    Transactions(Items items, Catalogue catalogue, Cursors cursors, LongSupplier nanos) {
        this.items = items;
        this.catalogue = catalogue;
        this.cursors = cursors;
        this.nanos = nanos;
    }

    void addTo(CommandTable table) {
        table.write("commitTransaction", Set.of("recoveryToken"), this::commit)
                .write("abortTransaction", Set.of("recoveryToken"), this::abort);
    }

    /** Runs a command, in its transaction if it is an operation of one. */
    Bytes run(CommandRequest request, Command.Body body) {
        Optional<TransactionFields> fields = request.transaction();
        if (fields.isEmpty()) {
            request.arguments()
                    .whole("txnNumber")
                    .ifPresent(
                            number -> supersede(Statements.sessionId(request.arguments()), number));
            return body.run(request);
        }
        if (TransactionFields.ENDS.contains(request.name())) {
            return body.run(request);
        }
        OpenTransaction transaction =
                fields.get().starts() ? begin(fields.get()) : find(fields.get());
        transaction.enter(request.context());
        try {
            requireOpen(transaction);
            request.join(transaction);
            Bytes answer = body.run(request);
            transaction.proceed(request.openedCursors());
            requireOpen(transaction);
            return answer;
        } catch (RuntimeException failed) {
            boolean isOver = transaction.isOver(nanos.getAsLong());
            end(transaction, false);
            throw isOver ? aborted(transaction.number()) : failed;
        } finally {
            transaction.leave();
        }
    }

    // ---- what there is

    private synchronized OpenTransaction begin(TransactionFields fields) {
        supersede(fields.session(), fields.number());
        long newest = newest(fields);
        if (newest == fields.number()) {
            throw MongoCode.failure(
                    50911,
                    "Cannot start a transaction at given transaction number "
                            + newest
                            + ", because the session has a transaction of this number.");
        }
        long now = nanos.getAsLong();
        forgetOld(now);
        OpenTransaction begun =
                new OpenTransaction(fields.session(), fields.number(), now + LIFETIME.toNanos());
        open.put(fields.session(), begun);
        return begun;
    }

    /** Returns the number of the session's last transaction; throws if it is a later one. */
    private long newest(TransactionFields fields) {
        OpenTransaction present = open.get(fields.session());
        Ended before = ended.get(fields.session());
        long newest =
                Math.max(
                        present == null ? -1 : present.number(),
                        before == null ? -1 : before.number());
        if (newest > fields.number()) {
            throw tooOld(fields.number(), newest);
        }
        return newest;
    }

    /** Aborts an older transaction of a session that goes on with another number. */
    private synchronized void supersede(Bytes session, long number) {
        OpenTransaction present = open.get(session);
        if (present != null && present.number() < number) {
            end(present, false);
        }
    }

    private void forgetOld(long now) {
        Iterator<OpenTransaction> oldest = List.copyOf(open.values()).iterator();
        while (oldest.hasNext()) {
            OpenTransaction transaction = oldest.next();
            if (!transaction.isOver(now) && open.size() < MOST_OPEN) {
                return;
            }
            end(transaction, false);
        }
    }

    /** Returns an open transaction, or says why there is none. */
    private synchronized OpenTransaction find(TransactionFields fields) {
        long newest = newest(fields);
        OpenTransaction present = open.get(fields.session());
        if (present != null && present.number() == fields.number()) {
            if (present.isInDoubt()) {
                throw committed(fields.number());
            }
            return present;
        }
        Ended before = ended.get(fields.session());
        if (before != null && before.number() == fields.number()) {
            throw before.isCommitted() ? committed(fields.number()) : aborted(fields.number());
        }
        throw noSuch(fields.number(), newest);
    }

    private void requireOpen(OpenTransaction transaction) {
        if (transaction.isClosed() || transaction.isOver(nanos.getAsLong())) {
            throw aborted(transaction.number());
        }
    }

    private synchronized void end(OpenTransaction transaction, boolean isCommitted) {
        if (open.remove(transaction.session(), transaction)) {
            ended.remove(transaction.session());
            // Only the partition knows what became of a commit that nobody has heard of.
            if (isCommitted || !transaction.isInDoubt()) {
                ended.put(transaction.session(), new Ended(transaction.number(), isCommitted));
            }
            transaction.close().forEach(cursors::kill);
        }
    }

    /** Aborts the transaction of a session that has ended. */
    synchronized void endSession(Bytes session) {
        OpenTransaction present = open.get(session);
        if (present != null) {
            end(present, false);
        }
    }

    synchronized void endAll() {
        List.copyOf(open.values()).forEach(transaction -> end(transaction, false));
    }

    // ---- the ends

    private static TransactionFields required(CommandRequest request) {
        RunningOperations.requireAdmin(request, request.name());
        return request.transaction()
                .orElseThrow(
                        () ->
                                MongoCode.failure(
                                        125, request.name() + " must be run within a transaction"));
    }

    private Bytes commit(CommandRequest request) {
        TransactionFields fields = required(request);
        Statement statement = Statement.of(fields.session(), fields.number(), 0).sought();
        Optional<OpenTransaction> present = toCommit(fields);
        if (present.isEmpty()) {
            if (!wasCommitted(request, fields, statement)) {
                throw noSuch(fields.number(), -1);
            }
            return new Doc().ok();
        }
        OpenTransaction transaction = present.get();
        transaction.enter(request.context());
        try {
            if (!transaction.isInDoubt()) {
                requireOpen(transaction);
            }
            commit(request, transaction, statement);
            return new Doc().ok();
        } finally {
            transaction.leave();
        }
    }

    /** Returns an open transaction; empty if another life of this node may have known it. */
    private synchronized Optional<OpenTransaction> toCommit(TransactionFields fields) {
        newest(fields);
        OpenTransaction present = open.get(fields.session());
        if (present != null && present.number() == fields.number()) {
            return Optional.of(present);
        }
        Ended before = ended.get(fields.session());
        if (before != null && before.number() == fields.number() && !before.isCommitted()) {
            throw aborted(fields.number());
        }
        return Optional.empty();
    }

    private void commit(CommandRequest request, OpenTransaction transaction, Statement statement) {
        try {
            request.charge(items.commit(request.context(), transaction.work(), statement).charge());
            end(transaction, true);
        } catch (OrreryException refused) {
            request.charge(refused.charge());
            if (isOpen(refused)) {
                transaction.isInDoubt(true);
            } else {
                end(transaction, false);
            }
            throw refused;
        }
    }

    /** Returns true if the writes may be made, or may be made yet: the client asks again. */
    private static boolean isOpen(OrreryException refused) {
        return switch (refused.code()) {
            case TIMEOUT, INTERNAL -> true;
            default -> refused.code().isOfRate() || MongoFailure.of(refused).isRetryable();
        };
    }

    private boolean wasCommitted(
            CommandRequest request, TransactionFields fields, Statement statement) {
        synchronized (this) {
            Ended before = ended.get(fields.session());
            if (before != null && before.number() == fields.number()) {
                return before.isCommitted();
            }
        }
        for (Database database : catalogue.databases(request.context())) {
            for (Container container : catalogue.collections(request.context(), database.name())) {
                if (isRemembered(
                        request, new Namespace(database.name(), container.name()), statement)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Asks the partitions of a collection, which remember what was committed for half an hour. */
    private boolean isRemembered(CommandRequest request, Namespace namespace, Statement statement) {
        Optional<ContainerRef.Resolved> container = catalogue.find(request.context(), namespace);
        if (container.isEmpty()) {
            return false;
        }
        FoundStatement found = items.findStatement(request.context(), container.get(), statement);
        request.charge(found.charge());
        return found.answer().isPresent();
    }

    private Bytes abort(CommandRequest request) {
        TransactionFields fields = required(request);
        OpenTransaction transaction = find(fields);
        end(transaction, false);
        return new Doc().ok();
    }

    // ---- refusals

    private static OrreryException aborted(long number) {
        return MongoCode.NO_SUCH_TRANSACTION.failure(
                "Transaction with { txnNumber: " + number + " } has been aborted.");
    }

    private static OrreryException committed(long number) {
        return MongoCode.TRANSACTION_COMMITTED.failure(
                "Transaction with { txnNumber: " + number + " } has been committed.");
    }

    private static OrreryException noSuch(long number, long active) {
        return MongoCode.NO_SUCH_TRANSACTION.failure(
                "Given transaction number "
                        + number
                        + " does not match any in-progress transactions. The active transaction"
                        + " number is "
                        + active);
    }

    private static OrreryException tooOld(long number, long newest) {
        return MongoCode.TRANSACTION_TOO_OLD.failure(
                "Cannot start or continue transaction "
                        + number
                        + ", because the session has started transaction "
                        + newest
                        + " since.");
    }
}
