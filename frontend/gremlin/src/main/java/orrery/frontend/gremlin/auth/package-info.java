/** The driver and the graph that its connection is bound to, by SASL PLAIN. */
@NullMarked
package orrery.frontend.gremlin.auth;

import org.jspecify.annotations.NullMarked;
