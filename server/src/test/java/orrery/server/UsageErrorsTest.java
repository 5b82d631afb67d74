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
                        "--port: 'many' is not a whole number. `orrery start --help` says how."),
                arguments(
                        "start --port 99999999999",
                        "--port: '99999999999' is too large. `orrery start --help` says how."),
                arguments(
                        "partitions a/b --fail-above x",
                        "--fail-above: 'x' is not a number."
                                + " `orrery partitions --help` says how."),
                arguments(
                        "sample nofood",
                        "'nofood' is not one of food, flights, devices."
                                + " `orrery sample --help` says how."),
                arguments(
                        "ls -o xml",
                        "-o: 'xml' is not one of table, json. `orrery ls --help` says how."),
                arguments(
                        "import a --into a/b --mode=foo",
                        "--mode: 'foo' is not one of create, upsert."
                                + " `orrery import --help` says how."),
                arguments(
                        "start --default-consistency strng",
                        "--default-consistency: 'strng' is not one of Strong, BoundedStaleness,"
                                + " Session, ConsistentPrefix, Eventual."
                                + " `orrery start --help` says how."),
                arguments(
                        "query a/b q --param low",
                        "--param: it must be NAME=VALUE, not 'low'."
                                + " `orrery query --help` says how."),
                arguments(
                        "query a/b q --param =5",
                        "--param '=5' has no name: NAME=VALUE. `orrery query --help` says how."),
                arguments(
                        "throughput redistribute a/b --to 3",
                        "--to: it must be RANGE=RU, not '3'."
                                + " `orrery throughput redistribute --help` says how."),
                arguments(
                        "throughput set a/b",
                        "Missing required argument (specify one of these):"
                                + " (--throughput=N | --max-throughput=N)."
                                + " `orrery throughput set --help` says how."),
                arguments("query a/b ", "The query is empty. `orrery query --help` says how."),
                arguments(
                        "import  --into a/b",
                        "the name of the file is empty. `orrery import --help` says how."),
                arguments(
                        "export a/b --to ",
                        "--to: the name of the file is empty. `orrery export --help` says how."),
                arguments(
                        "estimate --reads 1 --writes 1 --item ",
                        "--item: the name of the file is empty."
                                + " `orrery estimate --help` says how."),
                arguments(
                        "start --host ",
                        "--host: the address is empty. `orrery start --help` says how."),
                arguments(
                        "start --port 38090 --status-port 38090",
                        "--port and --status-port are both 38090: they must differ."
                                + " `orrery start --help` says how."),
                arguments(
                        "stop --timeout -1",
                        "--timeout must be 0 or more. `orrery stop --help` says how."),
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
