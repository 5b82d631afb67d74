package orrery.server.client.transfer;

import java.io.IOException;
import java.util.Optional;

/** Rows to import, one after the other. */
@FunctionalInterface
public interface Rows {
    /** Returns nothing at the end. */
    Optional<Row> next() throws IOException;
}
