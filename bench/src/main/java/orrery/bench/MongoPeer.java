package orrery.bench;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import orrery.bench.process.JavaProcess;

/** A mongo-java-server in a process of its own, with the flags that Orrery's has. */
final class MongoPeer implements AutoCloseable {
    /** The place where a peer keeps its documents. */
    enum Storage {
        /** In memory only. */
        MEMORY,
        /** In a file of H2, which is written in the background. */
        H2;

        String title() {
            return "mongo-java-server ("
                    + (this == H2 ? "H2" : name().toLowerCase(Locale.ROOT))
                    + ")";
        }
    }

    private final Storage storage;
    private final JavaProcess process;
    private final int port;

    private MongoPeer(Storage storage, JavaProcess process, int port) {
        this.storage = storage;
        this.process = process;
        this.port = port;
    }

    /**
     * @param file of the storage that has one
     */
    static MongoPeer start(Storage storage, Path file) throws IOException {
        JavaProcess process =
                JavaProcess.start(MongoPeer.class.getName(), storage.name(), file.toString());
        try {
            BufferedReader out = process.process().inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            if (line == null) {
                throw new IOException(storage.title() + " did not start");
            }
            return new MongoPeer(storage, process, Integer.parseInt(line));
        } catch (IOException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    String title() {
        return storage.title();
    }

    ProcessHandle handle() {
        return process.process().toHandle();
    }

    String connectionString() {
        return "mongodb://127.0.0.1:" + port + "/";
    }

    @Override
    public void close() {
        process.close();
    }

    // ---- inside the process

    /** Prints the port, and serves until the process is ended. */
    public static void main(String[] arguments) {
        MongoBackend backend =
                switch (Storage.valueOf(arguments[0])) {
                    case MEMORY -> new MemoryBackend();
                    case H2 -> new H2Backend(arguments[1]);
                };
        MongoServer server = new MongoServer(backend.version(ServerVersion.MONGO_5_0));
        InetSocketAddress address = server.bind();
        System.out.println(address.getPort());
    }
}
