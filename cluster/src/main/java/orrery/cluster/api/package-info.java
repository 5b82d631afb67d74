/** The catalog as the gateway sees it. */
@NullMarked
package orrery.cluster.api;

import org.jspecify.annotations.NullMarked;
