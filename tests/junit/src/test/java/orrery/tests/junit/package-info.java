/** The Java SDK in one process with the server. */
@NullMarked
package orrery.tests.junit;

import org.jspecify.annotations.NullMarked;
