package orrery.tests.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the runner with a Maven that only looks like one: it copies reports, one set for the first
 * run and another for the run of those that may run again.
 */
@DisabledOnOs(OS.WINDOWS)
class SecondChanceTest {
    private static final String FAKE_MAVEN =
            """
            #!/bin/sh
            which=first
            for argument; do
                case $argument in
                    -Dtest.groups=*) which=again ;;
                esac
            done
            echo "$which $*" >>calls
            echo '[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1.5 s -- in a.BTest'
            mkdir -p module/target/surefire-reports
            cp "$which"/* module/target/surefire-reports/ 2>/dev/null
            exit 0
            """;

    private static final String PASSED = "<testcase name=\"%s\" classname=\"%s\" time=\"0.5\"/>";
    private static final String FAILED =
            "<testcase name=\"%s\" classname=\"%s\" time=\"1,000.5\"><failure>seed 42</failure></testcase>";

    @TempDir Path root;

    private record Run(boolean isGreen, String output) {}

    @BeforeEach
    void unpack() throws IOException {
        Path maven = Files.writeString(root.resolve("mvn"), FAKE_MAVEN);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectories(root.resolve("first"));
        Files.createDirectories(root.resolve("again"));
    }

    private void report(String which, String suite, String... cases) throws IOException {
        Files.writeString(
                root.resolve(which).resolve("TEST-" + suite + ".xml"),
                "<testsuite name=\"" + suite + "\">" + String.join("", cases) + "</testsuite>");
    }

    private Run run() throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Workspace workspace =
                new Workspace(
                        root,
                        Path.of(System.getProperty("java.home")),
                        root.resolve("mvn").toString(),
                        "");
        Console console = new Console(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        boolean isGreen =
                new Main(Arguments.parse(List.of("-pl", "module")), workspace, console).run();
        return new Run(isGreen, bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aRunWithoutFailuresIsGreenAndNothingRunsAgain() throws Exception {
        report("first", "a.BTest", PASSED.formatted("works", "a.BTest"));

        Run run = run();

        assertThat(run.isGreen()).isTrue();
        assertThat(run.output()).contains("1 passed, 0 failed, 0 flaky in all");
        assertThat(Files.readAllLines(root.resolve("calls"))).hasSize(1);
    }

    @Test
    void aTestThatPassesAloneIsNamedAsFlaky() throws Exception {
        report(
                "first",
                "a.BTest",
                PASSED.formatted("works", "a.BTest"),
                FAILED.formatted("waits{int}[2]", "a.BTest"));
        report("again", "a.BTest", PASSED.formatted("waits{int}[2]", "a.BTest"));

        Run run = run();

        assertThat(run.isGreen()).isTrue();
        assertThat(run.output())
                .contains("FLAKY: a.BTest.waits failed, and passed when it ran alone (1 time")
                .contains("1 passed, 0 failed, 1 flaky in all");
        assertThat(Files.readAllLines(root.resolve("calls")).getLast())
                .contains("-pl module -am -Dtest=a.BTest#waits -Dtest.groups=client | timing");
    }

    @Test
    void aClassThatCouldNotBeSetUpMayPassAlone() throws Exception {
        report("first", "a.BTest", FAILED.formatted("", "a.BTest"));
        report(
                "again",
                "a.BTest",
                PASSED.formatted("works", "a.BTest"),
                PASSED.formatted("waits", "a.BTest"));

        Run run = run();

        assertThat(run.isGreen()).isTrue();
        assertThat(run.output()).contains("FLAKY: a.BTest failed");
    }

    @Test
    void aClassOfWhichATestFailsAgainIsRed() throws Exception {
        report("first", "a.BTest", FAILED.formatted("", "a.BTest"));
        report(
                "again",
                "a.BTest",
                PASSED.formatted("works", "a.BTest"),
                FAILED.formatted("waits", "a.BTest"));

        assertThat(run().isGreen()).isFalse();
    }

    @Test
    void aTestThatFailsAgainIsRed() throws Exception {
        report("first", "a.BTest", FAILED.formatted("waits", "a.BTest"));
        report("again", "a.BTest", FAILED.formatted("waits", "a.BTest"));

        Run run = run();

        assertThat(run.isGreen()).isFalse();
        assertThat(run.output())
                .contains("FAILED a.BTest waits\n  seed 42")
                .doesNotContain("FLAKY");
    }

    /** Maven leaves out what has no such tag, so that there is no second report of it. */
    @Test
    void aTestWithoutTheTagsIsRedAndItsSeedIsKept() throws Exception {
        report("first", "a.GrowthCrashTest", FAILED.formatted("survives", "a.GrowthCrashTest"));

        Run run = run();

        assertThat(run.isGreen()).isFalse();
        assertThat(run.output()).contains("crash").contains("0 passed, 1 failed, 0 flaky in all");
        assertThat(root.resolve("target/test/failed/a.GrowthCrashTest.survives.txt"))
                .content()
                .contains("seed 42");
    }

    /** Surefire writes such characters as they are, or by their number. */
    @Test
    void aReportMayHaveCharactersThatXmlLeavesOut() throws Exception {
        report(
                "first",
                "a.BTest",
                "<system-out><![CDATA[before \uFFFF\u0001 \uFFFE]]></system-out>",
                FAILED.formatted("reads", "a.BTest")
                        .replace("seed 42", "seed&#32;42 \uFFFF &#xffff; &#0; &#99999999999; end"));

        Run run = run();

        assertThat(run.isGreen()).isFalse();
        assertThat(run.output())
                .contains("FAILED a.BTest reads\n  seed 42 \uFFFD \uFFFD \uFFFD \uFFFD end");
    }

    @Test
    void theThirdFlakeOfOneNameIsRed() throws Exception {
        report("first", "a.BTest", FAILED.formatted("waits", "a.BTest"));
        report("again", "a.BTest", PASSED.formatted("waits", "a.BTest"));

        assertThat(run().isGreen()).isTrue();
        assertThat(run().isGreen()).isTrue();
        Run third = run();

        assertThat(third.isGreen()).isFalse();
        assertThat(third.output())
                .contains("(3 times in this checkout): red from the third time on");
    }
}
