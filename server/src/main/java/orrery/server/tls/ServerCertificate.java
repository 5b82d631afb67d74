package orrery.server.tls;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.frontend.http.Natives;

/**
 * The certificate that the listeners present. If the CA of the data directory issues it, it is new
 * at every start, lives in memory only, and replaces itself before it expires; new connections get
 * the new one. Thread-safe.
 */
public final class ServerCertificate implements Supplier<SslContext>, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ServerCertificate.class.getName());

    // Apple and the browsers take no server certificate that is valid longer than 398 days. One day
    // of
    // the total lies before the moment of issue.
    private static final Duration VALIDITY = Duration.ofDays(396);
    private static final Duration RENEWAL = Duration.ofDays(30);

    private record Current(TlsMaterial material, SslContext context) {}

    private final @Nullable CertificateAuthority authority;
    private final Set<String> names;
    private final Natives natives;
    private final Clock clock;
    private final @Nullable ScheduledExecutorService daily;
    private volatile Current current;

    private ServerCertificate(
            CertificateAuthority authority, Set<String> names, Natives natives, Clock clock) {
        this.authority = authority;
        this.names = names;
        this.natives = natives;
        this.clock = clock;
        current = loadOrIssue(authority);
        daily =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("certificate-renewal").factory());
        var _ = daily.scheduleWithFixedDelay(this::renewSafely, 1, 1, TimeUnit.DAYS);
    }

    private ServerCertificate(TlsMaterial material, Natives natives) {
        this.authority = null;
        this.names = Set.of();
        this.natives = natives;
        this.clock = Clock.systemUTC();
        this.daily = null;
        current = new Current(material, material.toSslContext(natives));
    }

    /**
     * A leaf for localhost, the loopback addresses, this machine's name and {@code extraNames} (DNS
     * names or IP addresses).
     */
    public static ServerCertificate issue(
            CertificateAuthority authority,
            Collection<String> extraNames,
            Natives natives,
            Clock clock) {
        return new ServerCertificate(authority, allNames(extraNames), natives, clock);
    }

    /** A team's own certificate, which it renews itself. */
    public static ServerCertificate of(TlsMaterial material, Natives natives) {
        return new ServerCertificate(material, natives);
    }

    private static Set<String> allNames(Collection<String> extraNames) {
        var names = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "::1"));
        try {
            names.add(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            LOG.log(INFO, "This machine does not know its own name: {0}", e.getMessage());
        }
        for (String name : extraNames) {
            String bare =
                    name.startsWith("[") && name.endsWith("]")
                            ? name.substring(1, name.length() - 1)
                            : name;
            // An address to listen on everywhere is no name to be reached by.
            if (!bare.isEmpty() && !bare.equals("0.0.0.0") && !bare.equals("::")) {
                names.add(bare);
            }
        }
        var usable = new LinkedHashSet<String>();
        for (String name : names) {
            if (!isAddress(name)
                    && !name.matches("(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?")) {
                throw new TlsException("\"" + name + "\" cannot be a name in a certificate.");
            }
            usable.add(normalize(name));
        }
        return usable;
    }

    private static String normalize(String name) {
        return isAddress(name)
                ? InetAddress.ofLiteral(name).getHostAddress()
                : name.toLowerCase(Locale.ROOT);
    }

    /** Returns true if the name is an IP address; asks no name server. */
    static boolean isAddress(String name) {
        try {
            var _ = InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Current loadOrIssue(CertificateAuthority authority) {
        Path file = file(authority);
        if (Files.exists(file)) {
            try {
                var material = TlsMaterial.load(file, file, clock);
                if (!isDue(material) && isFor(material.leaf(), authority)) {
                    return new Current(material, material.toSslContext(natives));
                }
            } catch (TlsException e) {
                // Ours to replace, unlike the CA: clients trust whatever the CA has signed.
                LOG.log(WARNING, "A new server certificate is made: {0}", e.getMessage());
            }
        }
        return issue(authority);
    }

    private boolean isFor(X509Certificate leaf, CertificateAuthority authority) {
        try {
            leaf.verify(authority.certificate().getPublicKey());
            var found = new HashSet<String>();
            var entries = leaf.getSubjectAlternativeNames();
            if (entries != null) {
                entries.forEach(entry -> found.add(normalize(String.valueOf(entry.get(1)))));
            }
            return found.equals(names);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private Current issue(CertificateAuthority authority) {
        var keys = Issuer.newKeys();
        var leaf = authority.sign(keys.getPublic(), names, clock, VALIDITY);
        var material = new TlsMaterial(keys.getPrivate(), List.of(leaf, authority.certificate()));
        var context = material.toSslContext(natives);
        // Key and chain in one file, so that they cannot fall apart.
        var text = new StringBuilder(PemFiles.toPem(material.key()));
        material.chain().forEach(certificate -> text.append(PemFiles.toPem(certificate)));
        PemFiles.write(file(authority), text.toString());
        return new Current(material, context);
    }

    private static Path file(CertificateAuthority authority) {
        return authority.path().resolveSibling("server.pem");
    }

    private boolean isDue(TlsMaterial material) {
        return clock.instant().plus(RENEWAL).isAfter(material.leaf().getNotAfter().toInstant());
    }

    /** The names the leaf was issued for; empty for a team's own. */
    public Set<String> names() {
        return names;
    }

    public TlsMaterial material() {
        return current.material();
    }

    /** Replaces the leaf if it has less than 30 days left; a daily task calls it. */
    public synchronized void renewIfDue() {
        if (authority != null && isDue(current.material())) {
            current = issue(authority);
            LOG.log(
                    INFO,
                    "Renewed the server certificate until {0}",
                    current.material().leaf().getNotAfter().toInstant());
        }
    }

    private void renewSafely() {
        try {
            renewIfDue();
        } catch (RuntimeException e) {
            LOG.log(ERROR, "The server certificate could not be renewed; trying again tomorrow", e);
        }
    }

    /** Returns the TLS context for new connections. */
    @Override
    public SslContext get() {
        return current.context();
    }

    /** Ends the daily check. */
    @Override
    public void close() {
        if (daily != null) {
            daily.shutdownNow();
        }
    }
}
