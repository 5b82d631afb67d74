package orrery.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import orrery.bench.process.JavaProcess;

/**
 * The neighbours, in a process that gets the processor time that nobody else wants. In life they
 * sit at other machines: what it costs them to send, and to take in answers, is no burden of the
 * server or of its other clients.
 */
final class NeighbourProcess implements AutoCloseable {
    private static final String END = "end";
    private static final String FAILED = "failed: ";

    private final JavaProcess process;
    private final BufferedWriter in;
    private final BufferedReader out;

    NeighbourProcess(int port, boolean isQuick) throws IOException {
        process =
                JavaProcess.startInBackground(
                        NeighbourProcess.class.getName(),
                        Integer.toString(port),
                        Boolean.toString(isQuick));
        in = process.process().outputWriter(StandardCharsets.UTF_8);
        out = process.process().inputReader(StandardCharsets.UTF_8);
    }

    /** Lets a neighbour begin. */
    void begin(Neighbour neighbour) throws IOException {
        say(neighbour.name());
    }

    /** Lets the neighbour end, and returns what it has heard in all its stays. */
    String end() throws IOException {
        say(END);
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the process of the neighbours ended");
        }
        if (line.startsWith(FAILED)) {
            throw new IOException(line.substring(FAILED.length()));
        }
        return line;
    }

    private void say(String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    @Override
    public void close() {
        process.close();
    }

    // ---- inside the process

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Map<String, Neighbour> all =
                Stream.concat(
                                WorstInputs.neighbours(Boolean.parseBoolean(arguments[1])).stream(),
                                Stream.of(WorstInputs.greedyTenant()))
                        .collect(Collectors.toMap(Neighbour::name, Function.identity()));
        Map<String, Map<String, LongAdder>> heard = new HashMap<>();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String name = in.readLine(); name != null; name = in.readLine()) {
            Neighbour neighbour = all.get(name);
            if (neighbour == null) {
                throw new IllegalArgumentException("there is no neighbour " + name);
            }
            var counts = heard.computeIfAbsent(name, _ -> Visit.newCounts());
            try {
                stay(neighbour, new Visit(port, counts), in);
                out.println(Visit.text(counts));
            } catch (ExecutionException e) {
                out.println(FAILED + String.valueOf(e.getCause()).lines().findFirst().orElse(""));
            }
        }
    }

    /** Returns when the next line, which is the word to end, has been read. */
    private static void stay(Neighbour neighbour, Visit visit, BufferedReader in)
            throws IOException, InterruptedException, ExecutionException {
        try (visit;
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> running =
                    threads.submit(
                            () -> {
                                neighbour.run(visit);
                                return true;
                            });
            in.readLine();
            visit.end();
            running.get();
        }
    }
}
