package orrery.frontend.mongo.command;

import java.util.ArrayList;
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

/** The commands that are being answered at this moment, which others may look at and end. */
final class RunningOperations {
    private final Map<Integer, Operation> running = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final LongSupplier nanos;

    RunningOperations(LongSupplier nanos) {
        this.nanos = nanos;
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

        private Value.Obj describe() {
            long micros = (nanos.getAsLong() - startedAt) / 1000;
            return new Doc()
                    .put("type", "op")
                    .put("opid", number)
                    .put("active", true)
                    .putInt64("microsecs_running", micros)
                    .putInt64("secs_running", micros / 1_000_000)
                    .put("op", "command")
                    .put("ns", request.database() + ".$cmd")
                    .put("command", new Doc().put(request.name(), request.first()))
                    .put("connectionId", request.client().connectionId())
                    .build();
        }
    }

    Operation begin(CommandRequest request) {
        Operation operation = new Operation(request);
        running.put(operation.number, operation);
        return operation;
    }

    void addTo(CommandTable table) {
        table.read("currentOp", Set.of("$all", "$ownOps", "$truncateOps"), this::list)
                .write("killOp", Set.of("op"), this::kill);
    }

    private Bytes list(CommandRequest request) {
        List<Value> all = new ArrayList<>();
        running.values().forEach(operation -> all.add(operation.describe()));
        return new Doc().put("inprog", all).ok();
    }

    /** An operation that has ended meanwhile is no failure, as servers have it. */
    private Bytes kill(CommandRequest request) {
        long number =
                request.arguments()
                        .whole("op")
                        .orElseThrow(
                                () ->
                                        MongoCode.NO_SUCH_KEY.failure(
                                                "Missing expected field \"op\""));
        Operation operation = running.get((int) number);
        if (operation != null && operation.cancellation != Cancellation.NEVER) {
            operation.isKilled = true;
            operation.cancellation.cancel();
        }
        return new Doc().put("info", "attempting to kill op").ok();
    }
}
