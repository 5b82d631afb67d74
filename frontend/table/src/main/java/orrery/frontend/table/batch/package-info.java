/**
 * The bytes of {@code $batch}: the requests inside of one, and the answers to them. Nothing here
 * knows what the requests ask for.
 *
 * <p>Start at {@link orrery.frontend.table.batch.BatchRequest}.
 */
@NullMarked
package orrery.frontend.table.batch;

import org.jspecify.annotations.NullMarked;
