package orrery.gateway.api;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * The result of a stored procedure.
 *
 * @param body JSON of what it set as the response's body
 * @param log what it wrote to its console, if that was asked for
 * @param range the physical partition that ran it
 */
public record ProcedureAnswer(
        Optional<Bytes> body, String log, Container container, int range, long lsn, Charge charge) {
    public SessionToken sessionToken() {
        return SessionToken.of(range, lsn);
    }
}
