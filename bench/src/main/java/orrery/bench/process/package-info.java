/** Other processes: how to start one from the distribution under test, and what it costs. */
@NullMarked
package orrery.bench.process;

import org.jspecify.annotations.NullMarked;
