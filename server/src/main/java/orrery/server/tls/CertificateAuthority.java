package orrery.server.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import orrery.storage.files.PrivateFiles;

/**
 * Signs this deployment's leaves. Made once in a directory, then the same for ten years, because
 * developers import it into their trust stores.
 */
public final class CertificateAuthority {
    private static final Duration VALIDITY = Duration.ofDays(3652);

    private final Path file;
    private final X509Certificate certificate;
    private final PrivateKey key;

    private CertificateAuthority(Path file, X509Certificate certificate, PrivateKey key) {
        this.file = file;
        this.certificate = certificate;
        this.key = key;
    }

    public static CertificateAuthority loadOrCreate(Path directory) {
        return loadOrCreate(directory, Clock.systemUTC());
    }

    /**
     * {@code ca.crt} and {@code ca.key} of that directory, made if there are none.
     *
     * @throws TlsException if they are there and cannot be used; they are never replaced
     */
    public static CertificateAuthority loadOrCreate(Path directory, Clock clock) {
        Path certificateFile = directory.resolve("ca.crt");
        Path keyFile = directory.resolve("ca.key");
        // The key is written first: a key alone is the trace of a first start that was cut short.
        if (!Files.exists(certificateFile)) {
            create(directory, certificateFile, keyFile, clock);
        } else if (!Files.exists(keyFile)) {
            throw new TlsException(
                    "The CA certificate "
                            + certificateFile
                            + " is there but its key "
                            + keyFile
                            + " is not. Restore the key, or remove the certificate to get a new"
                            + " CA, which clients must then import again.");
        }
        X509Certificate certificate = PemFiles.readCertificates(certificateFile).getFirst();
        PrivateKey key = PemFiles.readKey(keyFile);
        if (!PemFiles.match(key, certificate.getPublicKey())) {
            throw new TlsException(
                    "The key " + keyFile + " does not belong to the CA " + certificateFile + ".");
        }
        if (certificate.getBasicConstraints() < 0) {
            throw new TlsException("The certificate " + certificateFile + " is not that of a CA.");
        }
        if (certificate.getNotAfter().toInstant().isBefore(clock.instant())) {
            throw new TlsException(
                    "The CA "
                            + certificateFile
                            + " has expired. Remove it and "
                            + keyFile
                            + " to get a new one, which clients must then import.");
        }
        return new CertificateAuthority(certificateFile, certificate, key);
    }

    private static void create(Path directory, Path certificateFile, Path keyFile, Clock clock) {
        try {
            PrivateFiles.directory(directory);
        } catch (IOException e) {
            throw new TlsException("The directory " + directory + " cannot be made: " + e, e);
        }
        var keys = Issuer.newKeys();
        var certificate = Issuer.authority(keys, clock.instant(), VALIDITY);
        PemFiles.write(keyFile, PemFiles.toPem(keys.getPrivate()));
        PemFiles.write(certificateFile, PemFiles.toPem(certificate));
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /** Returns the certificate that a client imports. */
    public String pem() {
        return PemFiles.toPem(certificate);
    }

    /** The file that holds {@link #pem}. */
    public Path path() {
        return file;
    }

    X509Certificate sign(PublicKey key, Collection<String> names, Clock clock, Duration validity) {
        return Issuer.leaf(certificate, this.key, key, names, clock.instant(), validity);
    }
}
