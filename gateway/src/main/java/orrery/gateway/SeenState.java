package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.model.KeyRange;
import orrery.query.evaluate.ValueHash;

/**
 * The results that an answer without duplicates has given. It may have to be found out again: then
 * some ranges of keys are left, up to where the answer had come in each.
 */
final class SeenState implements KeptState {
    /** The number of hashes that a continuation has room for. */
    private static final int CARRIED = 24;

    /**
     * A range of keys whose results were given.
     *
     * @param from how far it has been read again
     * @param until how far the answer had come
     */
    record Again(KeyRange keys, QueryToken.Place from, QueryToken.Place until) {}

    private final SeenResults seen = new SeenResults();
    private List<Again> left;
    private long given;

    /** It cannot go back below this: those results were found out all at once. */
    private final long least;

    SeenState(long given, List<Again> left) {
        this.given = given;
        this.least = given;
        this.left = new ArrayList<>(left);
    }

    /**
     * Returns what was given before a place: as the token says, or as was kept, or to be found out.
     *
     * @param before the ranges of keys in which it would be found
     */
    static SeenState at(QueryToken start, Optional<SeenState> kept, Supplier<List<Again>> before) {
        if (start.isStart()) {
            return new SeenState(0, List.of());
        }
        if (start.seen().isPresent()) {
            SeenState state = new SeenState(start.given(), List.of());
            start.seen().get().forEach(hash -> state.seen.add(hash, 0));
            return state;
        }
        return kept.filter(state -> state.isBackAt(start.given()))
                .orElseGet(() -> new SeenState(start.given(), before.get()));
    }

    /** Returns the ranges that are still to be read again. */
    List<Again> left() {
        return left;
    }

    void leave(List<Again> ranges) {
        left = new ArrayList<>(ranges);
    }

    /** Notes a result that was given before; returns true if it is noted for the first time. */
    boolean addAgain(ValueHash hash) {
        return seen.add(hash, 0);
    }

    /** Returns true if a result is new. */
    boolean addIfUnseen(ValueHash hash) {
        boolean isNew = seen.add(hash, (int) Math.min(given, Integer.MAX_VALUE));
        given += isNew ? 1 : 0;
        return isNew;
    }

    boolean contains(ValueHash hash) {
        return seen.contains(hash);
    }

    /** Forgets all that was seen, because nothing that follows can be equal to it. */
    void clear() {
        seen.clear();
    }

    /** Goes back to where so many results had been given; false if it never was there. */
    private boolean isBackAt(long count) {
        if (count < least || count > given) {
            return false;
        }
        if (count < given) {
            seen.forgetFrom((int) Math.min(count, Integer.MAX_VALUE));
            given = count;
        }
        return true;
    }

    long given() {
        return given;
    }

    /** Returns the hashes if they are few. */
    Optional<List<ValueHash>> carried() {
        return left.isEmpty() && seen.size() <= CARRIED
                ? Optional.of(seen.all())
                : Optional.empty();
    }

    @Override
    public long sizeBytes() {
        return seen.sizeBytes();
    }
}
