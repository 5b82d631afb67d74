/**
 * MongoDB's query language and its updates, as partitions run them. Front-ends of that API make
 * statements and evaluations of it; wire protocol and commands are theirs.
 */
@NullMarked
package orrery.query.mongo;

import org.jspecify.annotations.NullMarked;
