package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.model.SizeLimits;

/** Lists of resources, which are numbered in the order they were made. */
final class ResourcePages {
    private static final int DEFAULT_PER_PAGE = 100;

    private final Continuations continuations;

    ResourcePages(Continuations continuations) {
        this.continuations = continuations;
    }

    static int limit(PageRequest request) {
        return Math.min(SizeLimits.MAX_PAGE_ROWS, request.maxItems().orElse(DEFAULT_PER_PAGE));
    }

    /** Lists resources by number. */
    interface Listing<T> {
        List<T> after(int number, int limit);
    }

    <T> Page<T> page(
            String feed, PageRequest request, Listing<T> listing, ToIntFunction<T> numberOf) {
        int limit = limit(request);
        int after =
                request.continuation().map(text -> continuations.openNumber(feed, text)).orElse(0);
        List<T> found = listing.after(after, limit + 1);
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> page = found.subList(0, limit);
        return new Page<>(
                page,
                Optional.of(continuations.sealNumber(feed, numberOf.applyAsInt(page.getLast()))));
    }
}
