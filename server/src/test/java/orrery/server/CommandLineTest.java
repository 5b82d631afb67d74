package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.server.ServerFixture.Output;
import picocli.CommandLine;

/** Rules that all commands keep. */
final class CommandLineTest {
    static Stream<List<String>> commands() {
        List<List<String>> found = new ArrayList<>();
        collect(Main.commandLine(), List.of(), found);
        return found.stream();
    }

    private static void collect(CommandLine command, List<String> path, List<List<String>> found) {
        if (command.getCommandSpec().usageMessage().hidden()) {
            return;
        }
        if (!path.isEmpty()) {
            found.add(path);
        }
        command.getSubcommands()
                .forEach(
                        (name, inner) -> {
                            List<String> deeper = new ArrayList<>(path);
                            deeper.add(name);
                            collect(inner, deeper, found);
                        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void explainsItself(List<String> path) {
        List<String> line = new ArrayList<>(path);
        line.add("--help");
        Output help = ServerFixture.command(line.toArray(String[]::new));
        assertThat(help.exitCode()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out()).contains("Usage: orrery " + String.join(" ", path));
        if (help.out().contains("--endpoint")) {
            assertThat(help.out())
                    .contains("--output", "Exit code 0", "Example: orrery " + path.getFirst());
        }
    }

    @Test
    void everyVerbIsThere() {
        assertThat(Main.commandLine().getSubcommands().keySet())
                .contains(
                        "create",
                        "delete",
                        "ls",
                        "show",
                        "import",
                        "export",
                        "query",
                        "partitions",
                        "split",
                        "merge",
                        "repair",
                        "sample",
                        "throughput",
                        "lab",
                        "completion");
    }
}
