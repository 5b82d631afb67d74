package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/** The commands that are being answered at this moment, which others may look at and end. */
final class RunningOperations {
    private final Map<Integer, Operation> running = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final LongSupplier nanos;
    private final InstantSource clock;

    /**
     * @param clock for conditions that ask for the time
     */
    RunningOperations(LongSupplier nanos, InstantSource clock) {
        this.nanos = nanos;
        this.clock = clock;
    }

    /** One of them. Closing it takes it off the list. */
    final class Operation implements AutoCloseable {
        private final int number = numbers.incrementAndGet();
        private final CommandRequest request;
        private final Cancellation cancellation = Cancellation.current();
        private final long startedAt = nanos.getAsLong();
        private volatile boolean isKilled;

        Operation(CommandRequest request) {
            this.request = request;
        }

        /** Returns true if somebody has ended it by its number. */
        boolean isKilled() {
            return isKilled;
        }

        @Override
        public void close() {
            running.remove(number);
        }

        private void kill() {
            if (cancellation != Cancellation.NEVER) {
                isKilled = true;
                cancellation.cancel();
            }
        }

        /** The word that servers have for the command. */
        private String kind() {
            return switch (request.name()) {
                case "find" -> "query";
                case "getMore" -> "getmore";
                case "insert", "update" -> request.name();
                case "delete" -> "remove";
                default -> "command";
            };
        }

        /** The collection by which the command names itself, or the one that servers tell then. */
        private String collection() {
            Value named =
                    request.name().equals("getMore")
                            ? request.arguments().find("collection").orElse(request.first())
                            : request.first();
            return named instanceof Value.Text(String name) ? name : "$cmd";
        }

        private Value.Obj describe() {
            long micros = (nanos.getAsLong() - startedAt) / 1000;
            Doc command = new Doc().put(request.name(), request.first());
            request.arguments().find("comment").ifPresent(text -> command.put("comment", text));
            return new Doc()
                    .put("type", "op")
                    .put("opid", number)
                    .put("active", true)
                    .putInt64("microsecs_running", micros)
                    .putInt64("secs_running", micros / 1_000_000)
                    .put("op", kind())
                    .put("ns", request.database() + "." + collection())
                    .put("command", command)
                    .put("connectionId", request.client().connectionId())
                    .build();
        }
    }

    Operation begin(CommandRequest request) {
        Operation operation = new Operation(request);
        running.put(operation.number, operation);
        return operation;
    }

    int count() {
        return running.size();
    }

    void addTo(CommandTable table) {
        table.readAny("currentOp", this::list).write("killOp", Set.of("op"), this::kill);
    }

    /** The fields of the command that are no options are conditions on operations. */
    private Bytes list(CommandRequest request) {
        requireAdmin(request, "currentOp");
        Map<String, Value> filter = new LinkedHashMap<>(request.arguments().properties());
        filter.keySet().removeIf(name -> name.startsWith("$") || Arguments.isCommon(name));
        filter.remove("currentOp");
        Matcher matcher = Matcher.compile(new Value.Obj(filter), MatchContext.of(clock.instant()));
        return new Doc().put("inprog", described().stream().filter(matcher::matches).toList()).ok();
    }

    /** All operations as documents. */
    List<Value.Obj> described() {
        return running.values().stream().map(Operation::describe).toList();
    }

    static void requireAdmin(CommandRequest request, String command) {
        if (!request.database().equals("admin")) {
            throw MongoCode.UNAUTHORIZED.failure(
                    command + " may only be run against the admin database.");
        }
    }

    /** Ends what runs in a session. */
    void killSession(Bytes session) {
        running.values().stream()
                .filter(
                        operation ->
                                operation.request.session().filter(session::equals).isPresent())
                .forEach(Operation::kill);
    }

    /** An operation that has ended meanwhile is no failure, as servers have it. */
    private Bytes kill(CommandRequest request) {
        requireAdmin(request, "killOp");
        long number =
                request.arguments()
                        .whole("op")
                        .orElseThrow(
                                () ->
                                        MongoCode.NO_SUCH_KEY.failure(
                                                "Missing expected field \"op\""));
        Operation operation = running.get((int) number);
        if (operation != null && operation.number == number) {
            operation.kill();
        }
        return new Doc().put("info", "attempting to kill op").ok();
    }
}
