/**
 * What {@code ./orrery test} does. The JDK runs it from its sources, so it uses nothing but the
 * JDK.
 */
@NullMarked
package orrery.tests.runner;

import org.jspecify.annotations.NullMarked;
