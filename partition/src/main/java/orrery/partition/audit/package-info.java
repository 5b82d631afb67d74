/**
 * Proves that what a replica stores agrees with itself.
 *
 * <p>{@link orrery.partition.audit.StoreAudit} looks at a whole store, {@link
 * orrery.partition.audit.PartitionAudit} at one partition: it recounts everything from the items.
 * Both only read, and keep no more than one item in memory however large the store is.
 */
@NullMarked
package orrery.partition.audit;

import org.jspecify.annotations.NullMarked;
