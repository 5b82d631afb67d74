/**
 * The messages between a gateway and a physical partition. Every request and response is a record
 * with a versioned byte form, because the partition may be on another node.
 *
 * <p>Start at {@link orrery.partition.api.PartitionService}.
 */
@NullMarked
package orrery.partition.api;

import org.jspecify.annotations.NullMarked;
