/**
 * The MongoDB API: sockets that speak its wire protocol, and what a connection knows about its
 * client. {@code wire} reads and writes messages, {@code auth} says who asks, {@code command}
 * answers, {@code cursor} remembers where a client has come to.
 */
@NullMarked
package orrery.frontend.mongo;

import org.jspecify.annotations.NullMarked;
