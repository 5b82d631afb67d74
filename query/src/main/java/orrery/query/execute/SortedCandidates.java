package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.query.syntax.QueryError;

/**
 * Items that match, sorted here: for orders that no index has, and where the filter leaves so few
 * items that following the order of an index would pass over many. Keeps no more than a page of
 * them: the first behind the place where the page begins.
 */
final class SortedCandidates implements Candidates {
    /** Items of more bytes are not kept but read again. */
    private static final int KEPT_BYTES = 16 << 10;

    private static final long MAX_BYTES = 32L << 20;

    private final ItemSource source;
    private final List<Found> found;
    private final boolean hasMore;
    private int at = -1;
    private final Optional<Position> start;

    /** The heap that a match takes besides its bytes. */
    private static final long FOUND_BYTES = 256;

    private record Found(Bytes sortKey, long docid, Bytes key, Optional<Item> item) {
        long bytes() {
            return FOUND_BYTES
                    + sortKey.length()
                    + key.length()
                    + item.map(kept -> kept.body().length()).orElse(0);
        }
    }

    /** A candidate that matches, and its place in the order. */
    record Judged(Item item, Bytes sortKey) {}

    SortedCandidates(
            ItemSource source,
            Candidates candidates,
            Sorting sorting,
            Function<Candidates, Optional<Judged>> judge,
            int limit,
            Optional<Position> start,
            MemoryAccount.Part memory,
            OptionalInt tooMuch) {
        this.source = source;
        this.start = start;
        FirstInOrder<Found> first =
                new FirstInOrder<>(
                        (a, b) -> sorting.compare(a.sortKey, a.docid, b.sortKey, b.docid),
                        limit,
                        MAX_BYTES,
                        Found::bytes,
                        memory);
        try (candidates) {
            Step step = candidates.next();
            while (step == Step.FOUND) {
                Optional<Judged> judged = judge.apply(candidates);
                if (judged.isPresent()) {
                    Item item = judged.get().item();
                    Found each =
                            new Found(
                                    judged.get().sortKey(),
                                    item.docid(),
                                    candidates.key(),
                                    item.body().length() <= KEPT_BYTES
                                            ? Optional.of(item)
                                            : Optional.empty());
                    if (start.isEmpty() || sorting.isAhead(each.sortKey, each.docid, start.get())) {
                        first.offer(each);
                    }
                }
                step = candidates.next();
            }
            if (step == Step.PAUSED) {
                OrreryException failure =
                        QueryError.engine(
                                "The query must sort more items than one page can read. Add a filter,"
                                        + " or order by a path that the indexing policy includes.");
                throw tooMuch.isPresent() ? failure.withLanguageCode(tooMuch.getAsInt()) : failure;
            }
        }
        this.found = first.sorted();
        this.hasMore = first.hasLeftOut();
    }

    @Override
    public Step next() {
        if (at + 1 < found.size()) {
            at++;
            return Step.FOUND;
        }
        return hasMore ? Step.PAUSED : Step.FINISHED;
    }

    @Override
    public Bytes key() {
        return found.get(at).key;
    }

    @Override
    public Optional<Item> item() {
        Found present = found.get(at);
        return Optional.of(present.item.orElseGet(() -> source.load(present.key)));
    }

    @Override
    public boolean isCounted() {
        return true;
    }

    @Override
    public boolean isSure() {
        return true;
    }

    @Override
    public Position position() {
        if (at < 0) {
            return start.orElseThrow();
        }
        Found present = found.get(at);
        return new Position(
                Position.Order.SORTED,
                List.of(),
                0,
                present.sortKey,
                present.docid,
                Position.ALL_ROWS);
    }

    @Override
    public void close() {}
}
