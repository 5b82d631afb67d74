package orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import orrery.bench.load.Reply;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.SqlMessages;

/** A server of its own for one measurement, with a database; its data goes when it is closed. */
final class BenchServer implements AutoCloseable {
    static final String NO_INDEX = "{\"indexingMode\":\"none\",\"automatic\":false}";
    static final String FULL_INDEX = "";

    private final Path data;
    private final ServerProcess process;

    /** Without throttling: what is measured is what it can do. */
    BenchServer(Bench bench, String name) throws IOException, InterruptedException {
        this(bench, name, ServerProcess.NO_THROTTLING);
    }

    BenchServer(Bench bench, String name, String... flags)
            throws IOException, InterruptedException {
        data = bench.fresh(name);
        process = ServerProcess.start(data, flags);
        try (SqlCaller caller = caller()) {
            caller.expect(201, SqlMessages.createDatabase());
        }
    }

    SqlCaller caller() throws IOException {
        return new SqlCaller(process.port());
    }

    void createContainer(String name, String indexing) throws IOException {
        try (SqlCaller caller = caller()) {
            caller.expect(201, SqlMessages.createContainer(name, indexing));
        }
    }

    void createContainer(String name, int requestUnits) throws IOException {
        try (SqlCaller caller = caller()) {
            caller.expect(201, SqlMessages.createContainer(name, FULL_INDEX, requestUnits));
        }
    }

    void createItems(String container, int count) throws IOException {
        try (SqlCaller caller = caller()) {
            for (int i = 0; i < count; i++) {
                caller.expect(201, SqlMessages.createItem(container, i));
            }
        }
    }

    Reply readItem(String container) throws IOException {
        try (SqlCaller caller = caller()) {
            return caller.call(SqlMessages.readItem(container, 0));
        }
    }

    int port() {
        return process.port();
    }

    int tablePort() {
        return process.tablePort();
    }

    int mongoPort() {
        return process.mongoPort();
    }

    int gremlinPort() {
        return process.gremlinPort();
    }

    ProcessHandle handle() {
        return process.handle();
    }

    @Override
    public void close() {
        process.close();
        Bench.delete(data);
    }
}
