package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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
 * arguments, one a line.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final String FAKE_JAVA =
            """
            #!/bin/sh
            echo "musl=${ROCKSDB_MUSL_LIBC:-}"
            echo "umask=$(umask)"
            printf '%s\\n' "$@"
            exit 7
            """;

    @TempDir Path temporary;
    private Path home;
    private Path user;

    private record Outcome(int exitCode, List<String> output, String errors) {}

    @BeforeEach
    void unpack() throws IOException {
        home = temporary.resolve("a distribution");
        user = Files.createDirectories(temporary.resolve("user"));
        var source = SourceTree.read().root().resolve("distribution/src/main/dist");
        for (var directory : List.of("bin", "help")) {
            Files.createDirectories(home.resolve(directory));
            try (var files = Files.list(source.resolve(directory))) {
                for (var file : files.toList()) {
                    Files.copy(
                            file,
                            home.resolve(directory).resolve(String.valueOf(file.getFileName())),
                            StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Files.writeString(home.resolve("VERSION"), "1.2.3\n");
        Files.createDirectories(home.resolve("lib/native"));
        for (var name : List.of("lib/b.jar", "lib/B.jar", "lib/a-1.jar")) {
            Files.createFile(home.resolve(name));
        }
    }

    private Path jdk(String place, String version, String libc) throws IOException {
        var jdk = temporary.resolve(place);
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(
                jdk.resolve("release"),
                "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"%s\"\nLIBC=\"%s\"\n".formatted(version, libc));
        var java = Files.writeString(jdk.resolve("bin/java"), FAKE_JAVA);
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
                        "-Dorrery.called=" + home.resolve("bin/orrery"),
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
    }

    @Test
    void worksThroughASymbolicLink() throws Exception {
        var jdk = jdk("jdk", "25", "musl");
        var link = Files.createSymbolicLink(temporary.resolve("link"), home.resolve("bin/orrery"));
        var process = new ProcessBuilder(link.toString(), "cert").redirectErrorStream(true);
        process.environment().put("ORRERY_JAVA_HOME", jdk.toString());
        process.environment().remove("ROCKSDB_MUSL_LIBC");
        var output =
                new String(process.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).startsWith("musl=true\n").contains("orrery.server.Main\ncert\n");
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
    void namesTheStartUpCacheThatIsThere() throws Exception {
        var jdk = jdk("jdk", "25.0.3", "gnu").toString();
        var flag = "-XX:AOTCache=" + home.toRealPath().resolve("lib/aot/orrery.aot");

        assertThat(run(Map.of("ORRERY_JAVA_HOME", jdk), "start").output()).doesNotContain(flag);
        Files.createDirectories(home.resolve("lib/aot"));
        Files.createFile(home.resolve("lib/aot/orrery.aot"));
        assertThat(run(Map.of("ORRERY_JAVA_HOME", jdk), "start").output()).contains(flag);
        assertThat(run(Map.of("ORRERY_JAVA_HOME", jdk), "cert").output()).contains(flag);
        var jar = home.resolve("lib/b.jar");
        var before = Files.getLastModifiedTime(jar);
        var cached = Files.getLastModifiedTime(home.resolve("lib/aot/orrery.aot")).toInstant();
        Files.setLastModifiedTime(jar, FileTime.from(cached.plusSeconds(2)));
        assertThat(run(Map.of("ORRERY_JAVA_HOME", jdk), "start").output())
                .as("a jar that was replaced")
                .doesNotContain(flag);
        Files.setLastModifiedTime(jar, before);
        assertThat(run(Map.of("ORRERY_JAVA_HOME", jdk, "ORRERY_AOT", "off"), "start").output())
                .doesNotContain(flag);
    }

    @Test
    void usesTheRuntimeOfTheDistributionFirst() throws Exception {
        var other = jdk("other", "25.0.3", "musl").toString();
        jdk("a distribution/runtime", "25.0.3", "gnu");

        assertThat(run(Map.of("JAVA_HOME", other), "start").output()).contains("musl=false");
        assertThat(run(Map.of("ORRERY_JAVA_HOME", other), "start").output()).contains("musl=true");
    }

    /** An environment in which every search for a JDK fails. */
    private static final Map<String, String> NO_JDK = Map.of("ORRERY_JAVA_HOME", "/nonexistent");

    @Test
    void helpNeedsNoJvm() throws Exception {
        var pages = home.resolve("help");
        assertThat(run(NO_JDK).output()).isEqualTo(lines(pages, "overview"));
        for (var asked : List.of("--help", "-h", "help")) {
            assertThat(run(NO_JDK, asked).output()).isEqualTo(lines(pages, "orrery"));
        }
        assertThat(run(NO_JDK, "help", "start").output()).isEqualTo(lines(pages, "start"));
        assertThat(run(NO_JDK, "start", "--port", "1", "--help").output())
                .isEqualTo(lines(pages, "start"));
        assertThat(run(NO_JDK, "help", "keys", "new").output()).isEqualTo(lines(pages, "keys.new"));
        assertThat(run(NO_JDK, "keys", "new", "-h").output()).isEqualTo(lines(pages, "keys.new"));
        for (var asked : List.of("--version", "-V", "version")) {
            var outcome = run(NO_JDK, asked);
            assertThat(outcome.output()).containsExactly("Orrery 1.2.3");
            assertThat(outcome.exitCode()).isZero();
        }
    }

    private static List<String> lines(Path pages, String name) throws IOException {
        return Files.readAllLines(pages.resolve(name + ".txt"));
    }

    @Test
    void typingErrorsNeedNoJvm() throws Exception {
        assertRefused(
                "there is no command 'strat'. Did you mean 'start'?"
                        + " `orrery --help` lists the commands.",
                "strat");
        assertRefused("there is no command 'begin'. `orrery --help` lists the commands.", "begin");
        assertRefused(
                "there is no command 'keys nwe'. Did you mean 'keys new'?"
                        + " `orrery keys --help` lists the commands.",
                "keys",
                "nwe");
        assertRefused(
                "`orrery start` has no option '--prot'. Did you mean '--port'?"
                        + " `orrery start --help` lists the options.",
                "start",
                "--host",
                "--prot",
                "--prot=1");
        assertRefused(
                "`orrery` has no option '--vresion'. Did you mean '--version'?"
                        + " `orrery --help` lists the options.",
                "--vresion");
    }

    private void assertRefused(String said, String... arguments) throws Exception {
        var outcome = run(NO_JDK, arguments);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors().lines()).containsExactly("orrery: " + said);
    }
}
