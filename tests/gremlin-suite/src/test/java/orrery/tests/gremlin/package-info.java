/** TinkerPop's own suites, run over graphs in an engine. */
@NullMarked
package orrery.tests.gremlin;

import org.jspecify.annotations.NullMarked;
