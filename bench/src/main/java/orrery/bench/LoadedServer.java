package orrery.bench;

import java.io.IOException;
import orrery.bench.load.LoadGenerator;
import orrery.bench.load.LoadResult;
import orrery.bench.load.LoadSpec;

/** A listener under as much load as it takes. */
final class LoadedServer implements Rounds.Contestant {
    private final String name;
    private final ProcessHandle process;
    private final LoadGenerator load;
    private final LoadSpec.Kind kind;
    private final int port;
    private final String container;
    private long items;

    /**
     * @param items how many there are already: reads go round them, creates begin behind them
     */
    LoadedServer(
            String name,
            ProcessHandle process,
            LoadGenerator load,
            LoadSpec.Kind kind,
            int port,
            String container,
            long items) {
        this.name = name;
        this.process = process;
        this.load = load;
        this.kind = kind;
        this.port = port;
        this.container = container;
        this.items = items;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ProcessHandle process() {
        return process;
    }

    @Override
    public double run(double seconds) throws IOException {
        return run(seconds, 0).perSecond();
    }

    /** At a fixed rate, or with 0 as fast as it answers. */
    LoadResult run(double seconds, double perSecond) throws IOException {
        LoadResult result =
                load.run(
                        new LoadSpec(
                                kind, port, container, Bench.CLIENTS, seconds, perSecond, items));
        if (kind == LoadSpec.Kind.CREATE) {
            items += result.sent();
        }
        return result;
    }
}
