package orrery.tests.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds the modules with files that differ from what is published, or from the last commit. */
final class ChangedModules {
    private ChangedModules() {}

    static Set<String> of(Workspace workspace) throws IOException, InterruptedException {
        String base = "HEAD";
        List<String> published = git(workspace, "merge-base", "HEAD", "@{upstream}");
        if (published.size() == 1) {
            base = published.getFirst();
        }
        List<String> files = new ArrayList<>(git(workspace, "diff", "--name-only", base));
        files.addAll(git(workspace, "ls-files", "--others", "--exclude-standard"));
        Set<String> modules = new TreeSet<>();
        for (String file : files) {
            moduleOf(workspace.root(), Path.of(file)).ifPresent(modules::add);
        }
        return modules;
    }

    /** The root is a module too, but has no tests. */
    private static Optional<String> moduleOf(Path root, Path file) {
        for (Path parent = file.getParent(); parent != null; parent = parent.getParent()) {
            if (Files.exists(root.resolve(parent).resolve("pom.xml"))) {
                return Optional.of(parent.toString());
            }
        }
        return Optional.empty();
    }

    /** No lines when Git refuses. */
    private static List<String> git(Workspace workspace, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .directory(workspace.root().toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        List<String> lines;
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            lines = output.lines().toList();
        }
        return process.waitFor() == 0 ? lines : List.of();
    }
}
