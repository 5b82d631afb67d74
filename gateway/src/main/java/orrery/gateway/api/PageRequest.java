package orrery.gateway.api;

import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.SizeLimits;

/**
 * The size of the wanted page of a feed, and the place where it begins.
 *
 * @param maxItems absent lets the server decide
 * @param continuation what the previous page handed out
 * @param endsWithRange true if a page of a query has rows of one range of keys only, where ranges
 *     are read one after the other
 */
public record PageRequest(
        OptionalInt maxItems, Optional<String> continuation, boolean endsWithRange) {
    public static final PageRequest FIRST = new PageRequest(OptionalInt.empty(), Optional.empty());

    public PageRequest(OptionalInt maxItems, Optional<String> continuation) {
        this(maxItems, continuation, false);
    }

    /** Returns the most items of the page: what is asked for, within the limits of the server. */
    public int size() {
        return size(maxItems);
    }

    /** Returns the most items of a page for which so many are asked; absent is no wish. */
    public static int size(OptionalInt maxItems) {
        return Math.clamp(maxItems.orElse(SizeLimits.MAX_PAGE_ROWS), 1, SizeLimits.MAX_PAGE_ROWS);
    }

    public PageRequest endingWithRange() {
        return new PageRequest(maxItems, continuation, true);
    }
}
