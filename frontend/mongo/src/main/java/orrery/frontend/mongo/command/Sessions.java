package orrery.frontend.mongo.command;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/**
 * Logical sessions. A driver invents their ids, so nothing has to be kept of one but what belongs
 * to it: its cursors, its transaction, and the cost of its last command. The history of retryable
 * writes lies with the items.
 */
final class Sessions {
    static final Duration TIMEOUT = Duration.ofMinutes(30);

    /** Sessions whose last cost is remembered; of more the oldest is forgotten. */
    private static final int REMEMBERED = 10_000;

    private final Cursors cursors;
    private final RunningOperations operations;
    private final Transactions transactions;
    private final LocalSessions local;
    private final String user;
    private final Map<Bytes, RequestStatistics> costs =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Bytes, RequestStatistics> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /**
     * @param user the one that all clients log in as
     */
    Sessions(
            Cursors cursors,
            RunningOperations operations,
            Transactions transactions,
            LocalSessions local,
            String user) {
        this.cursors = cursors;
        this.operations = operations;
        this.transactions = transactions;
        this.local = local;
        this.user = user;
    }

    void addTo(CommandTable table) {
        table.read("startSession", Set.of(), request -> start())
                .read("refreshSessions", Set.of(), this::refresh)
                .open("endSessions", Set.of(), this::end)
                .read("killSessions", Set.of(), this::kill)
                .read("killAllSessions", Set.of(), this::killAll)
                .read("killAllSessionsByPattern", Set.of(), this::killByPattern)
                .read("getLastRequestStatistics", Set.of(), this::lastCost);
    }

    private Bytes start() {
        UUID id = UUID.randomUUID();
        byte[] bytes =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
        local.use(Bytes.wrap(bytes));
        return new Doc()
                .put("id", new Doc().put("id", new BsonValue.Binary(4, Bytes.wrap(bytes))))
                .put("timeoutMinutes", (int) TIMEOUT.toMinutes())
                .ok();
    }

    private Bytes refresh(CommandRequest request) {
        ids(request).forEach(local::use);
        return new Doc().ok();
    }

    private Bytes end(CommandRequest request) {
        for (Bytes session : ids(request)) {
            endSession(session);
            local.end(session);
        }
        return new Doc().ok();
    }

    private Bytes kill(CommandRequest request) {
        ids(request).forEach(this::kill);
        return new Doc().ok();
    }

    private void endSession(Bytes session) {
        transactions.endSession(session);
        cursors.killSession(session);
    }

    /** An ended session keeps what runs in it, and a killed one does not. */
    private void kill(Bytes session) {
        operations.killSession(session);
        endSession(session);
    }

    private void endAll() {
        transactions.endAll();
        cursors.killAll();
    }

    private static List<Bytes> ids(CommandRequest request) {
        return documents(request).stream().map(session -> id(request, session)).toList();
    }

    private static List<Value.Obj> documents(CommandRequest request) {
        if (!(request.first() instanceof Value.Array(List<Value> elements))) {
            throw request.arguments().mismatch(request.name(), request.first(), "array");
        }
        List<Value.Obj> documents = new ArrayList<>();
        for (Value element : elements) {
            if (!(element instanceof Value.Obj document)) {
                throw request.arguments().mismatch(request.name(), element, "object");
            }
            documents.add(document);
        }
        return documents;
    }

    private static Bytes id(CommandRequest request, Value.Obj session) {
        return switch (session.properties().get("id")) {
            case BsonValue.Binary(int _, Bytes id) -> id;
            case null, default ->
                    throw MongoCode.TYPE_MISMATCH.failure(
                            "BSON field '" + request.name() + ".id' is not a UUID");
        };
    }

    /** The sessions of some users. All sessions are those of the account. */
    private Bytes killAll(CommandRequest request) {
        List<Value.Obj> users = documents(request);
        if (users.isEmpty() || users.stream().anyMatch(this::isAccount)) {
            endAll();
        }
        return new Doc().ok();
    }

    private boolean isAccount(Value.Obj who) {
        return Value.of(user).equals(who.properties().get("user"));
    }

    private Bytes killByPattern(CommandRequest request) {
        for (Value.Obj pattern : documents(request)) {
            if (pattern.properties().isEmpty()) {
                endAll();
            } else if (pattern.properties().size() == 1
                    && pattern.properties().get("lsid") instanceof Value.Obj session) {
                kill(id(request, session));
            } else {
                throw MongoCode.BAD_VALUE.failure(
                        "a pattern of killAllSessionsByPattern is supported as {} or with lsid"
                                + " only");
            }
        }
        return new Doc().ok();
    }

    /** Remembers the cost of a command, for who asks on this connection or in this session. */
    void remember(CommandRequest request, RequestStatistics cost) {
        request.client().last(cost);
        request.session()
                .ifPresent(
                        session -> {
                            synchronized (costs) {
                                costs.put(session, cost);
                            }
                        });
    }

    private Bytes lastCost(CommandRequest request) {
        Optional<RequestStatistics> ofSession =
                request.session()
                        .flatMap(
                                session -> {
                                    synchronized (costs) {
                                        return Optional.ofNullable(costs.get(session));
                                    }
                                });
        Doc reply = new Doc().put("_t", "GetRequestStatisticsResponse");
        ofSession
                .or(request.client()::last)
                .ifPresent(
                        cost ->
                                reply.put("CommandName", cost.command())
                                        .putDouble(
                                                "RequestCharge",
                                                Math.round(cost.charge() * 100) / 100.0)
                                        .putDouble("RequestDurationInMilliSeconds", cost.millis()));
        return reply.ok();
    }
}
