package orrery.partition.simulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.Statement;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PurgeSessions;
import orrery.storage.format.Keys;

/** The statements that partitions should remember, computed the plain way. */
final class ModelSessions {
    /** Statements count for a minute in simulations. */
    static final long WINDOW_MILLIS = 60_000;

    private final Map<Place, Newest> newest = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();

    private record Place(int container, EffectiveKey epk, Bytes session) {}

    /** The transaction that a session has come to, and its first write. */
    private record Newest(Statement statement, long timeMillis) {}

    /** A write that was not the first of its transaction. */
    private record Row(Place place, Statement statement, long timeMillis) {}

    private static Place place(int container, EffectiveKey epk, Statement statement) {
        return new Place(container, epk, statement.session());
    }

    Optional<ErrorCode> refusal(Command.WriteItems write, long nowMillis) {
        return write.stated()
                .flatMap(
                        stated ->
                                refusal(
                                        write.partition().container(),
                                        write.anyKey(),
                                        stated.statement(),
                                        nowMillis));
    }

    private Optional<ErrorCode> refusal(
            int container, EffectiveKey epk, Statement statement, long nowMillis) {
        Place place = place(container, epk, statement);
        Newest first = newest.get(place);
        if (first == null || isOver(first.timeMillis(), nowMillis)) {
            return Optional.empty();
        }
        long transaction = first.statement().transaction();
        if (transaction != statement.transaction()) {
            return transaction > statement.transaction()
                    ? Optional.of(ErrorCode.TRANSACTION_TOO_OLD)
                    : Optional.empty();
        }
        boolean isDone =
                meets(first.statement(), statement)
                        || rows.stream()
                                .anyMatch(
                                        row ->
                                                row.place().equals(place)
                                                        && meets(row.statement(), statement)
                                                        && !isOver(row.timeMillis(), nowMillis));
        return isDone ? Optional.of(ErrorCode.STATEMENT_DONE) : Optional.empty();
    }

    private static boolean isOver(long timeMillis, long nowMillis) {
        return timeMillis + WINDOW_MILLIS <= nowMillis;
    }

    private static boolean meets(Statement one, Statement other) {
        return one.transaction() == other.transaction()
                && one.number() < other.number() + other.count()
                && other.number() < one.number() + one.count();
    }

    void keep(Command.WriteItems write, long timeMillis) {
        write.stated()
                .ifPresent(
                        stated ->
                                keep(
                                        write.partition().container(),
                                        write.anyKey(),
                                        stated.statement(),
                                        timeMillis));
    }

    private void keep(int container, EffectiveKey epk, Statement statement, long timeMillis) {
        Place place = place(container, epk, statement);
        Newest first = newest.get(place);
        if (first == null
                || isOver(first.timeMillis(), timeMillis)
                || first.statement().transaction() != statement.transaction()) {
            newest.put(place, new Newest(statement, timeMillis));
            return;
        }
        rows.removeIf(
                row ->
                        row.place().equals(place)
                                && row.statement().transaction() == statement.transaction()
                                && row.statement().number() == statement.number());
        rows.add(new Row(place, statement, timeMillis));
    }

    Outcome purge(PurgeSessions purge, PartitionModel.@Nullable Partition partition) {
        if (partition == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        long now = Math.max(partition.timeMillis, purge.stampMillis());
        int container = partition.id.container();
        newest.entrySet()
                .removeIf(
                        entry ->
                                entry.getKey().container() == container
                                        && isOver(entry.getValue().timeMillis(), now)
                                        && isNamed(purge, partition, suffix(entry.getKey())));
        rows.removeIf(
                row ->
                        row.place().container() == container
                                && isOver(row.timeMillis(), now)
                                && isNamed(purge, partition, suffix(row)));
        return new Outcome.Done();
    }

    private static boolean isNamed(
            PurgeSessions purge, PartitionModel.Partition partition, Bytes suffix) {
        return purge.rows().contains(suffix) && Keys.inRange(suffix, partition.keys);
    }

    void drop(PartitionModel.@Nullable Partition partition) {
        if (partition == null) {
            return;
        }
        int container = partition.id.container();
        KeyRange keys = partition.keys;
        newest.keySet()
                .removeIf(place -> place.container() == container && keys.contains(place.epk()));
        rows.removeIf(
                row -> row.place().container() == container && keys.contains(row.place().epk()));
    }

    /** The rows of a container, without what their keys begin with. */
    List<Bytes> suffixes(int container) {
        List<Bytes> all = new ArrayList<>();
        newest.keySet().stream()
                .filter(place -> place.container() == container)
                .map(ModelSessions::suffix)
                .forEach(all::add);
        rows.stream()
                .filter(row -> row.place().container() == container)
                .map(ModelSessions::suffix)
                .forEach(all::add);
        all.sort(null);
        return all;
    }

    private static Bytes suffix(Place place) {
        return Keys.sessionSuffix(Keys.session(place.container(), place.epk(), place.session()));
    }

    private static Bytes suffix(Row row) {
        return Keys.sessionSuffix(
                Keys.session(
                        row.place().container(),
                        row.place().epk(),
                        row.place().session(),
                        row.statement().transaction(),
                        row.statement().number()));
    }
}
