/**
 * Queries with their answers, in files that a person can read and any engine can be run against.
 * The format is described in {@code cases/README.md} beside the files.
 */
@NullMarked
package orrery.query.cases;

import org.jspecify.annotations.NullMarked;
