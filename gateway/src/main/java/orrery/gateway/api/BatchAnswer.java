package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
 * @param keyLsn the LSN of the last write of an atomic batch's key, as the batch left or found it;
 *     0 if the key has no items. Absent if the batch was refused, and for operations on many keys.
 */
public record BatchAnswer(
        List<Result> results,
        Container container,
        SessionToken sessionToken,
        OptionalLong keyLsn,
        Charge charge) {
    public BatchAnswer {
        results = List.copyOf(results);
    }

    /** An answer that tells nothing of a key. */
    public BatchAnswer(
            List<Result> results, Container container, SessionToken sessionToken, Charge charge) {
        this(results, container, sessionToken, OptionalLong.empty(), charge);
    }

    /** The result of one operation. */
    public sealed interface Result {
        Charge charge();

        /**
         * @param item the version that was read or written; absent after a delete. Its body is
         *     empty where the answer had no room for it.
         * @param before the version that was replaced or deleted, if the operation asked for it
         * @param isRemembered whether it was carried out before, as a statement of a session
         */
        record Done(
                ItemAnswer.Outcome outcome,
                Optional<Item> item,
                Optional<Item> before,
                Charge charge,
                boolean isRemembered)
                implements Result {
            public Done(
                    ItemAnswer.Outcome outcome,
                    Optional<Item> item,
                    Optional<Item> before,
                    Charge charge) {
                this(outcome, item, before, charge, false);
            }

            public Done(ItemAnswer.Outcome outcome, Optional<Item> item, Charge charge) {
                this(outcome, item, Optional.empty(), charge);
            }
        }

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
