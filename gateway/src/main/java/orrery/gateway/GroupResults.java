package orrery.gateway;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.RowEncoding;

/** Gives the results of groups, page by page. Their order outlives this object. */
final class GroupResults {
    /** The place of a group in the order, and in the table that sorts them. */
    private static final long PLACE_BYTES = 8;

    private final GroupList groups;
    private final boolean isDistinct;
    private final SeenResults seen = new SeenResults();

    /** The number of groups whose results have been seen. */
    private int seenUpTo;

    GroupResults(GroupList groups, boolean isDistinct) {
        this.groups = groups;
        this.isDistinct = isDistinct;
        MemoryAccount.current().take(sizeBytes());
    }

    long sizeBytes() {
        return PLACE_BYTES * groups.size() + seen.sizeBytes();
    }

    /** Fills a page; returns where the next begins, if any result is left. */
    Optional<QueryToken> fill(AnswerPage page, QueryToken start, RowEncoding encoding) {
        int begin = start.group().map(groups::upTo).orElse(0);
        if (isDistinct) {
            seeUpTo(begin);
        }
        RowLimit limit = start.limit();
        for (int at = begin; at < groups.size() && !limit.isReached(); at++) {
            Optional<Value> result = groups.result(at);
            if (result.isEmpty() || (isDistinct && !see(result.get(), at))) {
                continue;
            }
            if (limit.skip() == 0 && !page.appendIfRoom(encoding.write(result.get()), name(at))) {
                return Optional.of(
                        start.behind(
                                at == begin ? start.group() : Optional.of(groups.place(at - 1)),
                                limit));
            }
            limit = limit.behind(1);
        }
        return Optional.empty();
    }

    /** Tells groups apart, whatever becomes of their aggregates. */
    private Supplier<ValueHash> name(int at) {
        return () -> ValueHash.of(Value.of(groups.place(at).toHex()));
    }

    /**
     * Shows the results up to a place again.
     *
     * @param functions those that the results call
     */
    void showUpTo(
            Bytes place,
            QueryJob job,
            QueryFunctions.Called functions,
            Consumer<AnswerPage> shown) {
        int end = groups.upTo(place);
        for (int begin = 0; begin < end; begin += QueryJob.BATCH_ROWS) {
            int first = begin;
            int behind = Math.min(end, begin + QueryJob.BATCH_ROWS);
            try (AnswerPage page = AnswerPage.ofInner(QueryJob.BATCH_ROWS)) {
                job.evaluating(
                        functions,
                        () -> {
                            for (int at = first; at < behind; at++) {
                                Supplier<ValueHash> name = name(at);
                                groups.result(at)
                                        .map(job.encoding()::write)
                                        .ifPresent(row -> page.append(row, name));
                            }
                            return page;
                        });
                shown.accept(page);
            }
        }
    }

    /** Sees again, or forgets again, until the results of so many groups are known. */
    private void seeUpTo(int count) {
        if (seenUpTo > count) {
            seen.forgetFrom(count);
            seenUpTo = count;
        }
        for (int at = seenUpTo; at < count; at++) {
            int number = at;
            groups.result(at).ifPresent(result -> see(result, number));
        }
    }

    private boolean see(Value result, int at) {
        boolean isNew = seen.add(ValueHash.of(result), at);
        seenUpTo = at + 1;
        return isNew;
    }
}
