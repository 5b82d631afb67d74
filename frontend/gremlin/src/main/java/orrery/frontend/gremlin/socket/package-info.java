/**
 * WebSocket as servers speak it (RFC 6455): the request that opens it, and its frames. It is read
 * here byte by byte, so that each byte of a message is counted before it is kept, whoever sends it.
 */
@NullMarked
package orrery.frontend.gremlin.socket;

import org.jspecify.annotations.NullMarked;
