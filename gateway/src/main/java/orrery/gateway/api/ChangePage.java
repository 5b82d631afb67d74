package orrery.gateway.api;

import java.util.List;
import java.util.OptionalInt;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * A page of changes, of one physical partition. An empty one without more says that there is
 * nothing new; what comes later is found with its continuation.
 *
 * @param <T> what is told of a change: the item as it is, or as it was then
 * @param hasMore whether the next page may be asked for at once, also if this one is empty: work
 *     was done that led to nothing the reader wants
 * @param continuation the LSN to go on behind where one says it all; otherwise a sealed list of the
 *     places in several ranges of keys, or the place within an LSN whose versions are larger than a
 *     page
 * @param range the physical partition that served the page, when it was one
 */
public record ChangePage<T>(
        List<T> changes,
        boolean hasMore,
        String continuation,
        Container container,
        OptionalInt range,
        SessionToken sessionToken,
        Charge charge) {
    public ChangePage {
        changes = List.copyOf(changes);
    }
}
