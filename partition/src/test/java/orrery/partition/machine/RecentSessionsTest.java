package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.Statement;
import orrery.storage.format.Keys;

class RecentSessionsTest {
    private static final int CONTAINER = 1;
    private static final EffectiveKey EPK = new EffectiveKey(Bytes.ofHex("0102"));

    private final RecentSessions sessions = new RecentSessions();

    private static Bytes key(int number) {
        return Bytes.wrap(Keys.session(CONTAINER, EPK, session(number)));
    }

    private static Bytes session(int number) {
        return Bytes.ofHex("%032x".formatted(number));
    }

    private static SessionRecord record(int number, int imageBytes) {
        return SessionRecord.of(
                1,
                Statement.of(session(number), number, 0),
                new Outcome.Rejected(ErrorCode.CONFLICT, 0, 0),
                Bytes.wrap(new byte[imageBytes]),
                Bytes.EMPTY);
    }

    private void put(int number, SessionRecord record) {
        EntryRows entry = new EntryRows();
        entry.put(key(number), record);
        sessions.add(entry);
    }

    @Test
    void hasTheLastRecordOfASession() {
        put(1, record(1, 0));
        SessionRecord second = record(2, 0);

        put(1, second);

        assertThat(sessions.find(key(1))).isEqualTo(second);
        assertThat(sessions.find(key(2))).isNull();
    }

    @Test
    void forgetsWhatIsDeleted() {
        put(1, record(1, 0));
        EntryRows entry = new EntryRows();
        entry.deleteSession(key(1));

        sessions.add(entry);

        assertThat(sessions.find(key(1))).isNull();
    }

    @Test
    void forgetsAllWhenAPartitionIsDropped() {
        put(1, record(1, 0));
        EntryRows entry = new EntryRows();
        entry.drop(CONTAINER, KeyRange.FULL);
        entry.put(key(2), record(2, 0));

        sessions.add(entry);

        assertThat(sessions.find(key(1))).isNull();
        assertThat(sessions.find(key(2))).isNotNull();
    }

    @Test
    void leavesLongRecordsToTheStore() {
        put(1, record(1, 0));

        put(1, record(2, 2000));

        assertThat(sessions.find(key(1))).isNull();
    }

    @Test
    void forgetsTheSessionThatHasNotBeenAskedForLongest() {
        put(0, record(0, 0));
        put(1, record(1, 0));
        for (int i = 2; i <= 1024; i++) {
            assertThat(sessions.find(key(0))).isNotNull();
            put(i, record(i, 0));
        }

        assertThat(sessions.find(key(0))).isNotNull();
        assertThat(sessions.find(key(1))).isNull();
    }
}
