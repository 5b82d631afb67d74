package orrery.gateway;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The size of the wanted page of a feed, and the place where it begins.
 *
 * @param maxItems absent lets the server decide
 * @param continuation what the previous page handed out
 */
public record PageRequest(OptionalInt maxItems, Optional<String> continuation) {
    public static final PageRequest FIRST = new PageRequest(OptionalInt.empty(), Optional.empty());
}
