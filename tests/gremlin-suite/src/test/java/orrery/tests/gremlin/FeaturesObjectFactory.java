package orrery.tests.gremlin;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Stage;
import io.cucumber.guice.CucumberModules;
import org.apache.tinkerpop.gremlin.features.AbstractGuiceFactory;
import org.apache.tinkerpop.gremlin.features.World;

/** Makes the steps of the scenarios, and gives them our world. */
public final class FeaturesObjectFactory extends AbstractGuiceFactory {
    public FeaturesObjectFactory() {
        super(
                Guice.createInjector(
                        Stage.PRODUCTION,
                        CucumberModules.createScenarioModule(),
                        new AbstractModule() {
                            @Override
                            protected void configure() {
                                bind(World.class).toInstance(new ContainerWorld());
                            }
                        }));
    }
}
