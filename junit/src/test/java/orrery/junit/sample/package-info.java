/** Test classes as users write them, run by {@code OrreryExtensionTest}. */
@NullMarked
package orrery.junit.sample;

import org.jspecify.annotations.NullMarked;
