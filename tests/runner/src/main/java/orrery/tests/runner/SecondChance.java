package orrery.tests.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Runs failed tests once more, alone. Only those whose tag says that a busy machine may fail them:
 * {@code client}, with a client and a server in two processes, and {@code timing}. One that passes
 * then is flaky: it is named, and the run is green. One that was flaky three times is red, because
 * that is no accident. Crashes, simulations and properties have no such tag: what they find depends
 * on a seed, and running them again would hide it.
 */
final class SecondChance {
    private static final int FLAKES_ALLOWED = 2;
    private static final String TAGS = "client | timing";

    /** More than a few are a fault of the change and not of the machine. */
    private static final int MOST_TRIED_AGAIN = 20;

    private final Workspace workspace;
    private final Console console;
    private final Maven maven;
    private final NodeSuite node;

    SecondChance(Workspace workspace, Console console, Maven maven, NodeSuite node) {
        this.workspace = workspace;
        this.console = console;
        this.maven = maven;
        this.node = node;
    }

    void give(Summary summary) throws InterruptedException {
        List<TestResult> failed = summary.failed();
        keep(failed);
        Set<String> names =
                failed.stream()
                        .filter(TestResult::mayRunAgain)
                        .map(TestResult::fullName)
                        .collect(Collectors.toCollection(TreeSet::new));
        if (names.isEmpty() || names.size() > MOST_TRIED_AGAIN) {
            return;
        }
        console.heading(
                "once more, alone, if tagged `client` or `timing`: " + String.join(", ", names));
        List<TestResult> again = again(failed);
        for (String name : names) {
            if (hasPassed(name, again)) {
                int flakes = remember(name);
                summary.flaky(name, flakes, flakes > FLAKES_ALLOWED);
            }
        }
    }

    /** A class that could not be set up has failed without naming a test, so all of them count. */
    private static boolean hasPassed(String name, List<TestResult> again) {
        List<TestResult> own =
                again.stream()
                        .filter(each -> name.equals(each.fullName()) || name.equals(each.suite()))
                        .toList();
        return !own.isEmpty()
                && own.stream().noneMatch(TestResult::failed)
                && own.stream().anyMatch(each -> each.outcome() == TestResult.Outcome.PASSED);
    }

    private List<TestResult> again(List<TestResult> failed) throws InterruptedException {
        List<TestResult> results = new ArrayList<>();
        Set<String> files = new TreeSet<>();
        Set<String> classes = new TreeSet<>();
        Set<String> modules = new TreeSet<>();
        for (TestResult each : failed) {
            if (each.module().equals(NodeSuite.MODULE)) {
                if (each.mayRunAgain()) {
                    files.add(each.suite());
                }
            } else if (!each.module().isEmpty()) {
                modules.add(each.module());
                // A class that could not be set up has failed as a whole.
                classes.add(
                        each.method().isEmpty()
                                ? each.suite()
                                : each.suite() + "#" + each.method());
            }
        }
        if (!modules.isEmpty()) {
            results.addAll(
                    maven.test(
                            "again",
                            List.of(
                                    "-pl",
                                    String.join(",", modules),
                                    "-am",
                                    "-Dtest=" + String.join(",", classes),
                                    "-Dtest.groups=" + TAGS,
                                    "-Dsurefire.failIfNoSpecifiedTests=false")));
        }
        if (!files.isEmpty()) {
            results.addAll(node.runAgain(List.copyOf(files)));
        }
        return results;
    }

    /** Keeps the words of failed tests, and their seeds, before another run writes over them. */
    private void keep(List<TestResult> failed) {
        try {
            Path directory = Files.createDirectories(workspace.logs().resolve("failed"));
            for (TestResult each : failed) {
                Files.writeString(
                        directory.resolve(
                                each.fullName().replaceAll("[^A-Za-z0-9_.-]+", "-") + ".txt"),
                        each.suite() + " " + each.name() + "\n" + each.failure() + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how often it was flaky in this checkout, this time included. */
    private int remember(String name) {
        Path history = workspace.logs().resolve("flaky.txt");
        try {
            Files.writeString(
                    history, name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return (int) Files.readAllLines(history).stream().filter(name::equals).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
