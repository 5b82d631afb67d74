/** Shares scarce resources among containers. */
@NullMarked
package orrery.model.sharing;

import org.jspecify.annotations.NullMarked;
