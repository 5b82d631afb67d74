package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Statement;
import orrery.query.mongo.MongoCode;

/**
 * The numbers by which a session knows the statements of one command, and which of them were
 * carried out before. Without the number of a transaction they have none, and none within a
 * transaction of several commands, which is made at once. Used by one thread.
 */
final class Statements {
    /** The commands whose writes a driver sends again. */
    static final Set<String> COMMANDS =
            Set.of("insert", "update", "delete", "findAndModify", "bulkWrite");

    private static final String RETRIED = "retriedStmtIds";
    private static final String RETRIED_ONE = "retriedStmtId";
    private static final int UUID_SUBTYPE = 4;

    private final Optional<Session> session;
    private final List<Integer> numbers;
    private final List<Value> retried = new ArrayList<>();

    private record Session(Bytes id, long transaction) {}

    private Statements(Optional<Session> session, List<Integer> numbers) {
        this.session = session;
        this.numbers = numbers;
    }

    /** Throws if a command has the number of a transaction and must not, or not such a one. */
    static void check(Arguments command, String name) {
        if (command.find("txnNumber").isEmpty()) {
            if (command.find("stmtId").isPresent() || command.find("stmtIds").isPresent()) {
                throw MongoCode.INVALID_OPTIONS.failure(
                        "Statement ids require a transaction number to also be specified");
            }
            return;
        }
        checkNumber(command);
        if (!COMMANDS.contains(name)) {
            throw MongoCode.NOT_A_RETRYABLE_WRITE.failure(
                    "txnNumber may only be provided for multi-document transactions and retryable"
                            + " write commands. autocommit:false was not provided, and "
                            + name
                            + " is not a retryable write command.");
        }
    }

    /** Throws if the number of a transaction lacks a session or is none. */
    static void checkNumber(Arguments command) {
        if (command.find("lsid").isEmpty()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "Transaction number requires a session ID to also be specified");
        }
        if (transaction(command) < 0) {
            throw MongoCode.INVALID_OPTIONS.failure("Transaction number cannot be negative");
        }
    }

    /**
     * @param count the statements that the command has
     */
    static Statements of(CommandRequest request, int count) {
        Arguments arguments = request.arguments();
        if (arguments.find("txnNumber").isEmpty() || request.isInTransaction()) {
            return new Statements(Optional.empty(), List.of());
        }
        return new Statements(
                Optional.of(new Session(sessionId(arguments), transaction(arguments))),
                numbers(arguments, count));
    }

    static long transaction(Arguments arguments) {
        Value number = arguments.find("txnNumber").orElseThrow();
        return switch (number) {
            case BsonValue.Int64(long value) -> value;
            // One that needs more than 32 bits.
            case Value.Int(long value) when value != (int) value -> value;
            default ->
                    throw new Arguments("OperationSessionInfo", arguments.fields())
                            .mismatch("txnNumber", number, "long");
        };
    }

    static Bytes sessionId(Arguments arguments) {
        Arguments session = arguments.inner("lsid").orElseThrow();
        if (session.find("id").orElseThrow(() -> session.missing("id"))
                        instanceof BsonValue.Binary(int subtype, Bytes id)
                && subtype == UUID_SUBTYPE
                && id.length() == Statement.SESSION_BYTES) {
            return id;
        }
        throw MongoCode.INVALID_UUID.failure(
                "uuid must be a 16-byte binary field with UUID (4) subtype");
    }

    /**
     * The numbers that the client gives, or counted from the first, which is 0 if it gives none.
     */
    private static List<Integer> numbers(Arguments arguments, int count) {
        OptionalLong first = arguments.whole("stmtId");
        Optional<List<Value>> given = arguments.array("stmtIds");
        if (first.isPresent() && given.isPresent()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "May not specify both stmtId and stmtIds in write command");
        }
        List<Integer> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(given.isPresent() ? i : number(first.orElse(0) + i));
        }
        if (given.isPresent()) {
            numbers.clear();
            for (Value each : given.get()) {
                numbers.add(
                        number(
                                Arguments.number(each)
                                        .orElseThrow(
                                                () -> arguments.mismatch("stmtIds", each, "int"))
                                        .longValue()));
            }
            if (numbers.size() != count) {
                throw MongoCode.INVALID_LENGTH.failure(
                        "Number of statement ids must match the number of batch entries. Got "
                                + numbers.size()
                                + " statement ids but "
                                + count
                                + " batch entries.");
            }
        }
        return numbers;
    }

    private static int number(long value) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw MongoCode.INVALID_OPTIONS.failure("a statement id has 31 bits, got " + value);
        }
        return (int) value;
    }

    /** Returns true if an answer to a command tells of statements that were carried out before. */
    static boolean wereRetried(Bytes answer) {
        Set<String> fields = BsonCodec.read(answer).properties().keySet();
        return fields.contains(RETRIED) || fields.contains(RETRIED_ONE);
    }

    /** Returns true if the session may send the command again. */
    boolean areNumbered() {
        return session.isPresent();
    }

    /** Returns the name of one statement. */
    Optional<Statement> name(int i) {
        return session.map(of -> Statement.of(of.id(), of.transaction(), numbers.get(i)));
    }

    /** Returns one name for several statements; empty if their numbers do not follow each other. */
    Optional<Statement> name(List<Integer> indexes) {
        int first = session.isPresent() ? numbers.get(indexes.getFirst()) : 0;
        for (int i = 0; session.isPresent() && i < indexes.size(); i++) {
            if (numbers.get(indexes.get(i)) != first + i) {
                return Optional.empty();
            }
        }
        return session.map(
                of -> new Statement(of.id(), of.transaction(), first, indexes.size(), false));
    }

    /** Takes note that a statement was carried out before. */
    void retried(int i) {
        retried.add(Value.of(numbers.get(i)));
    }

    /** Adds the numbers of the statements that were carried out before. */
    Doc addTo(Doc reply) {
        return retried.isEmpty() ? reply : reply.put(RETRIED, retried);
    }

    /** Adds the number of the only statement, if it was carried out before. */
    Doc addOneTo(Doc reply) {
        return retried.isEmpty() ? reply : reply.put(RETRIED_ONE, retried.getFirst());
    }
}
