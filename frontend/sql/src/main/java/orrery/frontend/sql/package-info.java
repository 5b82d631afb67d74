/**
 * The SQL (document) API over HTTP, as the Cosmos SDKs speak it in gateway mode: decode a request,
 * call the engine, encode its answer.
 *
 * <p>Start at {@link orrery.frontend.sql.SqlEndpoint}. A request passes {@code SqlPath} and {@code
 * SqlRoute} (what it addresses), {@code KeyAuthenticator} (who asks), {@code Addresses} (which
 * container, found once), one of the {@code …Routes} (what to do), and comes back as a {@code
 * SqlReply} or through {@code SqlErrors}. The {@code …Json} classes know the bodies. Nothing here
 * knows how items are stored or where.
 */
@NullMarked
package orrery.frontend.sql;

import org.jspecify.annotations.NullMarked;
