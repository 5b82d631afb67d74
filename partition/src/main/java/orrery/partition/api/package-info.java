/**
 * The messages between a gateway and a physical partition. Every request and response is a record
 * with its byte form beside it, because the partition may be on another node.
 *
 * <p>Start at {@link orrery.partition.api.PartitionService}. What travels is a {@link
 * orrery.partition.api.PartitionEnvelope} with one request; {@link
 * orrery.partition.api.RequestKind} and {@link orrery.partition.api.ResponseKind} list all
 * messages. A new message is a record in its group and a constant there.
 */
@NullMarked
package orrery.partition.api;

import org.jspecify.annotations.NullMarked;
