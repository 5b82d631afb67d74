/** Tests of MongoDB's reads, and the naive answers that they are compared with. */
@NullMarked
package orrery.query.mongo.find;

import org.jspecify.annotations.NullMarked;
