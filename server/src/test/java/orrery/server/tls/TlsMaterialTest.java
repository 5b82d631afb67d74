package orrery.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpServer;
import orrery.frontend.http.Natives;

class TlsMaterialTest {
    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static KeyPair keys(String algorithm) throws Exception {
        var generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("EC") ? 256 : 2048);
        return generator.generateKeyPair();
    }

    private static X509Certificate certificate(
            KeyPair keys, String name, PrivateKey issuerKey, String issuer) throws Exception {
        var builder =
                new JcaX509v3CertificateBuilder(
                        new X500Name("CN=" + issuer),
                        BigInteger.TWO,
                        Date.from(CLOCK.instant().minus(Duration.ofDays(1))),
                        Date.from(CLOCK.instant().plus(Duration.ofDays(10))),
                        new X500Name("CN=" + name),
                        keys.getPublic());
        String algorithm =
                issuerKey.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder(algorithm).build(issuerKey)));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** The forms that OpenSSL writes: PKCS#1 for RSA and SEC1, with the curve, for EC. */
    private static String traditional(PrivateKey key) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            if (key instanceof ECPrivateKey ec) {
                var content =
                        new org.bouncycastle.asn1.sec.ECPrivateKey(
                                256, ec.getS(), SECObjectIdentifiers.secp256r1);
                writer.writeObject(new PemObject("EC PRIVATE KEY", content.getEncoded()));
            } else {
                writer.writeObject(key);
            }
        }
        return text.toString();
    }

    /** The curve in a part of its own, or nowhere. */
    private static String withoutCurve(PrivateKey key) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(key);
        }
        return text.toString();
    }

    @Test
    void takesRsaAndEcInEveryForm() throws Exception {
        for (String algorithm : List.of("RSA", "EC")) {
            var keys = keys(algorithm);
            var leaf = certificate(keys, "leaf", keys.getPrivate(), "leaf");
            Path chain = write("chain.pem", "a comment\r\n" + PemFiles.toPem(leaf));
            String old = traditional(keys.getPrivate());
            assertThat(old).contains("BEGIN " + algorithm + " PRIVATE KEY");
            String parameters =
                    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
            for (String text :
                    List.of(
                            PemFiles.toPem(keys.getPrivate()),
                            PemFiles.toPem(keys.getPrivate()).replace("\n", "\r\n"),
                            old,
                            parameters + old,
                            parameters + withoutCurve(keys.getPrivate()))) {
                var material = TlsMaterial.load(chain, write("key.pem", text), CLOCK);
                assertThat(material.leaf()).isEqualTo(leaf);
                for (var natives : List.of(Natives.detect(), Natives.none())) {
                    try (var certificate = ServerCertificate.of(material, natives);
                            var server =
                                    HttpServer.builder(_ -> HttpReply.empty(200))
                                            .tls(certificate)
                                            .start()) {
                        certificate.renewIfDue(); // not ours to renew
                        assertThat(certificate.material()).isEqualTo(material);
                        assertThat(server.port()).isPositive();
                    }
                }
            }
        }
    }

    @Test
    void takesChains() throws Exception {
        var root = keys("RSA");
        var leaf = keys("EC");
        var rootCertificate = certificate(root, "root", root.getPrivate(), "root");
        var leafCertificate = certificate(leaf, "leaf", root.getPrivate(), "root");
        Path key = write("key.pem", PemFiles.toPem(leaf.getPrivate()));
        var good =
                write("c.pem", PemFiles.toPem(leafCertificate) + PemFiles.toPem(rootCertificate));
        assertThat(TlsMaterial.load(good, key, CLOCK).chain())
                .containsExactly(leafCertificate, rootCertificate);

        var reversed =
                write("r.pem", PemFiles.toPem(rootCertificate) + PemFiles.toPem(leafCertificate));
        assertComplaint(reversed, key, "the server's own certificate must come first");
        var stranger = keys("EC");
        var strangerCertificate =
                certificate(stranger, "stranger", stranger.getPrivate(), "stranger");
        var broken =
                write(
                        "b.pem",
                        PemFiles.toPem(leafCertificate) + PemFiles.toPem(strangerCertificate));
        assertComplaint(broken, key, "Certificate 1 in " + broken + " is not signed by");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        var keys = keys("EC");
        var leaf = certificate(keys, "leaf", keys.getPrivate(), "leaf");
        Path chain = write("chain.pem", PemFiles.toPem(leaf));
        Path key = write("key.pem", PemFiles.toPem(keys.getPrivate()));
        Path missing = directory.resolve("missing.pem");
        Path empty = write("empty.pem", "");
        assertComplaint(missing, key, "There is no certificate file " + missing);
        assertComplaint(chain, missing, "There is no key file " + missing);
        assertComplaint(empty, key, "There is no complete certificate in the file " + empty);
        assertComplaint(key, key, "There is no complete certificate in the file " + key);
        assertComplaint(chain, chain, "There is no complete private key in the file " + chain);
        assertComplaint(directory, key, "cannot be read");
        for (String algorithm : List.of("EC", "RSA")) {
            Path other = write("other.pem", PemFiles.toPem(keys(algorithm).getPrivate()));
            assertComplaint(chain, other, "The key in " + other + " does not belong to");
        }
        Path encrypted =
                write(
                        "enc.pem",
                        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n");
        assertComplaint(chain, encrypted, "is encrypted");
        var oldEncrypted = new StringWriter();
        try (var writer = new JcaPEMWriter(oldEncrypted)) {
            writer.writeObject(
                    keys.getPrivate(),
                    new JcePEMEncryptorBuilder("AES-128-CBC")
                            .setProvider(new org.bouncycastle.jce.provider.BouncyCastleProvider())
                            .build("secret".toCharArray()));
        }
        assertComplaint(chain, write("old.pem", oldEncrypted.toString()), "is encrypted");
        assertThatThrownBy(
                        () ->
                                TlsMaterial.load(
                                        chain, key, Clock.offset(CLOCK, Duration.ofDays(11))))
                .isInstanceOf(TlsException.class)
                .hasMessage("The certificate in " + chain + " expired on 2026-01-11T00:00:00Z.");
    }

    private static void assertComplaint(Path chain, Path key, String text) {
        assertThatThrownBy(() -> TlsMaterial.load(chain, key, CLOCK))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining(text);
    }
}
