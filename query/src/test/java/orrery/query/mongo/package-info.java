/** Tests of MongoDB's query language, and what they share. */
@NullMarked
package orrery.query.mongo;

import org.jspecify.annotations.NullMarked;
