package orrery.gateway.api;

import orrery.query.Statement;
import orrery.query.write.Evaluation;

/**
 * A write to all items that a search finds. Each is written once, as it is when its turn comes, and
 * none that was created after the write has come to its partition. The items are not written at one
 * moment: what others write meanwhile lies before or behind the change of each item.
 *
 * @param search a query that selects whole items ({@code SELECT *}), without an order or a limit
 */
public record ManyWrite(FeedScope scope, Statement search, Change change) {
    /** The change of each item that is found. */
    public sealed interface Change {
        record Evaluate(Evaluation evaluation) implements Change {}

        record Delete() implements Change {}
    }
}
