package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.Item;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * A page of items. It may be empty while a continuation says that more follow.
 *
 * @param range the physical partition that served the page, when it was one
 */
public record ItemPage(
        List<Item> items,
        Optional<String> continuation,
        Container container,
        OptionalInt range,
        SessionToken sessionToken,
        Charge charge) {
    public ItemPage {
        items = List.copyOf(items);
    }
}
