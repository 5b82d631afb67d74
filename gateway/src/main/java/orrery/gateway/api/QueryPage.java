package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.query.execute.QueryMetrics;

/**
 * A page of the results of a query. It may be empty while a continuation says that more follow.
 *
 * @param rows in the encoding
 * @param range the physical partition that served the page, when it was one
 */
public record QueryPage(
        Encoding encoding,
        List<Bytes> rows,
        Optional<String> continuation,
        Container container,
        OptionalInt range,
        SessionToken sessionToken,
        QueryMetrics metrics,
        Charge charge) {
    public QueryPage {
        rows = List.copyOf(rows);
    }
}
