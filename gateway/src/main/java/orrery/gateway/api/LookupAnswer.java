package orrery.gateway.api;

import java.util.List;
import orrery.model.Item;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * The results of reading many items at once.
 *
 * @param results one for each address, in the order of the addresses
 * @param charge what reading each of them alone would have cost together
 */
public record LookupAnswer(
        List<Result> results, Container container, SessionToken sessionToken, Charge charge) {
    /** The most addresses that one call takes. */
    public static final int MAX_ADDRESSES = 1000;

    public LookupAnswer {
        results = List.copyOf(results);
    }

    /** The outcome for one address. */
    public sealed interface Result {
        record Found(Item item) implements Result {}

        /** No item has this address. */
        record Missing() implements Result {}

        /** The answer had no more room. Ask for this item again; at least one was read. */
        record Unread() implements Result {}
    }
}
