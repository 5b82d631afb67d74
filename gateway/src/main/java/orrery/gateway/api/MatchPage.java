package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import orrery.model.Item;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * A page of the items that have one of the values of a look-up. It may be empty while a
 * continuation says that more follow.
 */
public record MatchPage(
        List<Match> matches,
        Optional<String> continuation,
        Container container,
        SessionToken sessionToken,
        Charge charge) {
    public MatchPage {
        matches = List.copyOf(matches);
    }

    /**
     * An item. One with several of the values, in an array, comes once for each; only those of more
     * than 256 bytes that begin alike come together.
     *
     * @param values the places, in the look-up, of values that the item has; of equal ones the
     *     first
     */
    public record Match(List<Integer> values, Item item) {
        public Match {
            values = List.copyOf(values);
        }
    }
}
