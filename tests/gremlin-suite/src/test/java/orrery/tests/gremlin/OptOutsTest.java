package orrery.tests.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.cucumber.junit.Cucumber;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.internal.builders.AllDefaultPossibilitiesBuilder;
import org.junit.jupiter.api.Test;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runners.model.InitializationError;

final class OptOutsTest {
    @Test
    void atMostATenthIsLeftOut() throws InitializationError {
        List<Description> all = tests();
        assertThat(all.stream().filter(OptOuts.read()::has).count())
                .isPositive()
                .isLessThanOrEqualTo(all.size() / 10);
    }

    @Test
    void everyEntryNamesATestThatThereIs() throws InitializationError {
        List<Description> all = tests();
        assertThat(OptOuts.read().entries())
                .allSatisfy(entry -> assertThat(all).as(entry.tests()).anyMatch(entry::names));
    }

    private static List<Description> tests() throws InitializationError {
        List<Description> all = new ArrayList<>();
        for (Runner suite : suites()) {
            collect(suite.getDescription(), all);
        }
        return all;
    }

    private static List<Runner> suites() throws InitializationError {
        return List.of(
                new StructureStandardSuite(
                        StructureTest.class, new AllDefaultPossibilitiesBuilder()),
                new ProcessEmbeddedStandardSuite(
                        ProcessTest.class, new AllDefaultPossibilitiesBuilder()),
                new Cucumber(FeaturesTest.class));
    }

    private static void collect(Description description, List<Description> tests) {
        if (description.isTest()) {
            tests.add(description);
        }
        description.getChildren().forEach(child -> collect(child, tests));
    }
}
