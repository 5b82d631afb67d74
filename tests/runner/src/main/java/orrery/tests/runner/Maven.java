package orrery.tests.runner;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs Maven. Its output goes to a log, and people see a line for each module and each class. */
final class Maven {
    private static final Pattern MODULE = Pattern.compile(".*Building (\\S+) .*\\[(\\d+/\\d+)]$");
    private static final Pattern CLASS =
            Pattern.compile(
                    ".*Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+),"
                            + " Time elapsed: ([\\d.,]+) s.* in (\\S+)$");

    /** How much of an error of the build is shown; the log has the rest. */
    private static final int SHOWN_ERRORS = 40;

    private final Workspace workspace;
    private final Console console;
    private final Arguments arguments;

    Maven(Workspace workspace, Console console, Arguments arguments) {
        this.workspace = workspace;
        this.console = console;
        this.arguments = arguments;
    }

    /** Runs the tests of all modules but the one that drives servers with the Java SDKs. */
    List<TestResult> testModules(String part) throws InterruptedException {
        return test(part, List.of("-pl", "!" + Workspace.JAVA_SDK), module -> !isJavaSdk(module));
    }

    List<TestResult> testJavaSdk(String part) throws InterruptedException {
        return test(part, List.of("-pl", Workspace.JAVA_SDK), Maven::isJavaSdk);
    }

    private static boolean isJavaSdk(String module) {
        return module.equals(Workspace.JAVA_SDK);
    }

    /** Runs what these words of Maven's select. */
    List<TestResult> test(String part, List<String> words) throws InterruptedException {
        return test(part, words, module -> true);
    }

    /**
     * A failed test does not end the run. What is compiled is not compiled again.
     *
     * @param modules whose reports are of this run: others may be written at the same time
     */
    private List<TestResult> test(String part, List<String> words, Predicate<String> modules)
            throws InterruptedException {
        try {
            Reports.clear(workspace.root(), modules);
            List<String> all =
                    new ArrayList<>(
                            List.of("verify", "--fail-at-end", "-Dmaven.test.failure.ignore=true"));
            all.addAll(words);
            int exit = run(part, all);
            List<TestResult> results = new ArrayList<>(Reports.read(workspace.root(), modules));
            if (exit != 0) {
                results.add(
                        new TestResult(
                                "",
                                part,
                                "Maven",
                                0,
                                TestResult.Outcome.FAILED,
                                "Maven ended with " + exit + "; see the log."));
            }
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the classes of these modules alone; those they depend on are only compiled. */
    List<TestResult> testOnly(String part, List<String> modules) throws InterruptedException {
        return test(
                part,
                List.of(
                        "-pl",
                        String.join(",", modules),
                        "-am",
                        "-Dspotless.check.skip=true",
                        "-Dtest=" + classesOf(modules),
                        "-Dsurefire.failIfNoSpecifiedTests=false"));
    }

    private String classesOf(List<String> modules) {
        return modules.stream()
                .map(module -> workspace.root().resolve(module).resolve("src/test/java"))
                .filter(Files::isDirectory)
                .flatMap(Maven::testClasses)
                .collect(Collectors.joining(","));
    }

    private static java.util.stream.Stream<String> testClasses(Path sources) {
        try (var files = Files.walk(sources)) {
            return files
                    .map(file -> sources.relativize(file).toString())
                    .filter(name -> name.matches(".*(Test|Properties|Simulation)\\.java"))
                    .map(name -> name.replaceFirst("\\.java$", ""))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int run(String part, List<String> words) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command(words));
        builder.directory(workspace.root().toFile()).redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().put("JAVA_HOME", workspace.javaHome().toString());
        builder.environment().put("MAVEN_OPTS", workspace.mavenOptions());
        arguments.setServerFlags(builder.environment());
        Path log = workspace.log(part);
        console.say(part, "log: " + workspace.shortName(log));
        List<String> errors = new ArrayList<>();
        try (BufferedWriter file = Files.newBufferedWriter(log)) {
            Process process = builder.start();
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    file.write(line);
                    file.newLine();
                    show(part, line, errors);
                }
            }
            int exit = process.waitFor();
            if (exit != 0) {
                errors.stream().limit(SHOWN_ERRORS).forEach(line -> console.say(part, line));
            }
            return exit;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(List<String> words) {
        List<String> command =
                new ArrayList<>(List.of(workspace.mavenCommand(), "-B", "-Dstyle.color=never"));
        if (arguments.isLong()) {
            command.addAll(List.of("-Dlong.tests", "-Darchive"));
        }
        List<String> flags = arguments.withNatives(List.of());
        if (!flags.isEmpty()) {
            command.add("-Dtest.flags=" + String.join(" ", flags));
        }
        command.addAll(words);
        return command;
    }

    private void show(String part, String line, List<String> errors) {
        Matcher module = MODULE.matcher(line);
        if (module.matches()) {
            console.say(part, module.group(1) + " (" + module.group(2) + ")");
            return;
        }
        Matcher tests = CLASS.matcher(line);
        if (tests.matches()) {
            int failed = Integer.parseInt(tests.group(2)) + Integer.parseInt(tests.group(3));
            console.say(
                    part,
                    "  %4s tests in %6s s  %s%s"
                            .formatted(
                                    tests.group(1),
                                    tests.group(5),
                                    tests.group(6),
                                    failed == 0 ? "" : "  " + failed + " FAILED"));
            return;
        }
        if (line.startsWith("[ERROR]") || line.matches("\\[WARNING] .*\\.java:.*")) {
            errors.add(line);
        }
    }
}
