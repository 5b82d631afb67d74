/**
 * Physical partitions on the node that hosts them.
 *
 * <p>{@link orrery.partition.Replica} joins a store, the deterministic machine and a log; {@link
 * orrery.partition.PartitionHost} answers requests over it. Reads go to the store directly, writes
 * through the log.
 */
@NullMarked
package orrery.partition;

import org.jspecify.annotations.NullMarked;
