/**
 * The assembly of the server: the command line, the configuration of a node, and the wiring.
 *
 * <p>{@link orrery.server.OrreryServer} is the whole server in one file.
 */
@NullMarked
package orrery.server;

import org.jspecify.annotations.NullMarked;
