/** Who a driver is, and the graph that its connection is bound to: SASL PLAIN. */
@NullMarked
package orrery.frontend.gremlin.auth;

import org.jspecify.annotations.NullMarked;
