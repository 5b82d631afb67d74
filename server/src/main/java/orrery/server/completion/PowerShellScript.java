package orrery.server.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The completion script of PowerShell: one table of words and one of values of options. */
final class PowerShellScript {
    private static final String SCRIPT =
            """
            # Completion of %1$s for PowerShell. Add this to $PROFILE:
            # %1$s completion powershell | Out-String | Invoke-Expression
            Register-ArgumentCompleter -Native -CommandName %1$s -ScriptBlock {
                param($wordToComplete, $commandAst, $cursorPosition)
                $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
                    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
                $commands = @{
            %2$s
                }
                $values = @{
            %3$s
                }
                $path = ''
                foreach ($word in $words) {
                    $next = "$path $word".Trim()
                    if (-not $commands.ContainsKey($next)) { break }
                    $path = $next
                }
                $list = $commands[$path]
                if ($words.Count -gt 0) {
                    $option = "$path $($words[-1])".Trim()
                    if ($values.ContainsKey($option)) { $list = $values[$option] }
                }
                $list | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
                    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
                }
            }
            """;

    private PowerShellScript() {}

    static String write(String program, CommandTree root) {
        List<String> commands = new ArrayList<>();
        List<String> values = new ArrayList<>();
        root.walk(
                command -> {
                    List<String> words = new ArrayList<>();
                    command.subcommands().forEach(each -> words.add(each.name()));
                    words.addAll(command.arguments());
                    command.options().forEach(option -> words.addAll(option.names()));
                    String path = String.join(" ", command.path());
                    commands.add(entry(path, words));
                    for (CommandTree.Choice option : command.options()) {
                        if (!option.values().isEmpty()) {
                            option.names()
                                    .forEach(
                                            name ->
                                                    values.add(
                                                            entry(
                                                                    (path + " " + name).strip(),
                                                                    option.values())));
                        }
                    }
                });
        return SCRIPT.formatted(program, String.join("\n", commands), String.join("\n", values));
    }

    private static String entry(String key, List<String> words) {
        return "        "
                + quoted(key)
                + " = @("
                + words.stream().map(PowerShellScript::quoted).collect(Collectors.joining(", "))
                + ")";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
