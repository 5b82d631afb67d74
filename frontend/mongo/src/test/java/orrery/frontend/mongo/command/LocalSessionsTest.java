package orrery.frontend.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.expression.ValueText;

final class LocalSessionsTest {
    private static final Value.Obj MINE = new Doc().build();

    private final AtomicLong millis = new AtomicLong(1_000);
    private final LocalSessions sessions =
            new LocalSessions(
                    () -> Instant.ofEpochMilli(millis.get()), "user", Duration.ofMinutes(30));

    private static Bytes session(int number) {
        byte[] id = new byte[16];
        id[0] = (byte) (number >> 16);
        id[1] = (byte) (number >> 8);
        id[2] = (byte) number;
        return Bytes.wrap(id);
    }

    @Test
    void forgetsWhatNobodyUses() {
        sessions.use(session(1));
        millis.addAndGet(Duration.ofMinutes(20).toMillis());
        sessions.use(session(2));
        assertThat(sessions.list(MINE, true)).hasSize(2);
        millis.addAndGet(Duration.ofMinutes(20).toMillis());
        assertThat(sessions.list(MINE, true)).hasSize(1);
        sessions.use(session(1));
        assertThat(sessions.list(MINE, true)).hasSize(2);
    }

    @Test
    void keepsABoundedNumber() {
        for (int i = 0; i < 100_010; i++) {
            sessions.use(session(i));
        }
        assertThat(sessions.list(MINE, true)).hasSize(100_000);
    }

    /** The owner is known by a hash of its name; without logins nobody has one. */
    @Test
    void tellsWhoOwnsASession() {
        sessions.use(session(1));
        assertThat(ValueText.of(sessions.list(MINE, true).getFirst()))
                .contains("user: \"user@admin\"")
                .contains("lastUse: new Date(1000)");
        assertThat(sessions.list(MINE, false).getFirst().properties()).doesNotContainKey("user");
    }
}
