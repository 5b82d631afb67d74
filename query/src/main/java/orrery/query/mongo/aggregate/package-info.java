/**
 * MongoDB's aggregation: pipelines, their stages and the accumulators of groups.
 *
 * <p>Start at {@link orrery.query.mongo.aggregate.PipelineReader}, which reads a pipeline, then
 * {@link orrery.query.mongo.aggregate.PushDown}, which finds the part that partitions run. That
 * part is a {@link orrery.query.mongo.aggregate.PipelineStatement}.
 */
@NullMarked
package orrery.query.mongo.aggregate;

import org.jspecify.annotations.NullMarked;
