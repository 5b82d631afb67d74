/**
 * Doors that nothing is behind: a small fake of each part of {@link orrery.gateway.api}, in memory,
 * so that front-ends can be tested alone. They check no rights and know no splits.
 */
@NullMarked
package orrery.gateway.fake;

import org.jspecify.annotations.NullMarked;
