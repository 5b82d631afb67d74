package orrery.tests.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the tests: {@code ./orrery test}. It is started from its sources, because there is nothing
 * built yet when it begins.
 *
 * <p>First everything is compiled, checked and packaged. Then two lanes run beside each other, as
 * each leaves a processor idle when it runs alone: one has the tests of the modules, the other the
 * Java SDK and the crashes. Both then share the files of the JavaScript SDK, so they end together.
 */
final class Main {
    private final Console console;
    private final Arguments arguments;
    private final Workspace workspace;
    private final Maven maven;
    private final NodeSuite node;

    Main(Arguments arguments, Workspace workspace, Console console) {
        this.console = console;
        this.arguments = arguments;
        this.workspace = workspace;
        this.maven = new Maven(workspace, console, arguments);
        this.node = new NodeSuite(workspace, console, arguments);
    }

    public static void main(String[] words) throws IOException, InterruptedException {
        Main main =
                new Main(
                        Arguments.parse(List.of(words)),
                        Workspace.ofEnvironment(),
                        new Console(System.out));
        System.exit(main.run() ? 0 : 1);
    }

    /** Returns whether all is well. */
    boolean run() throws IOException, InterruptedException {
        long began = System.nanoTime();
        Files.createDirectories(workspace.logs());
        Summary summary = new Summary();
        if (arguments.fast()) {
            fast(summary);
        } else if (arguments.maven().isEmpty()) {
            everything(summary);
        } else {
            some(summary);
        }
        new SecondChance(workspace, console, maven, node).give(summary);
        summary.print(console, Duration.ofNanos(System.nanoTime() - began));
        return summary.isGreen();
    }

    private void everything(Summary summary) throws IOException, InterruptedException {
        if (!build(summary)) {
            return;
        }
        ExecutorService lanes = Executors.newFixedThreadPool(2);
        Future<List<TestResult>> first = lanes.submit(() -> lane(maven.testModules("unit")));
        Future<List<TestResult>> second = lanes.submit(() -> lane(maven.testJavaSdk("java-sdk")));
        lanes.shutdown();
        summary.add(join(first));
        summary.add(join(second));
    }

    private List<TestResult> lane(List<TestResult> results) throws InterruptedException {
        results.addAll(node.runWaiting());
        return results;
    }

    private boolean build(Summary summary) throws IOException, InterruptedException {
        console.heading("build: format, compile, check, package");
        long began = System.nanoTime();
        FileTime time = FileTime.from(Instant.now());
        boolean built =
                maven.run("build", List.of("package", "-DskipTests", "-T", "2", "--fail-at-end"))
                                == 0
                        && prepare() == 0;
        if (built) {
            // A source that was saved meanwhile is newer, and is built at the next start.
            Files.setLastModifiedTime(workspace.root().resolve("distribution/target/built"), time);
        }
        summary.built(built, Duration.ofNanos(System.nanoTime() - began));
        return built;
    }

    /** Servers of the tests would otherwise make their start-up cache while they are measured. */
    private int prepare() throws InterruptedException {
        try {
            return new ProcessBuilder(
                            workspace.distribution().resolve("bin/orrery").toString(), "prepare")
                    .redirectErrorStream(true)
                    .redirectOutput(workspace.log("prepare").toFile())
                    .start()
                    .waitFor();
        } catch (IOException e) {
            console.say("build", "cannot start the distribution: " + e.getMessage());
            return 1;
        }
    }

    /** Runs the modules or classes that the arguments of Maven name. */
    private void some(Summary summary) throws InterruptedException {
        console.heading("Maven with " + String.join(" ", arguments.maven()));
        summary.add(maven.test("maven", arguments.maven()));
    }

    private void fast(Summary summary) throws IOException, InterruptedException {
        List<String> modules = new ArrayList<>(ChangedModules.of(workspace));
        if (modules.remove(Workspace.JAVA_SDK)) {
            console.say("fast", "leaves out " + Workspace.JAVA_SDK + ": it needs servers");
        }
        if (modules.isEmpty()) {
            console.say("fast", "no module has changed");
            return;
        }
        console.heading("units and properties of " + String.join(", ", modules));
        summary.add(maven.testOnly("fast", modules));
    }

    private static List<TestResult> join(Future<List<TestResult>> lane)
            throws InterruptedException {
        try {
            return lane.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
