/**
 * The catalog as a deterministic state machine: commands in, records and outcomes out. It stores
 * intents; making them true in the partitions is the reconciler's work.
 */
@NullMarked
package orrery.cluster.catalog;

import org.jspecify.annotations.NullMarked;
