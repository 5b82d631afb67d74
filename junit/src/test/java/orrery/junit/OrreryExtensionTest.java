package orrery.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import orrery.junit.sample.Seen;

/** Runs the classes in {@code sample} as a build would. */
final class OrreryExtensionTest {
    private static final Map<String, String> PARALLEL =
            Map.of(
                    "junit.jupiter.execution.parallel.enabled",
                    "true",
                    "junit.jupiter.execution.parallel.config.strategy",
                    "fixed",
                    "junit.jupiter.execution.parallel.config.fixed.parallelism",
                    "4");

    @BeforeEach
    void forget() {
        Seen.NOTES.clear();
    }

    @Test
    void eachTestBeginsWithAnEmptyServer() {
        assertPasses(5, run(Map.of(), "EachTestIsAlone"));
        assertThat(Seen.NOTES).hasSize(2);
        assertThat(new HashSet<>(Seen.NOTES)).as("one server for the class").hasSize(1);
    }

    @Test
    void classesOneAfterTheOtherShareAServer() {
        assertPasses(6, run(Map.of(), "AnotherClass", "EachTestIsAlone"));
        assertThat(Seen.NOTES).hasSize(3);
        assertThat(new HashSet<>(Seen.NOTES)).hasSize(1);
    }

    @Test
    void classesWithOtherOptionsHaveAServerOfTheirOwn() {
        assertPasses(3, run(Map.of(), "AnotherClass", "DataOfTheClass"));
        assertThat(Seen.NOTES).hasSize(3);
        assertThat(new HashSet<>(Seen.NOTES)).hasSize(2);
    }

    @Test
    void classesAtTheSameTimeHaveOneEach() {
        assertPasses(2, run(PARALLEL, "AtTheSameTimeOne", "AtTheSameTimeOther"));
        assertThat(new HashSet<>(Seen.NOTES)).hasSize(2);
    }

    @Test
    void testsOfAClassAtTheSameTimeAreToldWhatToDo() {
        TestExecutionSummary summary = run(PARALLEL, "TestsAtOnce");
        assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
        assertThat(summary.getFailures())
                .singleElement()
                .satisfies(
                        failure ->
                                assertThat(failure.getException())
                                        .hasMessageContaining("SAME_THREAD"));
    }

    private static void assertPasses(int tests, TestExecutionSummary summary) {
        StringWriter failures = new StringWriter();
        summary.printFailuresTo(new PrintWriter(failures));
        assertThat(summary.getFailures()).as(failures.toString()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(tests);
    }

    private static TestExecutionSummary run(Map<String, String> configuration, String... classes) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .configurationParameters(configuration)
                        .selectors(
                                Arrays.stream(classes)
                                        .map(name -> selectClass("orrery.junit.sample." + name))
                                        .toList())
                        .filters(EngineFilter.includeEngines(List.of("junit-jupiter")))
                        .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }
}
