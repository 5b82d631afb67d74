/**
 * The benchmarks: what {@code ./orrery bench} runs.
 *
 * <p>{@link orrery.bench.Main} reads the command line and runs one {@link orrery.bench.Measurement}
 * after the other. Where a figure has a peer, {@link orrery.bench.Rounds} lets both run in turn on
 * the same machine in the same run and takes medians, because the ratio can be trusted where the
 * figure itself depends on the machine. {@link orrery.bench.Table} prints what came out.
 */
@NullMarked
package orrery.bench;

import org.jspecify.annotations.NullMarked;
