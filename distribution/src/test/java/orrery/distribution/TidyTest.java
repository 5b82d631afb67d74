package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that spare a reviewer routine remarks. Each complaint names the file and what to do. */
class TidyTest {
    private static final int LONGEST_LINE = 120;
    private static final int LONGEST_FILE = 800;

    /** Files over {@link #LONGEST_FILE} lines and how long each may stay. A number only falls. */
    private static final Map<String, Integer> LONG_FILES = Map.of();

    private static final String[] TEXT = {
        ".java",
        ".xml",
        ".md",
        ".sh",
        ".cmd",
        ".options",
        ".config",
        ".properties",
        ".js",
        ".mjs",
        ".ts",
        ".json",
        ".yml",
        ".yaml",
        ".g4",
        ".gitignore",
        ".ci/run",
        "orrery"
    };

    // Written in parts, so that this file does not contain what it looks for.
    private static final Pattern MARKER =
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b(.*)");
    private static final Pattern ISSUE = Pattern.compile("^\\(#\\d+\\)");
    private static final Pattern MACHINE_PATH =
            Pattern.compile("(?<![\\w.$~}*-])/(home|Users|root|work)/\\w|[A-Z]:\\\\+Users\\\\");
    private static final Pattern STATUS =
            Pattern.compile("(?im)^[-*# ]*status[*: ]+(proposed|accepted|superseded|rejected)");

    private final SourceTree tree = SourceTree.read();
    private final List<String> complaints = new ArrayList<>();

    @Test
    void everyPackageSaysWhatItIsFor() {
        var packages = new TreeSet<Path>();
        for (var file : tree.ending(".java")) {
            if (SourceTree.unix(file).contains("src/main/java/")) {
                packages.add(Objects.requireNonNull(file.getParent()));
            }
        }
        for (var directory : packages) {
            if (!Files.exists(tree.root().resolve(directory).resolve("package-info.java"))) {
                complaints.add(directory + ": add a package-info.java");
            }
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void linesAreCleanAndFilesEndWithANewline() {
        for (var file : tree.ending(TEXT)) {
            var name = SourceTree.unix(file);
            var text = tree.text(file);
            if (!text.isEmpty() && !text.endsWith("\n")) {
                complaints.add(file + ": end the file with a newline");
            }
            if (name.contains("/resources/")) {
                continue; // Fixtures are bytes that something else expects.
            }
            var number = 0;
            for (var line : text.split("\n", -1)) {
                number++;
                if (line.contains("\t")) {
                    complaints.add(file + ":" + number + ": use spaces, not tabs");
                }
                if (line.contains("\r") && !name.endsWith(".cmd")) {
                    complaints.add(file + ":" + number + ": end the line with \\n alone");
                }
                if (line.endsWith(" ") && !name.endsWith(".md")) {
                    complaints.add(file + ":" + number + ": remove the blanks at the end");
                }
                if (name.endsWith(".java")
                        && line.codePointCount(0, line.length()) > LONGEST_LINE) {
                    complaints.add(file + ":" + number + ": longer than " + LONGEST_LINE);
                }
            }
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void openEndsCiteAnIssue() {
        for (var file : tree.ending(".java", ".sh", ".js", ".mjs", ".ts", "pom.xml", "orrery")) {
            var marker = MARKER.matcher(tree.text(file));
            while (marker.find()) {
                if (!marker.group(1).startsWith("TO") || !ISSUE.matcher(marker.group(2)).find()) {
                    complaints.add(file + ": «" + marker.group() + "»: cite an issue, as (#12)");
                }
            }
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void decisionsHaveAStatus() {
        for (var file : tree.ending(".md")) {
            if (SourceTree.unix(file).matches("docs/adr/\\d{4}-.*")
                    && !STATUS.matcher(tree.text(file)).find()) {
                complaints.add(file + ": add a line «Status: accepted» (or proposed, superseded)");
            }
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void nothingNamesTheMachineItWasWrittenOn() {
        for (var file : tree.ending(TEXT)) {
            var match = MACHINE_PATH.matcher(tree.text(file));
            if (match.find()) {
                complaints.add(file + ": «" + match.group() + "»: a path of one machine");
            }
        }
        assertThat(complaints).isEmpty();
    }

    /** A lock file must install from whichever registry the reader has configured. */
    @Test
    void lockFilesNameNoRegistry() {
        for (var file : tree.ending("package-lock.json")) {
            if (tree.text(file).contains("\"resolved\": \"http")) {
                complaints.add(file + ": put omit-lockfile-registry-resolved=true into .npmrc");
            }
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void filesStayReadable() {
        for (var file : tree.ending(".java")) {
            var lines = tree.text(file).lines().count();
            int limit = LONG_FILES.getOrDefault(SourceTree.unix(file), LONGEST_FILE);
            if (lines > limit) {
                complaints.add(file + ": " + lines + " lines, at most " + limit + ": split it");
            }
        }
        for (var name : LONG_FILES.keySet()) {
            if (!Files.exists(tree.root().resolve(name))
                    || tree.text(Path.of(name)).lines().count() <= LONGEST_FILE) {
                complaints.add(name + ": short enough now, take it off the list");
            }
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void scriptsCanBeRun() {
        for (var script : List.of("orrery", ".ci/run", "distribution/src/main/dist/bin/orrery")) {
            assertThat(tree.root().resolve(script)).isExecutable();
        }
    }
}
