package orrery.frontend.mongo.command;

import java.nio.ByteBuffer;
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
 * to it: its cursors, and the cost of its last command. The history of retryable writes lies with
 * the items.
 */
final class Sessions {
    private static final int TIMEOUT_MINUTES = 30;

    /** Sessions whose last cost is remembered; of more the oldest is forgotten. */
    private static final int REMEMBERED = 10_000;

    private final Cursors cursors;
    private final Map<Bytes, RequestStatistics> costs =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Bytes, RequestStatistics> eldest) {
                    return size() > REMEMBERED;
                }
            };

    Sessions(Cursors cursors) {
        this.cursors = cursors;
    }

    void addTo(CommandTable table) {
        table.read("startSession", Set.of(), request -> start())
                .read("refreshSessions", Set.of(), request -> new Doc().ok())
                .open("endSessions", Set.of(), this::end)
                .read("killSessions", Set.of(), this::end)
                .read("killAllSessions", Set.of(), this::endAll)
                .read("killAllSessionsByPattern", Set.of(), this::endAll)
                .read("getLastRequestStatistics", Set.of(), this::lastCost);
    }

    private static Bytes start() {
        UUID id = UUID.randomUUID();
        byte[] bytes =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
        return new Doc()
                .put("id", new Doc().put("id", new BsonValue.Binary(4, Bytes.wrap(bytes))))
                .put("timeoutMinutes", TIMEOUT_MINUTES)
                .ok();
    }

    private Bytes end(CommandRequest request) {
        if (request.first() instanceof Value.Array(List<Value> sessions)) {
            for (Value session : sessions) {
                if (session instanceof Value.Obj(Map<String, Value> fields)
                        && fields.get("id") instanceof BsonValue.Binary(int _, Bytes id)) {
                    cursors.killSession(id);
                }
            }
            return new Doc().ok();
        }
        throw MongoCode.TYPE_MISMATCH.failure(
                "BSON field '" + request.name() + "' is not an array of sessions");
    }

    private Bytes endAll(CommandRequest request) {
        if (request.first() instanceof Value.Array(List<Value> some) && !some.isEmpty()) {
            return end(request);
        }
        cursors.killAll();
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
