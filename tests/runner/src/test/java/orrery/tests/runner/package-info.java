@NullMarked
package orrery.tests.runner;

import org.jspecify.annotations.NullMarked;
