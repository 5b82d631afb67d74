package orrery.tests.gremlin;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.internal.builders.AllDefaultPossibilitiesBuilder;
import org.junit.runner.RunWith;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runners.model.InitializationError;

/** The suite of graphs, vertices, edges and properties. */
@RunWith(StructureTest.Part.class)
@GraphProviderClass(provider = ContainerGraphProvider.class, graph = SuiteGraph.class)
public final class StructureTest {
    /** The part of it that runs. */
    public static final class Part extends PartRunner {
        public Part(Class<?> type) throws InitializationError, NoTestsRemainException {
            super(new StructureStandardSuite(type, new AllDefaultPossibilitiesBuilder()));
        }
    }
}
