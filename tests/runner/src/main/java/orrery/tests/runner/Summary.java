package orrery.tests.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import orrery.tests.runner.TestResult.Outcome;
import orrery.tests.runner.TestResult.Part;

/** Counts a run and says how it ended. */
final class Summary {
    private static final int BUILD_BUDGET_MINUTES = 4;
    private static final int SHOWN_LINES = 25;

    private final List<TestResult> results = new ArrayList<>();
    private final Map<String, Integer> flaky = new TreeMap<>();
    private final List<String> tooFlaky = new ArrayList<>();
    private boolean isBuilt = true;
    private String buildLine = "";

    void built(boolean isBuilt, Duration time) {
        this.isBuilt = isBuilt;
        this.buildLine =
                line("build and checks", isBuilt ? "passed" : "FAILED", time, BUILD_BUDGET_MINUTES);
    }

    void add(List<TestResult> more) {
        results.addAll(more);
    }

    void flaky(String name, int times, boolean isTooMuch) {
        flaky.put(name, times);
        if (isTooMuch) {
            tooFlaky.add(name);
        }
    }

    List<TestResult> failed() {
        return results.stream().filter(TestResult::failed).toList();
    }

    boolean isGreen() {
        return isBuilt && red().isEmpty();
    }

    private List<TestResult> red() {
        return failed().stream()
                .filter(
                        each ->
                                !flaky.containsKey(each.fullName())
                                        || tooFlaky.contains(each.fullName()))
                .toList();
    }

    void print(Console console, Duration time) {
        for (TestResult each : red()) {
            console.print("\nFAILED " + each.suite() + " " + each.name());
            each.failure().lines().limit(SHOWN_LINES).forEach(line -> console.print("  " + line));
        }
        console.print("");
        if (!buildLine.isEmpty()) {
            console.print(buildLine);
        }
        for (Part part : Part.values()) {
            List<TestResult> mine = results.stream().filter(each -> each.part() == part).toList();
            if (!mine.isEmpty()) {
                console.print(line(part, mine));
            }
        }
        flaky.forEach(
                (name, times) ->
                        console.print(
                                "FLAKY: "
                                        + name
                                        + " failed, and passed when it ran alone ("
                                        + times
                                        + (times == 1 ? " time" : " times")
                                        + " in this checkout)"
                                        + (tooFlaky.contains(name)
                                                ? ": red from the third time on"
                                                : "")));
        console.print(
                "%d passed, %d failed, %d flaky in all, %s"
                        .formatted(
                                count(results, Outcome.PASSED),
                                red().size() + (isBuilt ? 0 : 1),
                                flaky.size(),
                                clock(time)));
    }

    private String line(Part part, List<TestResult> mine) {
        long failed = mine.stream().filter(red()::contains).count();
        long skipped = count(mine, Outcome.SKIPPED);
        double seconds = mine.stream().mapToDouble(TestResult::seconds).sum();
        return line(
                part.title,
                "%5d passed, %d failed%s"
                        .formatted(
                                count(mine, Outcome.PASSED),
                                failed,
                                skipped == 0 ? "" : ", " + skipped + " skipped"),
                Duration.ofMillis((long) (seconds * 1000)),
                part.budgetMinutes);
    }

    private static String line(String title, String counts, Duration time, int budgetMinutes) {
        return "%-20s %s in %s%s"
                .formatted(
                        title,
                        counts,
                        clock(time),
                        time.toMinutes() < budgetMinutes
                                ? ""
                                : ", over its budget of " + budgetMinutes + " min");
    }

    private static long count(List<TestResult> of, Outcome outcome) {
        return of.stream().filter(each -> each.outcome() == outcome).count();
    }

    private static String clock(Duration time) {
        return "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
