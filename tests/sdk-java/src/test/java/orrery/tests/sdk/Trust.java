package orrery.tests.sdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;

/**
 * The trust store of this JVM, which is where the SDKs look. Every server has its own CA, so the
 * store grows; each state is a new file, because the JDK keeps what it has read from an old one.
 * Clients made after {@link #add} see it. Host names stay verified.
 */
final class Trust {
    private static final String PASSWORD = "changeit";
    private static final KeyStore STORE = emptyStore();

    private Trust() {}

    /** Imports a PEM certificate, as {@code keytool -importcert} does. */
    static synchronized void add(Path pem) {
        try (InputStream in = Files.newInputStream(pem)) {
            Certificate certificate =
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (STORE.getCertificateAlias(certificate) != null) {
                return;
            }
            STORE.setCertificateEntry("orrery-" + STORE.size(), certificate);
            Path file = Files.createTempFile("orrery-trust-", ".p12");
            file.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(file)) {
                STORE.store(out, PASSWORD.toCharArray());
            }
            System.setProperty("javax.net.ssl.trustStore", file.toString());
            System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
            System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Makes a context for clients of the JDK, whose default context keeps the first store that it
     * has seen.
     */
    static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore emptyStore() {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
