package orrery.gateway.api;

import java.util.Optional;
import orrery.model.OrreryException;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.query.index.IndexUse;

/**
 * The answer to a {@link ManyWrite}.
 *
 * @param matched the items that were found when their turn came
 * @param modified those of them that are different now, or deleted
 * @param failure why the write ended before all items were reached; those that were counted stay
 *     written
 * @param used the indexes by which the items were found
 * @param charge all that was spent, also on what failed
 */
public record ManyAnswer(
        long matched,
        long modified,
        Optional<OrreryException> failure,
        Container container,
        SessionToken sessionToken,
        IndexUse used,
        Charge charge) {}
