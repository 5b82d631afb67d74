package orrery.gateway.api;

import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.model.Body;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.RowKey;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.query.index.IndexUse;

/**
 * The result of a request for one item.
 *
 * @param item the version that was read or written; absent after a delete
 * @param before the version that was replaced or deleted, if the request asked for it
 * @param container the container that holds it, as it was resolved
 * @param range the physical partition that served the request
 * @param remembered the key of the item that was written, if this is the answer to a statement that
 *     was carried out before
 * @param used the indexes by which a write has found the item
 */
public record ItemAnswer(
        Outcome outcome,
        Optional<Item> item,
        Optional<Item> before,
        Container container,
        int range,
        long lsn,
        Charge charge,
        Optional<RowKey> remembered,
        IndexUse used) {
    public ItemAnswer(
            Outcome outcome,
            Optional<Item> item,
            Container container,
            int range,
            long lsn,
            Charge charge) {
        this(
                outcome,
                item,
                Optional.empty(),
                container,
                range,
                lsn,
                charge,
                Optional.empty(),
                IndexUse.NONE);
    }

    /** The answer to a write that has found its item by indexes. */
    public ItemAnswer with(IndexUse indexes) {
        return new ItemAnswer(
                outcome, item, before, container, range, lsn, charge, remembered, indexes);
    }

    public enum Outcome {
        READ,
        CREATED,
        REPLACED,
        DELETED,
        /** The item is what the write would have made of it, and keeps its version. */
        UNCHANGED
    }

    /**
     * The body of the version in the encoding that the client reads, whatever it is kept in. Throws
     * BAD_REQUEST for an item that the encoding cannot show.
     */
    public Optional<Body> body(Encoding wanted) {
        return item.map(version -> new Body(wanted, BodyFormat.of(wanted).show(version.content())));
    }

    public SessionToken sessionToken() {
        return SessionToken.of(range, lsn);
    }
}
