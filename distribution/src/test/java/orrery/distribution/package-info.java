/**
 * Tests about the tree as a whole: who imports whom, which calls are banned, how files look, what
 * is in the distribution.
 */
@NullMarked
package orrery.distribution;

import org.jspecify.annotations.NullMarked;
