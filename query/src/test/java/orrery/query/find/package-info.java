/**
 * A second language for tests, over BSON: conditions on paths, a sort in MongoDB's order of types,
 * fields or groups. It shows that the engine knows no language by itself.
 */
@NullMarked
package orrery.query.find;

import org.jspecify.annotations.NullMarked;
