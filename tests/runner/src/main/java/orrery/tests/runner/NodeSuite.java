package orrery.tests.runner;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import orrery.tests.runner.TestResult.Outcome;

/**
 * The tests of the JavaScript SDKs. Their files wait in a queue, and each lane that has nothing
 * else left takes one after the other. Node's report in TAP form tells of each test.
 */
final class NodeSuite {
    static final String MODULE = "tests/sdk-node";

    /** Clones and builds everything twice. */
    static final String NEWCOMER = "../newcomer/newcomer.test.mjs";

    private static final String PART = "node-sdk";
    private static final Pattern RESULT =
            Pattern.compile("^ *(not )?ok \\d+ - (.*?)( # [A-Z]{4}.*)?$");

    /** Limits what is kept of Node's words about a failed test. */
    private static final int KEPT_LINES = 40;

    private final Workspace workspace;
    private final Console console;
    private final Arguments arguments;

    // Both are guarded by this object.
    private final Queue<String> waiting = new ArrayDeque<>();
    private boolean isPrepared;

    NodeSuite(Workspace workspace, Console console, Arguments arguments) {
        this.workspace = workspace;
        this.console = console;
        this.arguments = arguments;
    }

    /** Runs files until none waits any longer. */
    List<TestResult> runWaiting() throws InterruptedException {
        List<TestResult> results = new ArrayList<>();
        try {
            if (!prepare()) {
                return List.of(failure("npm ci", "`npm ci` failed: see its log above."));
            }
            for (var file = next(); file.isPresent(); file = next()) {
                results.addAll(run(file.get(), PART));
            }
        } catch (IOException e) {
            return List.of(failure("node", "Node cannot be started: " + e.getMessage()));
        }
        return results;
    }

    /** Fills the queue, once. A second lane waits here until that is done. */
    private synchronized boolean prepare() throws IOException, InterruptedException {
        if (isPrepared) {
            return true;
        }
        isPrepared = true;
        console.say(PART, "logs: " + workspace.shortName(workspace.log(PART + "-*")));
        if (!installPackages()) {
            return false;
        }
        waiting.addAll(files());
        if (arguments.isLong()) {
            waiting.add(NEWCOMER);
        }
        return true;
    }

    private synchronized Optional<String> next() {
        return Optional.ofNullable(waiting.poll());
    }

    /** Runs some files once more. */
    List<TestResult> runAgain(List<String> files) throws InterruptedException {
        List<TestResult> results = new ArrayList<>();
        try {
            for (String file : files) {
                results.addAll(run(file, PART + "-again"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return results;
    }

    private Path directory() {
        return workspace.root().resolve(MODULE);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory().resolve("test"))) {
            return files.map(file -> "test/" + file.getFileName())
                    .filter(name -> name.endsWith(".test.mjs"))
                    .sorted()
                    .toList();
        }
    }

    /** Only when the lock file has changed. */
    private boolean installPackages() throws IOException, InterruptedException {
        Path wanted = directory().resolve("package-lock.json");
        Path installed = directory().resolve("node_modules/.orrery-lock");
        if (Files.exists(installed) && Files.mismatch(wanted, installed) < 0) {
            return true;
        }
        console.say(PART, "npm ci");
        Path log = workspace.log("npm");
        Process npm =
                process("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
                        .redirectOutput(log.toFile())
                        .start();
        if (npm.waitFor() != 0) {
            Files.readAllLines(log).stream()
                    .limit(KEPT_LINES)
                    .forEach(line -> console.say(PART, line));
            return false;
        }
        Files.createDirectories(installed.getParent());
        Files.copy(wanted, installed, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }

    private List<TestResult> run(String file, String part)
            throws IOException, InterruptedException {
        ProcessBuilder builder = process("node", "--test", "--test-reporter=tap", file);
        builder.environment().put("ORRERY_DIST", workspace.distribution().toString());
        if (arguments.isLong()) {
            builder.environment().put("ORRERY_LONG", "1");
        }
        arguments.setServerFlags(builder.environment());
        long began = System.nanoTime();
        Process process = builder.start();
        Tap tap = new Tap(file);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                BufferedWriter log = Files.newBufferedWriter(log(part, file))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.write(line);
                log.newLine();
                tap.read(line);
            }
        }
        int exit = process.waitFor();
        double seconds = (System.nanoTime() - began) / 1e9;
        List<TestResult> results = tap.results(seconds);
        if (exit != 0 && results.stream().noneMatch(TestResult::failed)) {
            results.add(failure(file, "Node ended with " + exit + "; see the log."));
        }
        long failed = results.stream().filter(TestResult::failed).count();
        console.say(
                PART,
                "  %4d tests in %6.2f s  %s%s"
                        .formatted(
                                results.size(),
                                seconds,
                                file,
                                failed == 0 ? "" : "  " + failed + " FAILED"));
        return results;
    }

    private Path log(String part, String file) {
        String name = file.substring(file.lastIndexOf('/') + 1).replace(".test.mjs", "");
        return workspace.log(part + "-" + name);
    }

    private ProcessBuilder process(String... command) {
        return new ProcessBuilder(command)
                .directory(directory().toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
    }

    private static TestResult failure(String what, String why) {
        return new TestResult(MODULE, what, what, 0, Outcome.FAILED, why);
    }

    /** Collects the tests of one file from their lines. */
    private static final class Tap {
        private final String file;
        private final List<TestResult> results = new ArrayList<>();
        private int keptLines;

        Tap(String file) {
            this.file = file;
        }

        void read(String line) {
            Matcher result = RESULT.matcher(line);
            if (result.matches()) {
                Outcome outcome =
                        result.group(1) != null
                                ? Outcome.FAILED
                                : result.group(3) != null ? Outcome.SKIPPED : Outcome.PASSED;
                results.add(new TestResult(MODULE, file, result.group(2), 0, outcome, ""));
                keptLines = KEPT_LINES;
            } else if (!results.isEmpty()) {
                TestResult last = results.removeLast();
                // Its tests are counted, and if one of them failed that one tells more.
                if (!line.strip().equals("type: 'suite'")) {
                    results.add(describe(last, line));
                }
            }
        }

        /** The lines behind a result tell why it failed. */
        private TestResult describe(TestResult last, String line) {
            boolean isKept = last.failed() && keptLines-- > 0;
            return isKept ? last.withFailure(last.failure() + line + "\n") : last;
        }

        /** A test may contain others, so each has its part of the time that the file took. */
        List<TestResult> results(double seconds) {
            List<TestResult> timed = new ArrayList<>();
            results.forEach(each -> timed.add(each.withSeconds(seconds / results.size())));
            return timed;
        }
    }
}
