/**
 * Partitions on a simulated replica set: {@link orrery.partition.simulated.PartitionReplica} is one
 * replica with a real store on a disk that loses power.
 */
@NullMarked
package orrery.partition.simulated;

import org.jspecify.annotations.NullMarked;
