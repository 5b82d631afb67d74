/**
 * Compares what a physical partition delivers with what it is provisioned for.
 *
 * <p>{@link orrery.partition.meter.PartitionMeter} is what a partition holds: it joins a {@link
 * orrery.partition.meter.Meter}, which admits or refuses, with {@link orrery.partition.meter.Usage}
 * and the keys that stand out, which only count. Partitions that share a slot share the meter and
 * keep counts of their own.
 *
 * <p>Memory is fixed per partition, whatever its traffic and its number of keys. Times are those of
 * {@link java.lang.System#nanoTime}, passed in; they may arrive out of order by as much as threads
 * overtake each other. Admission reads and charging adds to one word: no lock, no allocation.
 */
@NullMarked
package orrery.partition.meter;

import org.jspecify.annotations.NullMarked;
