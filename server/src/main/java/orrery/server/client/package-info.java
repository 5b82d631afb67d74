/**
 * The commands that talk to a running server: a client of the operator API and what it draws.
 *
 * <p>{@link orrery.server.client.OperatorClient} does the talking, each command the rest.
 */
@NullMarked
package orrery.server.client;

import org.jspecify.annotations.NullMarked;
