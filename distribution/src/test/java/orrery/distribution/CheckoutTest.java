package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs {@code ./orrery} of a checkout that has nothing but the launchers, with a Maven that only
 * writes down what it is asked and makes a distribution whose launcher prints its arguments.
 */
@DisabledOnOs(OS.WINDOWS)
class CheckoutTest {
    private static final String FAKE_MAVEN =
            """
            #!/bin/sh
            echo "$@" >>"$CHECKOUT/maven-runs"
            [ ! -e "$CHECKOUT/fails" ] || { echo '[ERROR] Thing.java:[3,1] wrong'; exit 1; }
            [ ! -p "$CHECKOUT/started" ] || { echo $$ >"$CHECKOUT/started"; read x <"$CHECKOUT/wait"; }
            mkdir -p distribution/target/dist/bin
            printf '#!/bin/sh\\necho "started $*"\\n' >distribution/target/dist/bin/orrery
            chmod +x distribution/target/dist/bin/orrery
            touch distribution/target/built
            """;

    @TempDir Path temporary;
    private Path root;
    private Path tools;

    private record Outcome(int exitCode, List<String> output, List<String> errors) {}

    @BeforeEach
    void checkOut() throws IOException {
        root = Files.createDirectories(temporary.resolve("a checkout"));
        tools = Files.createDirectories(temporary.resolve("tools"));
        var source = SourceTree.read().root();
        for (var name : List.of("orrery", "pom.xml", "bench/help.txt")) {
            Files.createDirectories(parent(root.resolve(name)));
            Files.copy(
                    source.resolve(name), root.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        copyTree(
                source.resolve("distribution/src/main/dist"),
                root.resolve("distribution/src/main/dist"));
        script(tools.resolve("mvn"), FAKE_MAVEN);
        var jdk = temporary.resolve("jdk");
        script(jdk.resolve("bin/java"), "#!/bin/sh\n");
        script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        var copy = to.resolve(from.relativize(file).toString());
                        Files.createDirectories(parent(copy));
                        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(parent(file));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private ProcessBuilder builder(Map<String, String> environment, List<String> command) {
        var builder = new ProcessBuilder(command).directory(root.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(JAVA|ORRERY|MAVEN).*"));
        builder.environment().put("CHECKOUT", root.toString());
        builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        builder.environment().put("ORRERY_JAVA_HOME", temporary.resolve("jdk").toString());
        builder.environment().putAll(environment);
        builder.redirectError(temporary.resolve("errors").toFile());
        return builder;
    }

    private Outcome run(Map<String, String> environment, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(root.resolve("orrery").toString()));
        command.addAll(List.of(arguments));
        return outcome(builder(environment, command).start());
    }

    private Outcome outcome(Process process) throws Exception {
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Outcome(
                process.exitValue(),
                output.lines().toList(),
                Files.readAllLines(temporary.resolve("errors")));
    }

    private List<String> mavenRuns() throws IOException {
        var runs = root.resolve("maven-runs");
        return Files.exists(runs) ? Files.readAllLines(runs) : List.of();
    }

    @Test
    void startBuildsOnceWithoutTestsAndChecks() throws Exception {
        var first = run(Map.of(), "start", "--port", "1");
        assertThat(first.output()).containsExactly("started start --port 1");
        assertThat(first.errors().getFirst())
                .isEqualTo("orrery: building (log: target/build.log) ...");
        assertThat(first.errors().getLast()).matches("orrery: built in \\d+ s");
        assertThat(mavenRuns())
                .singleElement()
                .asString()
                .contains("-Dquick package -pl distribution -am");

        var second = run(Map.of(), "start");
        assertThat(second.output()).containsExactly("started start");
        assertThat(second.errors()).isEmpty();
        assertThat(mavenRuns()).hasSize(1);
    }

    @Test
    void onlyANewerSourceOfAModuleIsBuiltAnew() throws Exception {
        run(Map.of(), "start");
        var later = FileTime.from(Instant.now().plusSeconds(60));
        var stranger = Files.createDirectories(root.resolve("hello")).resolve("pom.xml");
        Files.writeString(stranger, "<project/>");
        Files.setLastModifiedTime(stranger, later);
        run(Map.of(), "stop");
        assertThat(mavenRuns()).hasSize(1);

        Files.setLastModifiedTime(root.resolve("distribution/src/main/dist/bin/orrery"), later);
        run(Map.of(), "stop");
        assertThat(mavenRuns()).hasSize(2);
    }

    /** A class of a quick build must never pass for checked. */
    @Test
    void quickBuildsHaveDirectoriesOfTheirOwn() throws Exception {
        var pom = Files.readString(root.resolve("pom.xml"));
        assertThat(pom).contains("<directory>${project.basedir}/${target.name}</directory>");
        var quick = pom.substring(pom.indexOf("<id>quick</id>"));
        assertThat(quick.substring(0, quick.indexOf("</profile>")))
                .contains("<property><name>quick</name></property>")
                .contains("<target.name>target/quick</target.name>")
                .contains("<maven.test.skip>true</maven.test.skip>");
    }

    @Test
    void failedBuildSaysWhatMavenSaid() throws Exception {
        Files.createFile(root.resolve("fails"));
        var outcome = run(Map.of(), "start");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .contains(
                        "orrery: the build failed; target/build.log says:",
                        "[ERROR] Thing.java:[3,1] wrong");
    }

    /** Maven tells that it runs through one pipe, and waits at the other. */
    private void letMavenWait() throws Exception {
        for (var pipe : List.of("started", "wait")) {
            var made = new ProcessBuilder("mkfifo", root.resolve(pipe).toString()).start();
            assertThat(made.waitFor()).isZero();
        }
    }

    private Process start() throws IOException {
        return builder(Map.of(), List.of(root.resolve("orrery").toString(), "start")).start();
    }

    @Test
    @Timeout(300)
    void aBuildWhoseLauncherWasKilledIsWaitedFor() throws Exception {
        letMavenWait();
        var killed = start();
        assertThat(Files.readString(root.resolve("started"))).isNotBlank();
        killed.destroyForcibly().waitFor();
        Files.delete(root.resolve("started"));

        var next = start();
        try {
            while (!Files.readString(temporary.resolve("errors")).contains("is under way, ")) {
                assertThat(mavenRuns()).hasSize(1);
                assertThat(next.isAlive()).isTrue();
            }
        } finally {
            Files.writeString(root.resolve("wait"), "go on\n");
        }

        var outcome = outcome(next);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).containsExactly("started start");
        assertThat(root.resolve("target/build.lock")).doesNotExist();
    }

    @Test
    void aCheckoutThatCannotBeWrittenIsNamed() throws Exception {
        Files.createFile(root.resolve("target"));
        var outcome = run(Map.of(), "start");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .singleElement()
                .asString()
                .startsWith("orrery: " + root.resolve("target") + " cannot be written");
        assertThat(mavenRuns()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143"})
    void signalStopsTheBuild(String signal, int exitCode) throws Exception {
        // Children of a JVM that ignores the signal ignore it as well.
        var probe = new ProcessBuilder("sh", "-c", "kill -" + signal + " $$; echo ignored").start();
        assumeFalse(probe.inputReader(StandardCharsets.UTF_8).lines().anyMatch("ignored"::equals));
        letMavenWait();

        var process = start();
        var maven = Long.parseLong(Files.readString(root.resolve("started")).strip());
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();

        var outcome = outcome(process);
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
        assertThat(outcome.errors().getLast()).isEqualTo("orrery: stopped");
        assertThat(outcome.errors()).noneMatch(line -> line.contains("failed"));
        ProcessHandle.of(maven).ifPresent(handle -> handle.onExit().join());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--help",
                "help",
                "help start",
                "help bench",
                "start --help",
                "build --help",
                "build --archive -h",
                "format --help",
                "test --help",
                "bench --help",
                "pages --help",
                "--version",
                "version"
            })
    void helpNeedsNoBuildAndNoJdk(String arguments) throws Exception {
        var outcome =
                run(
                        Map.of("ORRERY_JAVA_HOME", "/nonexistent"),
                        arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).isNotEmpty();
        assertThat(outcome.errors()).isEmpty();
        assertThat(mavenRuns()).isEmpty();
    }

    @Test
    void typingErrorNeedsNoBuild() throws Exception {
        var outcome = run(Map.of("ORRERY_JAVA_HOME", "/nonexistent"), "biuld");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors())
                .containsExactly(
                        "orrery: there is no command 'biuld'. Did you mean 'build'?"
                                + " `orrery --help` lists the commands.");
        assertThat(mavenRuns()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void packagesAreAnnouncedAndCanBeRefused(String install) throws Exception {
        script(tools.resolve("id"), "#!/bin/sh\necho 0\n");
        script(tools.resolve("apt-get"), "#!/bin/sh\necho \"$@\" >>\"$CHECKOUT/installed\"\n");
        var function =
                "eval \"$(sed -n '/^install_package() {/,/^}/p' orrery)\";"
                        + " install_package nodejs npm";
        var outcome =
                outcome(
                        builder(Map.of("ORRERY_INSTALL", install), List.of("bash", "-c", function))
                                .start());
        var names = "the Debian packages nodejs npm";
        if (install.equals("yes")) {
            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.errors())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "orrery: installing " + names + " with apt-get, for the JavaScript");
            assertThat(root.resolve("installed")).hasContent("install -y -q nodejs npm");
        } else {
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.errors())
                    .singleElement()
                    .asString()
                    .contains(names + " are needed for the JavaScript SDK tests");
            assertThat(root.resolve("installed")).doesNotExist();
        }
    }
}
