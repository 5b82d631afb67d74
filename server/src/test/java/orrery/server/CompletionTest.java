package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.server.ServerFixture.Output;

/** {@code orrery completion}, in the shells of this machine. */
@Timeout(900)
final class CompletionTest {
    @TempDir private Path directory;

    private static String script(String shell) {
        Output output = ServerFixture.command("completion", shell);
        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        return output.out();
    }

    private static void assumeShell(String name) {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, name))),
                name + " is not on this machine");
    }

    /** Runs a program in a shell; SCRIPT in it is the file with the script. */
    private List<String> run(String shell, String script, String program, String... shellOptions)
            throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("script"), script);
        List<String> command =
                Stream.of(
                                Stream.of(shell),
                                Stream.of(shellOptions),
                                Stream.of("-c", program.replace("SCRIPT", file.toString())))
                        .flatMap(each -> each)
                        .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out.lines().toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orrery thr               | throughput",
                "orrery throughput s      | set show",
                "orrery query db/c --out  | --output",
                "orrery query db/c --output j | json",
                "orrery sample fo         | food",
                "orrery import x --mode c | create",
                "orrery completion p      | powershell",
                "orrery start --limits 201 | 2017 2018",
                "orrery start --default-consistency B | BoundedStaleness",
                "orrery account set --no-b | --no-burst-capacity",
                "orrery account set --thr  | --throttling",
                "orrery estimate --consistency S | Strong Session",
                "orrery keys new --which sec | secondary secondary-readonly",
            })
    void bashCompletes(String line, String expected) throws Exception {
        assumeShell("bash");
        assertThat(
                        run(
                                "bash",
                                script("bash"),
                                """
                                source SCRIPT
                                compopt() { :; }  # works only while somebody presses the key
                                COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                                COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}
                                _complete_orrery
                                printf '%%s\\n' "${COMPREPLY[@]}"
                                """
                                        .formatted(line, line)))
                .containsExactlyInAnyOrder(expected.split(" ", -1));
    }

    @Test
    void bashCompletesFiles() throws Exception {
        Path data = Files.writeString(directory.resolve("items.jsonl"), "");
        String begun = directory.resolve("ite").toString();
        bashCompletes("orrery import " + begun, data.toString());
        bashCompletes("orrery import x --rejects " + begun, data.toString());
    }

    @Test
    void zshReadsTheScriptOfBash() throws Exception {
        assertThat(script("zsh")).isEqualTo(script("bash")).contains("bashcompinit");
        assumeShell("zsh");
        assertThat(run("zsh", script("zsh"), "source SCRIPT && whence -w _complete_orrery", "-f"))
                .containsExactly("_complete_orrery: function");
    }

    @Test
    void fishCompletes() throws Exception {
        String script = script("fish");
        assertThat(script.lines())
                .contains(
                        "complete -c orrery -f",
                        "complete -c orrery -n '__orrery_at' -a query -d 'Runs a query over a"
                                + " container'",
                        "complete -c orrery -n '__orrery_at throughput' -a set -d 'Sets the"
                                + " throughput'",
                        "complete -c orrery -n '__orrery_under query' -l output -s o -x -a 'table"
                                + " json' -d 'table for people or json for programs'",
                        "complete -c orrery -n '__orrery_under import' -F",
                        "complete -c orrery -n '__orrery_at sample' -a 'food flights devices'");
        assertThat(script).doesNotContain(" train");
        assumeShell("fish");
        assertThat(run("fish", script, "source SCRIPT; complete -C 'orrery throughput s'"))
                .anyMatch(each -> each.startsWith("set\t"))
                .anyMatch(each -> each.startsWith("show\t"));
    }

    @Test
    void powerShellCompletes() throws Exception {
        String script = script("powershell");
        assertThat(script)
                .contains(
                        "Register-ArgumentCompleter -Native -CommandName orrery -ScriptBlock {",
                        "'throughput' = @('show', 'set', 'redistribute', ",
                        "'query --output' = @('table', 'json')",
                        "'query -o' = @('table', 'json')",
                        "'start --limits' = @('2017', '2018', '2020', '2024')",
                        "'sample' = @('food', 'flights', 'devices', ");
        assumeShell("pwsh");
        assertThat(
                        run(
                                "pwsh",
                                script,
                                "Get-Content -Raw SCRIPT | Invoke-Expression; (TabExpansion2"
                                        + " 'orrery throughput s'"
                                        + " 19).CompletionMatches.CompletionText",
                                "-NoProfile"))
                .containsExactly("show", "set");
    }
}
