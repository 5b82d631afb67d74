package orrery.bench.load;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import orrery.bench.process.JavaProcess;

/**
 * The load generator in a process of its own. One serves a whole run, so that all contestants meet
 * the same, warmed-up client.
 */
public final class LoadGenerator implements AutoCloseable {
    private final JavaProcess process;
    private final BufferedWriter in;
    private final BufferedReader out;

    public LoadGenerator() throws IOException {
        process = JavaProcess.start(LoadProcess.class.getName());
        in = process.process().outputWriter(StandardCharsets.UTF_8);
        out = process.process().inputReader(StandardCharsets.UTF_8);
    }

    public ProcessHandle handle() {
        return process.process().toHandle();
    }

    /**
     * Returns when the run is over.
     *
     * @throws IOException if a single request failed: a rate with errors in it is worth nothing
     */
    public LoadResult run(LoadSpec spec) throws IOException {
        in.write(spec.toLine());
        in.newLine();
        in.flush();
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the load generator ended");
        }
        if (line.startsWith(LoadProcess.FAILED)) {
            throw new IOException(line.substring(LoadProcess.FAILED.length()));
        }
        return LoadResult.parse(line);
    }

    @Override
    public void close() {
        process.close();
    }
}
