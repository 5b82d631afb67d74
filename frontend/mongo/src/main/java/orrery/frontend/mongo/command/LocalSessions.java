package orrery.frontend.mongo.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/**
 * The logical sessions that commands have come in lately, for who asks for a list of them: {@code
 * $listLocalSessions}. Nothing else depends on it. Thread-safe.
 */
final class LocalSessions {
    static final String STAGE = "$listLocalSessions";

    /** The most that are known; of more, those that were idle longest are forgotten. */
    private static final int MOST = 100_000;

    private static final int UUID_SUBTYPE = 4;

    private final InstantSource clock;
    private final String user;
    private final Duration timeout;

    /** The times of the last uses, in their order. */
    private final Map<Bytes, Long> lastUses = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param user the one that all clients log in as
     * @param timeout after which a session that nobody uses has ended
     */
    LocalSessions(InstantSource clock, String user, Duration timeout) {
        this.clock = clock;
        this.user = user;
        this.timeout = timeout;
    }

    /** Takes note that a session is in use. */
    synchronized void use(Bytes session) {
        long now = clock.millis();
        lastUses.put(session, now);
        Iterator<Map.Entry<Bytes, Long>> oldest = lastUses.entrySet().iterator();
        while (oldest.hasNext()) {
            long last = oldest.next().getValue();
            if (now - last <= timeout.toMillis() && lastUses.size() <= MOST) {
                return;
            }
            oldest.remove();
        }
    }

    synchronized void end(Bytes session) {
        lastUses.remove(session);
    }

    /**
     * Returns the sessions that a client asks for.
     *
     * @param isKnown whether the client has logged in; without logins there is one user without a
     *     name
     */
    List<Value.Obj> list(Value.Obj wanted, boolean isKnown) {
        Arguments options = new Arguments(STAGE, wanted);
        options.allowOnly(Set.of("allUsers", "users"));
        List<Value> users = options.array("users").orElse(List.of());
        if (options.flag("allUsers", false) && !users.isEmpty()) {
            throw MongoCode.UNSUPPORTED_FORMAT.failure(
                    STAGE + " may not specify {allUsers:true} and {users:[...]} at the same time");
        }
        boolean isMeant = options.find("users").isEmpty();
        for (Value each : users) {
            if (!(each instanceof Value.Obj(Map<String, Value> who))) {
                throw options.mismatch("users", each, "object");
            }
            isMeant |=
                    Value.of(user).equals(who.get("user"))
                            && Value.of("admin").equals(who.get("db"));
        }
        return isMeant ? all(isKnown ? user + "@admin" : "") : List.of();
    }

    private synchronized List<Value.Obj> all(String owner) {
        long now = clock.millis();
        BsonValue.Binary uid = new BsonValue.Binary(0, Bytes.wrap(sha256(owner)));
        return lastUses.entrySet().stream()
                .filter(entry -> now - entry.getValue() <= timeout.toMillis())
                .map(
                        entry -> {
                            Doc session =
                                    new Doc()
                                            .put(
                                                    "_id",
                                                    new Doc()
                                                            .put(
                                                                    "id",
                                                                    new BsonValue.Binary(
                                                                            UUID_SUBTYPE,
                                                                            entry.getKey()))
                                                            .put("uid", uid))
                                            .putDate("lastUse", entry.getValue());
                            return (owner.isEmpty() ? session : session.put("user", owner)).build();
                        })
                .toList();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
