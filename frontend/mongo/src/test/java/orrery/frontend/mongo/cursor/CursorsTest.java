package orrery.frontend.mongo.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import orrery.gateway.api.FeedScope;
import orrery.model.Bytes;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

final class CursorsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Cursors cursors = new Cursors(1, new SecureRandom(), nanos::get);

    private static Cursor cursor(String session) {
        return new Cursor(
                "d.c",
                new FindStatement(FindOptions.of(FindOptions.NONE)),
                new FeedScope.Everything(),
                Optional.empty(),
                Optional.of(Bytes.ofUtf8(session)));
    }

    @Test
    void isUsedByOneAtATime() {
        Cursor cursor = cursor("s");
        long id = cursors.open(cursor);
        assertThat(cursors.take(id)).isSameAs(cursor);
        assertThatThrownBy(() -> cursors.take(id)).hasMessageContaining("is already in use");
        assertThat(cursors.release(id, cursor)).isTrue();
        assertThat(cursors.take(id)).isSameAs(cursor);
        assertThat(cursors.release(id, null)).isTrue();
        assertThat(cursors.size()).isZero();
        assertThat(cursors.release(id, cursor)).isFalse();
    }

    @Test
    void isForgottenAfterTenMinutesWithoutUse() {
        long id = cursors.open(cursor("s"));
        nanos.addAndGet(Duration.ofMinutes(10).toNanos());
        cursors.release(id, cursors.take(id));
        nanos.addAndGet(Duration.ofMinutes(10).toNanos() + 1);
        assertThatThrownBy(() -> cursors.take(id)).hasMessageContaining("not found");
        assertThat(cursors.size()).isZero();
    }

    @Test
    void endsWithItsSession() {
        long one = cursors.open(cursor("one"));
        long two = cursors.open(cursor("two"));
        cursors.killSession(Bytes.ofUtf8("one"));
        assertThat(cursors.namespace(one)).isEmpty();
        assertThat(cursors.namespace(two)).contains("d.c");
        cursors.killAll();
        assertThat(cursors.size()).isZero();
    }
}
