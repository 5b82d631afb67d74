/** Tests of MongoDB's filters. */
@NullMarked
package orrery.query.mongo.match;

import org.jspecify.annotations.NullMarked;
