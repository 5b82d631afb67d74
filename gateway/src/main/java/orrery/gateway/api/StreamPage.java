package orrery.gateway.api;

import java.util.List;
import orrery.model.metering.Charge;

/**
 * A page of a stream.
 *
 * @param events in the order of their times where that is known; those of a logical partition are
 *     always in order
 * @param startToken before all events
 * @param token behind all events, and behind what is of no interest after them
 * @param isEnded whether the last event says that there are no others
 */
public record StreamPage(
        List<StreamEvent> events, String startToken, String token, boolean isEnded, Charge charge) {
    public StreamPage {
        events = List.copyOf(events);
    }
}
