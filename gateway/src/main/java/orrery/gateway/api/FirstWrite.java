package orrery.gateway.api;

import java.util.Optional;
import orrery.model.PartitionKey;
import orrery.query.Statement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * A write to the first item of a partition key that a search finds.
 *
 * @param search a query that selects whole items ({@code SELECT *}); the first is the one that the
 *     query returns first, so ORDER BY decides where it matters
 * @param statement the name that a session has for the write, as for {@link Items#writeItem}
 */
public record FirstWrite(
        PartitionKey key,
        Statement search,
        Change change,
        Optional<orrery.model.Statement> statement) {
    /** A write that no session has a name for. */
    public FirstWrite(PartitionKey key, Statement search, Change change) {
        this(key, search, change, Optional.empty());
    }

    /** The change of the item that is found. */
    public sealed interface Change {
        /**
         * @param upsert whether the change is evaluated on absence, and creates an item, if the
         *     search finds none. No item that matches can be written between the two.
         */
        record Evaluate(Evaluation evaluation, boolean upsert, Images images) implements Change {}

        /** Deletes the item and answers with it. */
        record Take() implements Change {}

        /** Deletes the item. */
        record Delete() implements Change {}
    }
}
