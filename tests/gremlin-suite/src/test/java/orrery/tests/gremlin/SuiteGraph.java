package orrery.tests.gremlin;

import org.apache.tinkerpop.gremlin.structure.Graph;

/** What the suites are told of our graphs: the tests that do not fit them, each with its reason. */
@Graph.OptIn(Graph.OptIn.SUITE_STRUCTURE_STANDARD)
@Graph.OptIn("org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite")
@SuppressWarnings("try") // As the interface has it.
abstract class SuiteGraph implements Graph {}
