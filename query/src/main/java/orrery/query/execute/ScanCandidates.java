package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.Item;

/** Items that are read one after the other, in the order in which they are stored or created. */
final class ScanCandidates implements Candidates {
    private final ItemSource.ItemCursor items;
    private final PageWork work;
    private final boolean isSure;
    private final Function<ItemSource.ItemCursor, Position> place;
    private final Optional<Position> start;

    /** True if the cursor has been moved; its place becomes a position when somebody asks. */
    private boolean hasMoved;

    /** The place at which items end that are not all; others follow behind it. */
    private final Optional<Position> rest;

    private boolean isAtRest;

    private ScanCandidates(
            ItemSource.ItemCursor items,
            PageWork work,
            boolean isSure,
            Optional<Position> start,
            Function<ItemSource.ItemCursor, Position> place,
            Optional<Position> rest) {
        this.items = items;
        this.work = work;
        this.isSure = isSure;
        this.start = start;
        this.place = place;
        this.rest = rest;
    }

    /**
     * Every item, in the order in which they are stored.
     *
     * @param isSure whether every item matches
     */
    static ScanCandidates stored(
            ItemSource source, PageWork work, boolean isSure, Optional<Position> start) {
        ItemSource.ItemCursor items =
                start.isPresent()
                        ? source.items(start.get().key(), !start.get().isBehind())
                        : source.items(Bytes.EMPTY, true);
        return new ScanCandidates(
                items,
                work,
                isSure,
                start,
                at ->
                        new Position(
                                Position.Order.ITEMS, List.of(), 0, at.key(), 0, Position.ALL_ROWS),
                Optional.empty());
    }

    /**
     * Items in the order of their creation.
     *
     * @param items those that may match, from the start on
     * @param isSure whether all of them match
     */
    static ScanCandidates created(
            ItemSource.ItemCursor items, PageWork work, boolean isSure, Optional<Position> start) {
        return created(items, work, isSure, start, Optional.empty());
    }

    /**
     * The first of the items that may match, in the order of their creation.
     *
     * @param isSure whether all of them match
     * @param rest the place of the last of them, if others may match; absent if these are all
     */
    static ScanCandidates first(
            ItemSource.ItemCursor items, PageWork work, boolean isSure, Optional<Position> rest) {
        return created(items, work, isSure, Optional.empty(), rest);
    }

    private static ScanCandidates created(
            ItemSource.ItemCursor items,
            PageWork work,
            boolean isSure,
            Optional<Position> start,
            Optional<Position> rest) {
        return new ScanCandidates(
                items, work, isSure, start, at -> Position.created(at.item().docid()), rest);
    }

    @Override
    public Step next() {
        if (work.isEnough() && (hasMoved || start.isPresent())) {
            return Step.PAUSED;
        }
        if (!items.next()) {
            isAtRest = rest.isPresent();
            return isAtRest ? Step.PAUSED : Step.FINISHED;
        }
        hasMoved = true;
        return Step.FOUND;
    }

    @Override
    public Bytes key() {
        return items.key();
    }

    @Override
    public Optional<Item> item() {
        return Optional.of(items.item());
    }

    @Override
    public Position position() {
        if (isAtRest) {
            return rest.orElseThrow();
        }
        return hasMoved ? place.apply(items) : start.orElseThrow();
    }

    @Override
    public Optional<Timings.Kind> measuredAs() {
        return Optional.of(Timings.Kind.LOAD);
    }

    @Override
    public boolean isSure() {
        return isSure;
    }

    @Override
    public void close() {
        items.close();
    }
}
