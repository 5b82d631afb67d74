/**
 * The commands that talk to a running server.
 *
 * <p>{@link orrery.server.client.ServerConnection} signs and sends, {@link
 * orrery.server.client.SqlClient} and {@link orrery.server.client.OperatorClient} know the two
 * APIs, and each command is a {@link orrery.server.client.ServerCommand}. Files go in and out in
 * {@code transfer}, and {@code sample} makes data to try things on.
 */
@NullMarked
package orrery.server.client;

import org.jspecify.annotations.NullMarked;
