package orrery.server.completion;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the script that lets a shell complete this command line. */
@Command(
        name = "completion",
        header = "Prints the script that completes commands in a shell.",
        description = {
            "Prints the script that lets a shell complete commands and options.",
            "  bash, zsh:  source <(orrery completion bash)",
            "  fish:       orrery completion fish > ~/.config/fish/completions/orrery.fish",
            "  PowerShell: orrery completion powershell | Out-String | Invoke-Expression",
            "Example: orrery completion bash"
        })
public final class CompletionCommand implements Callable<Integer> {
    /** The shells that there are scripts for. */
    enum Shell {
        BASH,
        ZSH,
        FISH,
        POWERSHELL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    @Override
    public Integer call() {
        CommandSpec root = spec.root();
        String program = root.name();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (shell) {
                    case BASH, ZSH -> BashScript.write(program, CommandTree.of(root));
                    case FISH -> FishScript.write(program, CommandTree.of(root));
                    case POWERSHELL -> PowerShellScript.write(program, CommandTree.of(root));
                });
        out.flush();
        return 0;
    }
}
