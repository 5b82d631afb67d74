package orrery.server.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;
import orrery.server.tls.TrustEverything;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that name the server of a command, and its key. */
public final class ServerOptions {
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "${env:ORRERY_ENDPOINT:-http://localhost:8081}",
            description =
                    "The server (default: the environment's ORRERY_ENDPOINT, then port 8081 of"
                            + " this machine).")
    private String endpoint;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            defaultValue = "${env:ORRERY_KEY}",
            description = {
                "An account key; a read-only one is enough to look, not to change (default: the environment's"
                        + " ORRERY_KEY, then, on loopback, the well-known key of the emulator)."
            })
    private @Nullable String key;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = "The certificate to trust, with https: see `orrery cert`.")
    private @Nullable Path certificate;

    @Option(names = "--insecure", description = "Trust any certificate, with https.")
    private boolean insecure;

    /** Returns true if a server was named, rather than left to the default. */
    public boolean isNamed() {
        return spec.commandLine().getParseResult().hasMatchedOption("--endpoint");
    }

    public String endpoint() {
        return endpoint;
    }

    /** Returns true if the environment names the server, for those who name none. */
    public boolean isOfEnvironment() {
        return !isNamed() && System.getenv("ORRERY_ENDPOINT") != null;
    }

    public AccountClient openAccount() {
        return new AccountClient(connect());
    }

    public SqlClient open() {
        return new SqlClient(connect());
    }

    private ServerConnection connect() {
        URI server = server();
        HttpClient.Builder http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT);
        trust(server).ifPresent(http::sslContext);
        return new ServerConnection(http.build(), server, signer(server), Clock.systemUTC());
    }

    private URI server() {
        URI server;
        try {
            server = URI.create(endpoint);
        } catch (IllegalArgumentException notAUri) {
            throw notAnEndpoint();
        }
        boolean isHttp = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
        String path = Optional.ofNullable(server.getPath()).orElse("");
        boolean isBare = (path.isEmpty() || path.equals("/")) && server.getQuery() == null;
        if (!isHttp || server.getHost() == null || !isBare) {
            throw notAnEndpoint();
        }
        return server.resolve("/");
    }

    private ParameterException notAnEndpoint() {
        return refused(
                "--endpoint '"
                        + endpoint
                        + "' is not an address such as http://localhost:8081 or"
                        + " https://db.example:8081.");
    }

    private RequestSigner signer(URI server) {
        String text = Optional.ofNullable(key).orElse("").strip();
        if (text.isEmpty()) {
            if (!isLoopback(server.getHost())) {
                throw new ClientException(
                        "A key is needed for "
                                + server
                                + ". Pass it with --key or in ORRERY_KEY; "
                                + Hint.of("keys show")
                                + " on the server prints it.");
            }
            text = AccountKeys.WELL_KNOWN_KEY;
        }
        try {
            return new RequestSigner(text);
        } catch (IllegalArgumentException notAKey) {
            throw new ClientException(
                    "The key is not Base64. Copy the whole of it; "
                            + Hint.of("keys show")
                            + " on the server prints it.",
                    notAKey);
        }
    }

    private static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost") || name.startsWith("127.") || name.equals("[::1]");
    }

    private Optional<SSLContext> trust(URI server) {
        if (certificate == null && !insecure) {
            return Optional.empty();
        }
        if (!"https".equals(server.getScheme())) {
            throw refused("--cacert and --insecure go with an --endpoint that begins with https.");
        }
        if (certificate != null && insecure) {
            throw refused("--cacert and --insecure exclude each other.");
        }
        return Optional.of(certificate == null ? TrustEverything.context() : only(certificate));
    }

    private static SSLContext only(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            if (number == 0) {
                throw new ClientException(file + " holds no certificate.");
            }
            TrustManagerFactory managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new ClientException(
                    "The certificate " + file + " cannot be read: " + FileTrouble.reading(e) + ".",
                    e);
        } catch (GeneralSecurityException e) {
            throw new ClientException(file + " is not a certificate in PEM form.", e);
        }
    }

    private ParameterException refused(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
