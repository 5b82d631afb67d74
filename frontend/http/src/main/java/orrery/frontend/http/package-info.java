/**
 * The HTTP machinery that every HTTP front-end shares; it knows nothing of Cosmos.
 *
 * <p>Start at {@link orrery.frontend.http.HttpServer}, then {@link
 * orrery.frontend.http.HttpHandler}: a front-end is one blocking function from {@link
 * orrery.frontend.http.HttpRequest} to {@link orrery.frontend.http.HttpReply}, called on a virtual
 * thread. {@code Connection} holds all the state of one client and is touched by its event loop
 * only.
 *
 * <p>What must stay true: whatever bytes a client sends, or fails to send, it gets a clear error or
 * a closed connection, every buffer is released, every counter returns to zero, and the memory it
 * can hold is bounded by {@link orrery.frontend.http.HttpLimits}.
 */
@NullMarked
package orrery.frontend.http;

import org.jspecify.annotations.NullMarked;
