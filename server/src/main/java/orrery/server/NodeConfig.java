package orrery.server;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import orrery.cluster.api.AccountSettings;
import orrery.frontend.gremlin.GremlinConfig;
import orrery.frontend.http.WebOrigin;
import orrery.model.DataClock;
import orrery.storage.StoreOptions;

/**
 * The configuration of one node.
 *
 * @param data absent for a server that keeps nothing
 * @param statusPort of {@code /alive}, {@code /ready} and {@code /status}
 * @param tablePort of the Table API; absent where it is not served
 * @param mongo the port of the MongoDB API
 * @param gremlin the port of the Gremlin API
 * @param advertise the endpoint to hand to clients instead of the one they came to
 * @param ownCertificate a team's certificate and key instead of one from our CA
 * @param cors origins whose pages in browsers may use the server, besides those of this machine
 * @param diskReserveBytes of the disk are kept free: below, writes are refused
 * @param account what the catalog takes over at the first start; it is not of this node alone
 * @param access who is let in, and what is written down about it
 * @param clock the time that data goes by
 */
public record NodeConfig(
        Optional<Path> data,
        String host,
        int port,
        int statusPort,
        OptionalInt tablePort,
        Mongo mongo,
        Gremlin gremlin,
        Optional<URI> advertise,
        Optional<CertificateFiles> ownCertificate,
        Set<WebOrigin> cors,
        AccountSettings account,
        StoreOptions storage,
        long diskReserveBytes,
        Access access,
        DataClock clock) {
    public static final long DEFAULT_DISK_RESERVE = 256L << 20;

    /**
     * Says how the MongoDB API is served.
     *
     * @param port absent where it is not served
     * @param needsLogin false lets in everybody on this machine
     * @param failPoints whether tests of drivers may order failures
     */
    public record Mongo(OptionalInt port, boolean needsLogin, boolean failPoints) {
        /** On any free port. */
        public static final Mongo USUAL = new Mongo(OptionalInt.of(0), true, false);
    }

    /**
     * Says how the Gremlin API is served.
     *
     * @param port absent where it is not served
     * @param timeout the longest time that one traversal may take
     */
    public record Gremlin(OptionalInt port, Duration timeout) {
        /** On any free port. */
        public static final Gremlin USUAL =
                new Gremlin(OptionalInt.of(0), GremlinConfig.DEFAULT_TIMEOUT);
    }

    /** With the APIs of MongoDB and Gremlin on any free ports. */
    public NodeConfig(
            Optional<Path> data,
            String host,
            int port,
            int statusPort,
            OptionalInt tablePort,
            Optional<URI> advertise,
            Optional<CertificateFiles> ownCertificate,
            Set<WebOrigin> cors,
            AccountSettings account,
            StoreOptions storage,
            long diskReserveBytes,
            Access access,
            DataClock clock) {
        this(
                data,
                host,
                port,
                statusPort,
                tablePort,
                Mongo.USUAL,
                Gremlin.USUAL,
                advertise,
                ownCertificate,
                cors,
                account,
                storage,
                diskReserveBytes,
                access,
                clock);
    }

    /**
     * With the usual access, data that goes by the clock of the machine, and the Table API on any
     * free port.
     */
    public NodeConfig(
            Optional<Path> data,
            String host,
            int port,
            int statusPort,
            Optional<URI> advertise,
            Optional<CertificateFiles> ownCertificate,
            Set<WebOrigin> cors,
            AccountSettings account,
            StoreOptions storage,
            long diskReserveBytes) {
        this(
                data,
                host,
                port,
                statusPort,
                OptionalInt.of(0),
                advertise,
                ownCertificate,
                cors,
                account,
                storage,
                diskReserveBytes,
                Access.USUAL,
                DataClock.SYSTEM);
    }

    /**
     * Says who is let in, and what is written down about it.
     *
     * @param emulatorKeyEverywhere the published key opens the account to other machines too
     * @param newKeys make keys for an account that has none of its own
     * @param logRequests a line in the log for each request
     */
    public record Access(
            boolean emulatorKeyEverywhere, boolean newKeys, boolean logRequests, Audit audit) {
        public static final Access USUAL = new Access(false, false, false);

        /** With an audit log in the data directory. */
        public Access(boolean emulatorKeyEverywhere, boolean newKeys, boolean logRequests) {
            this(emulatorKeyEverywhere, newKeys, logRequests, Audit.USUAL);
        }
    }

    /**
     * Says where the audit log is kept.
     *
     * @param place absent for the data directory; a server that keeps no data has none there
     */
    public record Audit(boolean isKept, Optional<Path> place) {
        public static final Audit USUAL = new Audit(true, Optional.empty());
        public static final Audit NONE = new Audit(false, Optional.empty());

        public static Audit in(Path directory) {
            return new Audit(true, Optional.of(directory));
        }
    }

    /** PEM files. */
    public record CertificateFiles(Path certificate, Path key) {}

    /**
     * Returns the configuration that {@code orrery start} has with these options. An option that is
     * given twice counts the second time.
     */
    public static NodeConfig of(List<String> options) {
        return StartCommand.config(options);
    }

    public NodeConfig withClock(DataClock other) {
        return new NodeConfig(
                data,
                host,
                port,
                statusPort,
                tablePort,
                mongo,
                gremlin,
                advertise,
                ownCertificate,
                cors,
                account,
                storage,
                diskReserveBytes,
                access,
                other);
    }
}
