/**
 * MongoDB's filters: what operators mean, over values. Start at {@link
 * orrery.query.mongo.match.Matcher}; {@link orrery.query.mongo.match.Condition} is a filter that
 * was read, {@link orrery.query.mongo.match.FilterParser} reads it.
 */
@NullMarked
package orrery.query.mongo.match;

import org.jspecify.annotations.NullMarked;
