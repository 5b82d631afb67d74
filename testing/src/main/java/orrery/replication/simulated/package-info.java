/**
 * A replica set in one thread, driven by a seed: the same seed gives the same delays, crashes,
 * leader changes and duplicates, so whatever it finds can be found again.
 *
 * <p>Start at {@link orrery.replication.simulated.SimulatedLog}.
 */
@NullMarked
package orrery.replication.simulated;

import org.jspecify.annotations.NullMarked;
