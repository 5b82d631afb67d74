package orrery.server.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLException;
import orrery.frontend.http.Natives;

/** A private key and its certificate chain, leaf first. */
public record TlsMaterial(PrivateKey key, List<X509Certificate> chain) {
    public TlsMaterial {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a chain without a certificate");
        }
    }

    /**
     * Reads a team's own PEM files: a chain, leaf first, and its key (RSA, EC or EdDSA; PKCS#8,
     * PKCS#1 or SEC1).
     *
     * @throws TlsException with a sentence that says what is wrong with which file
     */
    public static TlsMaterial load(Path certificateFile, Path keyFile, Clock clock) {
        var chain = PemFiles.readCertificates(certificateFile);
        var key = PemFiles.readKey(keyFile);
        var leaf = chain.getFirst();
        if (!PemFiles.match(key, leaf.getPublicKey())) {
            throw new TlsException(
                    "The key in "
                            + keyFile
                            + " does not belong to the first certificate in "
                            + certificateFile
                            + "; the server's own certificate must come first.");
        }
        if (leaf.getNotAfter().toInstant().isBefore(clock.instant())) {
            throw new TlsException(
                    "The certificate in "
                            + certificateFile
                            + " expired on "
                            + leaf.getNotAfter().toInstant()
                            + ".");
        }
        for (int i = 0; i + 1 < chain.size(); i++) {
            try {
                chain.get(i).verify(chain.get(i + 1).getPublicKey());
            } catch (GeneralSecurityException e) {
                throw new TlsException(
                        "Certificate %d in %s is not signed by certificate %d; the order is leaf, intermediates, root."
                                .formatted(i + 1, certificateFile, i + 2),
                        e);
            }
        }
        return new TlsMaterial(key, chain);
    }

    public X509Certificate leaf() {
        return chain.getFirst();
    }

    /** Makes a server's context for TLS 1.2 and 1.3. */
    public SslContext toSslContext(Natives natives) {
        try {
            return SslContextBuilder.forServer(key, chain)
                    .sslProvider(natives.sslProvider())
                    .trustManager(NoClients.TRUST)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new TlsException("The certificate cannot be used for TLS: " + e.getMessage(), e);
        }
    }
}
