/**
 * The ordered, durable log that the replicas of a set share.
 *
 * <p>{@link orrery.replication.CommandLog} is what a leader submits to; {@link
 * orrery.replication.StateMachine} is what the log drives. {@link orrery.replication.LocalLog} is
 * the set of one replica that the embedded server uses. Nothing here knows what a command means.
 */
@NullMarked
package orrery.replication;

import org.jspecify.annotations.NullMarked;
