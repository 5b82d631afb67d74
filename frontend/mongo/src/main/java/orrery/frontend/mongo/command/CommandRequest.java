package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.RequestContext;
import orrery.model.metering.Charge;
import orrery.query.mongo.MongoCode;

/** One command: who sent it, to which database, and with what. Used by one thread. */
public final class CommandRequest {
    private final Client client;
    private final String name;
    private final String database;
    private final Arguments arguments;
    private final Map<String, List<Bytes>> sequences;
    private final Optional<TransactionFields> transaction;
    private final List<Long> openedCursors = new ArrayList<>();
    private RequestContext context;
    private Charge charge = Charge.NONE;

    /**
     * @param name of the command, in the spelling that the table of commands has
     * @param sequences arrays of documents that came beside the command
     * @param transaction the fields of the transaction that it is an operation or the end of
     */
    CommandRequest(
            Client client,
            String name,
            String database,
            Arguments arguments,
            Map<String, List<Bytes>> sequences,
            RequestContext context,
            Optional<TransactionFields> transaction) {
        this.client = client;
        this.name = name;
        this.database = database;
        this.arguments = arguments;
        this.sequences = new LinkedHashMap<>(sequences);
        this.context = context;
        this.transaction = transaction;
    }

    /** A command inside of this one, which has a charge of its own and may have less time. */
    CommandRequest inner(String command, Arguments inside) {
        long millis = inside.count("maxTimeMS").orElse(0);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean isSooner = millis > 0 && end - context.deadlineNanos() < 0;
        RequestContext inner =
                new RequestContext(
                        context.activityId(),
                        context.principal(),
                        context.sessionToken(),
                        context.consistency(),
                        context.terms(),
                        isSooner ? end : context.deadlineNanos());
        return new CommandRequest(
                client, command, database, inside, Map.of(), inner, Optional.empty());
    }

    /** Makes all that the command reads and writes part of a transaction. */
    void join(OpenTransaction joined) {
        context = context.within(joined.work(), joined.endNanos());
    }

    /** Returns the fields of the transaction that the command is an operation or the end of. */
    Optional<TransactionFields> transaction() {
        return transaction;
    }

    /** Returns true if what the command reads and writes is part of a transaction. */
    boolean isInTransaction() {
        return context.transaction().isPresent();
    }

    /** Takes note of a cursor that the command has opened. */
    void opened(long cursor) {
        openedCursors.add(cursor);
    }

    List<Long> openedCursors() {
        return openedCursors;
    }

    Client client() {
        return client;
    }

    String name() {
        return name;
    }

    String database() {
        return database;
    }

    Arguments arguments() {
        return arguments;
    }

    RequestContext context() {
        return context;
    }

    Map<String, List<Bytes>> sequences() {
        return sequences;
    }

    /** Returns the first field, by which the command is known. */
    Value first() {
        return arguments.properties().values().iterator().next();
    }

    /** Returns the collection that the first field names. */
    Namespace namespace() {
        return namespace(first());
    }

    Namespace namespace(Value collection) {
        if (collection instanceof Value.Text(String text)) {
            return new Namespace(database, text);
        }
        throw MongoCode.INVALID_NAMESPACE.failure(
                "collection name has invalid type " + TypeNames.of(collection));
    }

    /** Adds to what the command has cost. */
    void charge(Charge more) {
        charge = charge.plus(more);
    }

    Charge charge() {
        return charge;
    }

    /** Returns the id of the logical session, if the command has one. */
    Optional<Bytes> session() {
        return arguments
                .document("lsid")
                .map(
                        lsid ->
                                switch (lsid.properties().get("id")) {
                                    case BsonValue.Binary(int _, Bytes data) -> data;
                                    case null, default ->
                                            throw MongoCode.TYPE_MISMATCH.failure(
                                                    "BSON field 'lsid.id' is not a UUID");
                                });
    }

    /** Returns the number of a retryable write. */
    OptionalLong transactionNumber() {
        return arguments.whole("txnNumber");
    }
}
