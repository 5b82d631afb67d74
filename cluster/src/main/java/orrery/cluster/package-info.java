/**
 * The control plane: what databases, containers and offers exist, and where their partitions are.
 *
 * <p>{@link orrery.cluster.ControlPlane} is the catalog over its log; {@link
 * orrery.cluster.ContainerReconciler} makes the partitions agree with it, and takes up unfinished
 * work after a crash.
 */
@NullMarked
package orrery.cluster;

import org.jspecify.annotations.NullMarked;
