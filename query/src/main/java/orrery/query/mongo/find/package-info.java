/**
 * MongoDB's reads as a dialect of the engine: find, count and distinct. Start at {@link
 * orrery.query.mongo.find.FindStatement}, which front-ends make. {@link
 * orrery.query.mongo.find.FilterBounds} says where in the index the matches of a filter are, {@link
 * orrery.query.mongo.find.ShardKeys} in which partitions.
 */
@NullMarked
package orrery.query.mongo.find;

import org.jspecify.annotations.NullMarked;
