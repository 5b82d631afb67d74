package orrery.tests.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The built distribution under test, and its command line. */
final class Distribution {
    private static final int COMMAND_SECONDS = 600;

    private Distribution() {}

    /** The output and the exit code of a command that ends by itself. */
    record Output(int exitCode, String out, String err) {
        String all() {
            return out + err;
        }
    }

    static Path home() {
        @Nullable String named = System.getenv("ORRERY_DIST");
        if (named == null || named.isEmpty()) {
            named = System.getProperty("orrery.dist");
        }
        Path home =
                named == null || named.isEmpty()
                        ? Path.of("..", "..", "distribution", "target", "dist")
                        : Path.of(named);
        if (!Files.isDirectory(home.resolve("bin"))) {
            throw new IllegalStateException(
                    "There is no distribution in "
                            + home.toAbsolutePath().normalize()
                            + ": build it with `./orrery build`, or name one with ORRERY_DIST.");
        }
        return home.toAbsolutePath().normalize();
    }

    static List<String> command(List<String> arguments) {
        boolean windows =
                System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        List<String> command = new ArrayList<>();
        command.add(home().resolve("bin").resolve(windows ? "orrery.cmd" : "orrery").toString());
        command.addAll(arguments);
        return command;
    }

    /** Runs a command to its end. */
    static Output run(String... arguments) {
        try {
            Path out = Files.createTempFile("orrery-out-", ".txt");
            Path err = Files.createTempFile("orrery-err-", ".txt");
            Process process =
                    new ProcessBuilder(command(List.of(arguments)))
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            boolean ended = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            Output output =
                    new Output(
                            process.exitValue(),
                            Files.readString(out, StandardCharsets.UTF_8),
                            Files.readString(err, StandardCharsets.UTF_8));
            Files.delete(out);
            Files.delete(err);
            if (!ended) {
                throw new AssertionError(
                        "orrery " + String.join(" ", arguments) + " did not end\n" + output.all());
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
