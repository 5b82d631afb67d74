/**
 * The validators of MongoDB's collections. Start at {@link
 * orrery.query.mongo.validate.DocumentRule}, which says whether a document meets one, and makes the
 * document by which clients are told why it does not.
 */
@NullMarked
package orrery.query.mongo.validate;

import org.jspecify.annotations.NullMarked;
