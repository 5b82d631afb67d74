/**
 * MongoDB's updates: replacement documents, operators and pipelines, as the leader evaluates them
 * on the version that is there.
 *
 * <p>Start at {@link orrery.query.mongo.update.MongoUpdate}. An {@link
 * orrery.query.mongo.update.UpdateSpec} is what a client sent. {@link
 * orrery.query.mongo.update.DocumentUpdate} is a change that was read and can be applied; an {@link
 * orrery.query.mongo.update.OperatorUpdate} applies one {@link
 * orrery.query.mongo.update.FieldOperator} for each path to a {@link
 * orrery.query.mongo.update.Draft}. The same version of an item and the same specification always
 * come to the same document.
 */
@NullMarked
package orrery.query.mongo.update;

import org.jspecify.annotations.NullMarked;
