/**
 * The client side of the benchmarks: a load generator that runs in a process of its own, so that
 * its compiler and its garbage do not mix with those of the server it measures.
 *
 * <p>Start at {@link orrery.bench.load.LoadGenerator}, the handle on that process; {@code LoadLoop}
 * is what runs inside it: one thread, one selector, requests that were signed and laid out before
 * the clock starts.
 */
@NullMarked
package orrery.bench.load;

import org.jspecify.annotations.NullMarked;
