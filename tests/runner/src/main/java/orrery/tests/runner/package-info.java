/**
 * The work of {@code ./orrery test}. The JDK runs it from its sources, so it uses nothing but the
 * JDK.
 */
@NullMarked
package orrery.tests.runner;

import org.jspecify.annotations.NullMarked;
