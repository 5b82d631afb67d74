package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.Statement;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/**
 * The memory of one session under an effective key: the statements that were carried out. The
 * newest transaction has one row, which holds its first write and is overwritten by the next
 * transaction; the writes behind the first have rows of their own. The row of the newest is read
 * once, when this is made: it serves one write.
 */
public final class SessionMemory {
    private static final int PLACE_VERSION = 1;

    private final Rows rows;
    private final int container;
    private final EffectiveKey epk;
    private final Bytes session;
    private final long windowMillis;

    /** The first write of the newest transaction, even where it no longer counts. */
    private final @Nullable SessionRecord first;

    /** The rows of sessions, in a store or in the entry that is being applied. */
    interface Rows {
        @Nullable SessionRecord session(Bytes key);

        /** The records with {@code from <= key < to}. */
        List<SessionRecord> sessions(byte[] from, byte[] to);
    }

    /** The state of a statement. */
    public sealed interface Known {
        /** It may be carried out. */
        record Nothing() implements Known {}

        /** The session has gone on. */
        record TooOld() implements Known {}

        record Done(SessionRecord record) implements Known {}
    }

    private SessionMemory(
            Rows rows, int container, EffectiveKey epk, Bytes session, long windowMillis) {
        this.rows = rows;
        this.container = container;
        this.epk = epk;
        this.session = session;
        this.windowMillis = windowMillis;
        this.first = rows.session(newestKey());
    }

    static SessionMemory of(EntryOverlay overlay, int container, EffectiveKey epk, Bytes session) {
        return new SessionMemory(
                overlay.sessions(), container, epk, session, overlay.level().sessionMillis());
    }

    /** Reads a store or a snapshot; a write that is on its way is not there yet. */
    public static SessionMemory of(StoreView view, int container, EffectiveKey epk, Bytes session) {
        return new SessionMemory(
                new Stored(view), container, epk, session, Level.NEWEST.sessionMillis());
    }

    /**
     * The key under which a statement wrote that is sought. The row may be older than what became
     * of the key, so it has to be looked for there.
     */
    public static Optional<EffectiveKey> place(StoreView view, int container, Statement statement) {
        byte[] row =
                view.get(
                        Table.META,
                        Keys.sessionPlace(
                                container,
                                statement.session(),
                                statement.transaction(),
                                statement.number()));
        if (row == null) {
            return Optional.empty();
        }
        BinaryReader in = new BinaryReader(row);
        if (in.u8() != PLACE_VERSION) {
            throw new MalformedRecordException("unknown version of the place of a statement");
        }
        return Optional.of(new EffectiveKey(in.bytes()));
    }

    /** Returns true if a record of that time no longer counts. */
    public static boolean isOver(long recordMillis, long nowMillis) {
        return isOver(recordMillis, nowMillis, Level.NEWEST.sessionMillis());
    }

    static boolean isOver(long recordMillis, long nowMillis, long windowMillis) {
        return recordMillis + windowMillis <= nowMillis;
    }

    /** Looks for a statement of the session. */
    public Known find(Statement statement, long nowMillis) {
        SessionRecord newest = newest(nowMillis);
        if (newest == null || newest.transaction() < statement.transaction()) {
            return new Known.Nothing();
        }
        if (newest.transaction() > statement.transaction()) {
            return new Known.TooOld();
        }
        if (newest.has(statement)) {
            return new Known.Done(newest);
        }
        // A write of several statements lies under the number of its first.
        int from = Math.max(0, statement.number() - Statement.MAX_COUNT + 1);
        return rows
                .sessions(
                        key(statement, from),
                        key(statement, statement.number() + statement.count()))
                .stream()
                .filter(record -> record.has(statement))
                .filter(record -> !isOver(record.timeMillis(), nowMillis, windowMillis))
                .findFirst()
                .<Known>map(Known.Done::new)
                .orElseGet(Known.Nothing::new);
    }

    private @Nullable SessionRecord newest(long nowMillis) {
        return first == null || isOver(first.timeMillis(), nowMillis, windowMillis) ? null : first;
    }

    /** Remembers a write of the session that {@link #find} knew nothing of. */
    void keep(EntryOverlay overlay, Statement statement, SessionRecord record) {
        SessionRecord newest = newest(record.timeMillis());
        boolean isFirst = newest == null || newest.transaction() != statement.transaction();
        if (isFirst && first != null) {
            first.place(container).ifPresent(place -> overlay.batch().delete(Table.META, place));
        }
        overlay.putSession(
                isFirst ? newestKey() : Bytes.wrap(key(statement, statement.number())), record);
        record.place(container)
                .ifPresent(
                        place ->
                                overlay.batch()
                                        .put(
                                                Table.META,
                                                place,
                                                new BinaryWriter(32)
                                                        .u8(PLACE_VERSION)
                                                        .bytes(epk.bytes())
                                                        .toArray()));
    }

    private Bytes newestKey() {
        return Bytes.wrap(Keys.session(container, epk, session));
    }

    private byte[] key(Statement statement, int number) {
        return Keys.session(container, epk, session, statement.transaction(), number);
    }

    private record Stored(StoreView view) implements Rows {
        @Override
        public @Nullable SessionRecord session(Bytes key) {
            byte[] row = view.get(Table.META, key.unsafeArray());
            return row == null ? null : SessionRecord.decode(row);
        }

        @Override
        public List<SessionRecord> sessions(byte[] from, byte[] to) {
            List<SessionRecord> found = new ArrayList<>();
            try (Cursor cursor = view.scan(Table.META, from, to)) {
                while (cursor.next()) {
                    found.add(SessionRecord.decode(cursor.value()));
                }
            }
            return found;
        }
    }
}
