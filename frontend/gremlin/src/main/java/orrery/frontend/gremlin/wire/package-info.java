/**
 * Requests and answers in the forms that drivers choose from: the service's plain JSON, typed
 * GraphSON and GraphBinary.
 */
@NullMarked
package orrery.frontend.gremlin.wire;

import org.jspecify.annotations.NullMarked;
