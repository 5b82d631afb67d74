/**
 * Change streams: the events that MongoDB has for changes, and where a client has come to in them.
 */
@NullMarked
package orrery.frontend.mongo.stream;

import org.jspecify.annotations.NullMarked;
