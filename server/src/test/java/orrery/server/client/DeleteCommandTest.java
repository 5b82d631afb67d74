package orrery.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The question before a delete. Where the answer is yes, the command goes on to a server. */
final class DeleteCommandTest {
    @ParameterizedTest
    @CsvSource({"'',false", "n,false", "yesterday,false", "y,true", "' Y ',true", "yes,true"})
    void asks(String answer, boolean isYes) {
        List<String> questions = new ArrayList<>();
        List<Exception> failures = new ArrayList<>();
        CommandLine command =
                new CommandLine(
                        new DeleteCommand(
                                Optional.of(
                                        question -> {
                                            questions.add(question);
                                            return answer;
                                        })));
        command.setExecutionExceptionHandler(
                (failure, _, _) -> {
                    failures.add(failure);
                    return ExitCode.REFUSED;
                });
        // Nobody listens on port 1.
        int exitCode = command.execute("db/c", "--endpoint", "http://localhost:1");
        assertThat(exitCode).isEqualTo(ExitCode.REFUSED);
        assertThat(questions).containsExactly("Delete db/c with all that is in it? (y/N) ");
        assertThat(failures)
                .singleElement()
                .extracting(Exception::getMessage)
                .asString()
                .startsWith(isYes ? "No server answers" : "Nothing is deleted.");
    }
}
