/**
 * The deterministic heart of a physical partition: a command and the replicated state give an
 * outcome and the rows to write, the same on every replica.
 *
 * <p>{@link orrery.partition.machine.PartitionMachine} applies entries; {@link
 * orrery.partition.machine.ItemTransaction} is where an item changes. No clock, no randomness, no
 * thread, no configuration and no I/O but the store: the simulator replays it from a seed.
 */
@NullMarked
package orrery.partition.machine;

import org.jspecify.annotations.NullMarked;
