package orrery.tests.gremlin;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.runner.RunWith;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runners.model.InitializationError;

/** The scenarios of every step, in the words of Gherkin. */
@RunWith(FeaturesTest.Part.class)
@CucumberOptions(
        tags = "not @GraphComputerOnly and not @AllowNullPropertyValues",
        glue = "org.apache.tinkerpop.gremlin.features",
        objectFactory = FeaturesObjectFactory.class,
        features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public final class FeaturesTest {
    /** The part of it that runs. */
    public static final class Part extends PartRunner {
        public Part(Class<?> type) throws InitializationError, NoTestsRemainException {
            super(new Cucumber(type));
        }
    }
}
