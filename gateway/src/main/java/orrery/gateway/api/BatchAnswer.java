package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * The result of a batch.
 *
 * @param results one for each operation, in their order
 * @param container the container that holds the items, as it was resolved
 */
public record BatchAnswer(
        List<Result> results, Container container, SessionToken sessionToken, Charge charge) {
    public BatchAnswer {
        results = List.copyOf(results);
    }

    /** The result of one operation. */
    public sealed interface Result {
        Charge charge();

        /**
         * @param item the version that was read or written; absent after a delete. Its body is
         *     empty where the answer had no room for it.
         */
        record Done(ItemAnswer.Outcome outcome, Optional<Item> item, Charge charge)
                implements Result {}

        /** The client has this version. */
        record NotModified(Etag etag, Charge charge) implements Result {}

        record Refused(OrreryException failure) implements Result {
            @Override
            public Charge charge() {
                return failure.charge();
            }
        }
    }

    public boolean isRefused() {
        return results.stream().anyMatch(Result.Refused.class::isInstance);
    }
}
