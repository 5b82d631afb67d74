/**
 * Cursors: where clients have come to in the results of their queries. A cursor is a statement and
 * a continuation; it holds no snapshot and no connection.
 */
@NullMarked
package orrery.frontend.mongo.cursor;

import org.jspecify.annotations.NullMarked;
