package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;

/** Every item, in the order in which they are stored. */
final class ScanCandidates implements Candidates {
    private final ItemSource.ItemCursor items;
    private final PageWork work;
    private final boolean isSure;
    private Optional<Bytes> last;

    /**
     * @param isSure whether every item matches
     */
    ScanCandidates(ItemSource source, PageWork work, boolean isSure, Optional<Position> start) {
        this.isSure = isSure;
        this.work = work;
        this.last = start.map(Position::key);
        this.items =
                start.isPresent()
                        ? source.items(start.get().key(), !start.get().isBehind())
                        : source.items(Bytes.EMPTY, true);
    }

    @Override
    public Step next() {
        if (work.isEnough() && last.isPresent()) {
            return Step.PAUSED;
        }
        if (!items.next()) {
            return Step.FINISHED;
        }
        last = Optional.of(items.key());
        return Step.FOUND;
    }

    @Override
    public Bytes key() {
        return last.orElseThrow();
    }

    @Override
    public Optional<Item> item() {
        return Optional.of(items.item());
    }

    @Override
    public Position position() {
        return new Position(
                Position.Order.ITEMS, List.of(), 0, last.orElseThrow(), 0, Position.ALL_ROWS);
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
