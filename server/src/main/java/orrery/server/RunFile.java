package orrery.server;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import orrery.storage.StoreFailure;
import orrery.storage.files.PrivateFiles;

/**
 * Tells other processes of the server's owner on this machine how to reach it. The file lies in the
 * data directory and is true only while somebody holds the directory's lock: a crash leaves it.
 *
 * @param pid of the process
 * @param began when the system started the process, in milliseconds; with the pid it names one
 *     process, also where pids are used again. 0 where the system does not tell.
 * @param local the address of the SQL API for this machine; empty until the server is ready
 * @param endpoint the address that clients are told
 * @param tables the address of the Table API that clients are told; empty where there is none
 * @param mongo the connection string of the MongoDB API without its key; empty where there is none
 * @param gremlin the address of the Gremlin API that clients are told; empty where there is none
 * @param statusPort of the pages for operators
 * @param operatorKey signs requests about the account. Who can read this file owns the data.
 */
record RunFile(
        long pid,
        long began,
        Optional<URI> local,
        String endpoint,
        String tables,
        String mongo,
        String gremlin,
        int statusPort,
        String operatorKey) {
    static final String NAME = "run";

    /** The system works the time out from its clock, which may have been set since. */
    private static final long TOLERANCE_MILLIS = 60_000;

    static RunFile starting(String operatorKey) {
        ProcessHandle self = ProcessHandle.current();
        return new RunFile(
                self.pid(), began(self), Optional.empty(), "", "", "", "", 0, operatorKey);
    }

    RunFile ready(
            URI localAddress,
            URI clients,
            Optional<URI> tableClients,
            Optional<String> mongoClients,
            Optional<URI> gremlinClients,
            int status) {
        return new RunFile(
                pid,
                began,
                Optional.of(localAddress),
                clients.toString(),
                tableClients.map(URI::toString).orElse(""),
                mongoClients.orElse(""),
                gremlinClients.map(URI::toString).orElse(""),
                status,
                operatorKey);
    }

    /** Returns the process, if it is one of this machine and container. */
    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(process -> Math.abs(began(process) - began) <= TOLERANCE_MILLIS);
    }

    private static long began(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    void write(Path root) {
        String text =
                """
                # How `orrery stop`, `status`, `keys` and `account` find this server. Not for others: the key is secret.
                pid=%d
                began=%d
                local=%s
                endpoint=%s
                tables=%s
                mongo=%s
                gremlin=%s
                status-port=%d
                operator-key=%s
                """
                        .formatted(
                                pid,
                                began,
                                local.map(URI::toString).orElse(""),
                                endpoint,
                                tables,
                                mongo,
                                gremlin,
                                statusPort,
                                operatorKey);
        try {
            PrivateFiles.write(root.resolve(NAME), text);
        } catch (IOException e) {
            if (StoreFailure.isDiskFull(e)) {
                throw DataDirectory.diskFull(Optional.of(root), e);
            }
            throw new StartupException(
                    "The file "
                            + root.resolve(NAME)
                            + " cannot be written: "
                            + DataDirectory.reason(e),
                    e);
        }
    }

    /** Empty where none is there, or one that nobody can make sense of. */
    static Optional<RunFile> read(Path root) {
        Properties values = new Properties();
        try {
            values.load(new StringReader(Files.readString(root.resolve(NAME))));
            String local = values.getProperty("local", "");
            return Optional.of(
                    new RunFile(
                            Long.parseLong(values.getProperty("pid", "")),
                            Long.parseLong(values.getProperty("began", "")),
                            local.isEmpty() ? Optional.empty() : Optional.of(URI.create(local)),
                            values.getProperty("endpoint", ""),
                            values.getProperty("tables", ""),
                            values.getProperty("mongo", ""),
                            values.getProperty("gremlin", ""),
                            Integer.parseInt(values.getProperty("status-port", "")),
                            values.getProperty("operator-key", "")));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StartupException(
                    "The file "
                            + root.resolve(NAME)
                            + " cannot be read: "
                            + DataDirectory.reason(e),
                    e);
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    static void delete(Path root) {
        try {
            Files.deleteIfExists(root.resolve(NAME));
        } catch (IOException e) {
            // The next start writes it anew, and until then the lock says that it is stale.
            System.getLogger(RunFile.class.getName())
                    .log(System.Logger.Level.WARNING, "{0}", DataDirectory.reason(e));
        }
    }
}
