package orrery.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with our class path and with the flags of the server. */
public final class JavaProcess implements AutoCloseable {
    private static final List<String> LOWEST_PRIORITY = List.of("nice", "-n", "19");

    private final Process process;

    private JavaProcess(Process process) {
        this.process = process;
    }

    public static JavaProcess start(String mainClass, String... arguments) throws IOException {
        return start(List.of(), mainClass, arguments);
    }

    /** Starts one that gets the processor time that others leave, where the system can do that. */
    public static JavaProcess startInBackground(String mainClass, String... arguments)
            throws IOException {
        boolean isWindows = System.getProperty("os.name").startsWith("Windows");
        return start(isWindows ? List.of() : LOWEST_PRIORITY, mainClass, arguments);
    }

    private static JavaProcess start(List<String> prefix, String mainClass, String... arguments)
            throws IOException {
        Path home = Distribution.home();
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + home.resolve("bin/jvm.options"));
        command.add("-Dorrery.home=" + home);
        command.add("-Dorrery.native.dir=" + home.resolve("lib/native"));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return new JavaProcess(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    public Process process() {
        return process;
    }

    @Override
    public void close() {
        end(process);
    }

    /** Asks, waits, and in the end insists. */
    public static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
