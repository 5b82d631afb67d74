package orrery.gateway;

import java.util.Optional;
import orrery.model.Item;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * The result of a request for one item.
 *
 * @param item the version that was read or written; absent after a delete
 * @param container the container that holds it, as it was resolved
 * @param range the physical partition that served the request
 */
public record ItemAnswer(
        Outcome outcome,
        Optional<Item> item,
        Container container,
        int range,
        long lsn,
        Charge charge) {
    public enum Outcome {
        READ,
        CREATED,
        REPLACED,
        DELETED
    }

    public SessionToken sessionToken() {
        return SessionToken.of(range, lsn);
    }
}
