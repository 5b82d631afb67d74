/**
 * What a gateway may ask of a physical partition. Messages only: every request and response is a
 * record with a versioned byte form, because the partition may be on another node.
 *
 * <p>Start at {@link orrery.partition.api.PartitionService}.
 */
@NullMarked
package orrery.partition.api;

import org.jspecify.annotations.NullMarked;
