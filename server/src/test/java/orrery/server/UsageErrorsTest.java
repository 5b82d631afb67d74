package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class UsageErrorsTest {
    static List<Arguments> mistakes() {
        String options = " `orrery start --help` lists the options.";
        return List.of(
                arguments(
                        "strat",
                        "there is no command 'strat'. Did you mean 'start'?"
                                + " `orrery --help` lists the commands."),
                arguments(
                        "begin",
                        "there is no command 'begin'. `orrery --help` lists the commands."),
                arguments(
                        "keys nwe",
                        "there is no command 'keys nwe'. Did you mean 'keys new'?"
                                + " `orrery keys --help` lists the commands."),
                arguments(
                        "start --prot 1",
                        "`orrery start` has no option '--prot'. Did you mean '--port'?" + options),
                arguments(
                        "start --prot=1",
                        "`orrery start` has no option '--prot'. Did you mean '--port'?" + options),
                arguments(
                        "start --status 1",
                        "`orrery start` has no option '--status'. Did you mean '--status-port'?"
                                + options),
                arguments(
                        "start now",
                        "`orrery start` has no use for 'now'. `orrery start --help` says how."),
                arguments(
                        "start --port many",
                        "Invalid value for option '--port': 'many' is not an int."
                                + " `orrery start --help` says how."),
                arguments(
                        "start --port 99999",
                        "--port must be between 0 and 65535. `orrery start --help` says how."));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysInOneLineWhatIsWrong(String command, String said) {
        CommandLine line = Main.commandLine();
        StringWriter errors = new StringWriter();
        line.setErr(new PrintWriter(errors));

        assertThat(line.execute(command.split(" ", -1))).isEqualTo(2);
        assertThat(errors.toString().lines()).containsExactly("orrery: " + said);
    }
}
