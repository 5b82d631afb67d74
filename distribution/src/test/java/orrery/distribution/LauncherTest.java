package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code bin/orrery} with JDKs that only look like ones: their {@code java} prints its
 * arguments, one a line, or plays the training run that writes the start-up cache.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final String FAKE_JAVA =
            """
            #!/bin/sh
            for argument; do
                case $argument in
                    -XX:AOTCacheOutput=*)
                        echo trained >>"%1$s/runs"
                        [ ! -e "%1$s/training-fails" ] || exit 1
                        echo cache >"${argument#*=}"
                        exit 0
                        ;;
                esac
            done
            echo "musl=${ROCKSDB_MUSL_LIBC:-}"
            echo "umask=$(umask)"
            printf '%%s\\n' "$@"
            exit 7
            """;

    /** The date of a distribution's files: every change that the launcher makes is newer. */
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir Path temporary;
    private Path home;
    private Path user;

    private record Outcome(int exitCode, List<String> output, String errors) {}

    @BeforeEach
    void unpack() throws IOException {
        home = temporary.resolve("a distribution");
        user = Files.createDirectories(temporary.resolve("user"));
        var source = SourceTree.read().root().resolve("distribution/src/main/dist/bin");
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib/native"));
        for (var name : List.of("orrery", "find-java.sh", "jvm.options")) {
            Files.copy(
                    source.resolve(name),
                    home.resolve("bin").resolve(name),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        for (var name : List.of("lib/b.jar", "lib/B.jar", "lib/a-1.jar", "bin/jvm.options")) {
            if (!Files.exists(home.resolve(name))) {
                Files.createFile(home.resolve(name));
            }
            Files.setLastModifiedTime(home.resolve(name), FileTime.from(LONG_AGO));
        }
    }

    private Path jdk(String place, String version, String libc) throws IOException {
        var jdk = temporary.resolve(place);
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(
                jdk.resolve("release"),
                "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"%s\"\nLIBC=\"%s\"\n".formatted(version, libc));
        var java = Files.writeString(jdk.resolve("bin/java"), FAKE_JAVA.formatted(temporary));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return jdk;
    }

    private Outcome run(Map<String, String> environment, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(home.resolve("bin/orrery").toString()));
        command.addAll(List.of(arguments));
        var errors = temporary.resolve("errors");
        var builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(JAVA|ORRERY|ROCKSDB).*"));
        builder.environment().put("HOME", user.toString());
        builder.environment().putAll(environment);
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), output.lines().toList(), Files.readString(errors));
    }

    private int trainingRuns() throws IOException {
        var runs = temporary.resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    @Test
    void startsTheServerAndPassesOnItsExitCode() throws Exception {
        var jdk = jdk("jdk", "25.0.3", "gnu");
        var outcome =
                run(
                        Map.of(
                                "ORRERY_JAVA_HOME", jdk.toString(),
                                "ORRERY_OPTS", "-Xmx1g -Dx=y",
                                "ORRERY_AOT", "off"),
                        "start",
                        "--data",
                        "two words");
        var lib = home.toRealPath().resolve("lib");
        assertThat(outcome.output())
                .containsExactly(
                        "musl=false",
                        "umask=0077",
                        "@" + home.toRealPath().resolve("bin/jvm.options"),
                        "-Dorrery.home=" + home.toRealPath(),
                        "-Dorrery.native.dir=" + lib.resolve("native"),
                        "-Xmx1g",
                        "-Dx=y",
                        "-cp",
                        // In byte order in every locale.
                        lib.resolve("B.jar")
                                + ":"
                                + lib.resolve("a-1.jar")
                                + ":"
                                + lib.resolve("b.jar"),
                        "orrery.server.Main",
                        "start",
                        "--data",
                        "two words");
        assertThat(outcome.exitCode()).isEqualTo(7);
        assertThat(outcome.errors()).isEmpty();
        assertThat(trainingRuns()).isZero();
    }

    @Test
    void worksThroughASymbolicLink() throws Exception {
        var jdk = jdk("jdk", "25", "musl");
        var link = Files.createSymbolicLink(temporary.resolve("link"), home.resolve("bin/orrery"));
        var process = new ProcessBuilder(link.toString(), "keys").redirectErrorStream(true);
        process.environment().put("ORRERY_JAVA_HOME", jdk.toString());
        process.environment().remove("ROCKSDB_MUSL_LIBC");
        var output =
                new String(process.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).startsWith("musl=true\n").contains("orrery.server.Main\nkeys\n");
    }

    @Test
    void findsAJdkInTheHomeDirectoryAndPassesOverOldOnes() throws Exception {
        jdk("user/.jdks/a-24", "24.0.1", "gnu");
        var fits = jdk("user/.jdks/b-25", "25.0.1", "gnu");
        jdk("user/.jdks/c-26", "26-ea", "gnu");
        var outcome =
                shell(
                        "JAVA_HOME='%s'; find_java && echo \"$ORRERY_JAVA\""
                                .formatted(jdk("old", "17.0.15", "gnu")));
        // A JDK 25 of the machine itself may come first; never one of the wrong version.
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output().getFirst()).doesNotContain("a-24", "c-26", "old");
        var release = shell("java_fits '%s'; echo $?".formatted(fits));
        assertThat(release.output()).containsExactly("0");
    }

    @Test
    void saysInOneSentenceWhatToInstall() throws Exception {
        // Nothing on a machine is new enough for this.
        var outcome = shell("PATH=/usr/bin:/bin; ORRERY_JAVA_MINIMUM=999; find_java");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors().lines())
                .singleElement()
                .asString()
                .startsWith("orrery: no JDK 999 or newer found; install one");
    }

    @Test
    void refusesANamedJdkThatIsTooOld() throws Exception {
        var old = jdk("old", "21.0.2", "gnu");
        var outcome = run(Map.of("ORRERY_JAVA_HOME", old.toString()), "start");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .isEqualTo(
                        "orrery: ORRERY_JAVA_HOME is %s, which is not a JDK 25 or newer.\n"
                                .formatted(old));
    }

    private Outcome shell(String script) throws Exception {
        var errors = temporary.resolve("errors");
        var builder =
                new ProcessBuilder("sh", "-c", ". '" + home + "/bin/find-java.sh'; " + script)
                        .redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(JAVA|ORRERY).*"));
        builder.environment().put("HOME", user.toString());
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output.lines().toList(), Files.readString(errors));
    }

    @Test
    void makesTheStartUpCacheOnce() throws Exception {
        var environment = Map.of("ORRERY_JAVA_HOME", jdk("jdk", "25.0.3", "gnu").toString());
        var cache = "-XX:AOTCache=" + home.toRealPath().resolve("lib/aot/orrery.aot");

        assertThat(run(environment, "cert").output()).doesNotContain(cache);
        assertThat(trainingRuns()).as("only a server is worth it").isZero();
        assertThat(run(environment, "start").output()).contains(cache);
        assertThat(run(environment, "start").output()).contains(cache);
        assertThat(run(environment, "cert").output()).contains(cache);
        assertThat(trainingRuns()).isEqualTo(1);

        // Another JDK, then other jars: each needs a new one.
        jdk("jdk", "25.0.4", "gnu");
        assertThat(run(environment, "start").output()).contains(cache);
        assertThat(trainingRuns()).isEqualTo(2);
        Files.setLastModifiedTime(
                home.resolve("lib/b.jar"),
                FileTime.from(
                        Files.getLastModifiedTime(home.resolve("lib/aot/orrery.aot"))
                                .toInstant()
                                .plusSeconds(2)));
        assertThat(run(environment, "start").output()).contains(cache);
        assertThat(trainingRuns()).isEqualTo(3);
    }

    @Test
    void startsWithoutACacheThatCannotBeMade() throws Exception {
        Files.createFile(temporary.resolve("training-fails"));
        var environment = Map.of("ORRERY_JAVA_HOME", jdk("jdk", "25.0.3", "gnu").toString());
        for (var i = 0; i < 2; i++) {
            var outcome = run(environment, "start");
            assertThat(outcome.exitCode()).isEqualTo(7);
            assertThat(outcome.output()).noneMatch(line -> line.startsWith("-XX:AOTCache"));
        }
        assertThat(trainingRuns()).as("not tried again in vain").isEqualTo(1);
        assertThat(home.resolve("lib/aot/lock")).doesNotExist();
    }
}
