package orrery.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import orrery.server.NodeConfig;
import orrery.server.OrreryServer;

/**
 * A server in this process, on free ports of this machine, that keeps nothing.
 *
 * <pre>{@code
 * try (Orrery orrery = Orrery.start()) {
 *     CosmosClient client = new CosmosClientBuilder()
 *             .endpoint(orrery.endpoint().toString())
 *             .key(orrery.key())
 *             .gatewayMode()
 *             .buildClient();
 * }
 * }</pre>
 *
 * <p>The endpoint is plain HTTP, so that no client has to trust a certificate. {@link
 * #httpsEndpoint} is the same server with TLS.
 */
public final class Orrery implements AutoCloseable {
    /** Without it the Java SDK speaks TLS to every endpoint. It reads it once, when it loads. */
    private static final String PLAIN_HTTP = "COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED";

    /** Kept here, because a logger that nobody keeps is forgotten with its level. */
    private static final Logger LOGGERS = Logger.getLogger("orrery");

    /** Tests have little data and share their memory. On a full disk there is nothing to save. */
    private static final List<String> OPTIONS =
            List.of(
                    "--ephemeral",
                    "--port=0",
                    "--status-port=0",
                    "--cache-mb=16",
                    "--disk-reserve=0KB");

    private final OrreryClock clock;
    private final OrreryServer server;
    private volatile boolean isClosed;

    private Orrery(OrreryClock clock, OrreryServer server) {
        this.clock = clock;
        this.server = server;
    }

    /**
     * Starts a server and returns when it can be used.
     *
     * @param options as of {@code orrery start}, such as {@code --no-throttling} or {@code
     *     --limits=2024}
     */
    public static Orrery start(String... options) {
        allowPlainHttp();
        logWarningsOnly();
        OrreryClock clock = new OrreryClock();
        List<String> all = Stream.concat(OPTIONS.stream(), Stream.of(options)).toList();
        try {
            return new Orrery(clock, OrreryServer.start(NodeConfig.of(all).withClock(clock)));
        } catch (RuntimeException | LinkageError failure) {
            throw ClassPath.explain(failure);
        }
    }

    static void allowPlainHttp() {
        if (System.getProperty(PLAIN_HTTP) == null) {
            System.setProperty(PLAIN_HTTP, "true");
        }
    }

    /** What a server does by itself, such as splits, is not what a test is about. */
    private static void logWarningsOnly() {
        if (LOGGERS.getLevel() == null) {
            LOGGERS.setLevel(Level.WARNING);
        }
    }

    /** Returns the address for clients, plain HTTP. */
    public URI endpoint() {
        return URI.create("http://localhost:" + server.port() + "/");
    }

    /** Returns the address for clients that trust {@link #certificate}. */
    public URI httpsEndpoint() {
        return URI.create("https://localhost:" + server.port() + "/");
    }

    /** Returns the address for clients of tables, plain HTTP. */
    public URI tableEndpoint() {
        return URI.create("http://localhost:" + server.tablePort().orElseThrow() + "/");
    }

    /** Returns the address of {@code /ready}, {@code /status} and {@code /metrics}. */
    public URI statusEndpoint() {
        return URI.create("http://localhost:" + server.statusPort() + "/");
    }

    /** Returns the account key that reads and writes. */
    public String key() {
        return server.keys().primary();
    }

    /** Returns endpoint and key as SDKs take them. */
    public String connectionString() {
        return "AccountEndpoint=" + endpoint() + ";AccountKey=" + key() + ";";
    }

    /** Returns endpoint and key as SDKs of tables take them. */
    public String tableConnectionString() {
        return "DefaultEndpointsProtocol=http;AccountName=localhost;AccountKey="
                + key()
                + ";TableEndpoint="
                + tableEndpoint()
                + ";";
    }

    /** Returns the file with the certificate (PEM) that HTTPS clients have to trust. */
    public Path certificate() {
        return server.certificate();
    }

    /** Returns a context that trusts this server, and nobody else. */
    public SSLContext sslContext() {
        try (InputStream file = Files.newInputStream(certificate())) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "orrery", CertificateFactory.getInstance("X.509").generateCertificate(file));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the server's certificate cannot be used", e);
        }
    }

    /** Returns the time that the data goes by. */
    public OrreryClock clock() {
        return clock;
    }

    /**
     * Makes the server as it was at its start, in less time than a start takes: all databases are
     * gone and the clock shows the time of the machine. Endpoint, key and certificate stay, so
     * clients may be kept.
     */
    public void reset() {
        server.reset();
        // Later: as long as there are containers, they would be ahead of the clock.
        clock.reset();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Stops the server and deletes its files. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            server.close();
        }
    }
}
