package orrery.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The main class of the load generator's process: a spec per line in, a result per line out. */
final class LoadProcess {
    static final String FAILED = "failed: ";

    private LoadProcess() {}

    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                out.println(LoadLoop.run(LoadSpec.parse(line)).toLine());
            } catch (IOException | RuntimeException e) {
                out.println(FAILED + e.toString().replace('\n', ' ').replace('\r', ' '));
            }
        }
    }
}
