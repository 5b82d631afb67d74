package orrery.server.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes X.509 certificates that Java, Node, OpenSSL and the operating systems accept. A start that
 * finds its certificates does not come here, and so does not load Bouncy Castle.
 */
final class Issuer {
    // Clients' clocks may be behind ours.
    private static final Duration BACKDATE = Duration.ofDays(1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private Issuer() {}

    static KeyPair newKeys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new TlsException("This Java cannot make EC keys.", e);
        }
    }

    /** Self-signed, for signing leaves only. */
    static X509Certificate authority(KeyPair keys, Instant now, Duration validity) {
        // The name tells deployments apart in a developer's trust store.
        var name = new X500Name("CN=Orrery CA " + randomSerial().toString(16).substring(0, 8));
        try {
            var tools = new JcaX509ExtensionUtils();
            var builder = builder(name, name, keys.getPublic(), now, validity);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    tools.createSubjectKeyIdentifier(keys.getPublic()));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    tools.createAuthorityKeyIdentifier(keys.getPublic()));
            return sign(builder, keys.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new TlsException("The CA certificate cannot be made.", e);
        }
    }

    /** Issues a certificate for a server with these names, DNS names or IP addresses. */
    static X509Certificate leaf(
            X509Certificate authority,
            PrivateKey authorityKey,
            PublicKey key,
            Collection<String> names,
            Instant now,
            Duration validity) {
        // Never beyond the CA, which would make the chain invalid.
        Instant end = now.plus(validity);
        Instant authorityEnd = authority.getNotAfter().toInstant();
        Duration granted = Duration.between(now, end.isAfter(authorityEnd) ? authorityEnd : end);
        try {
            var tools = new JcaX509ExtensionUtils();
            var issuer = X500Name.getInstance(authority.getSubjectX500Principal().getEncoded());
            var builder = builder(issuer, new X500Name("CN=Orrery"), key, now, granted);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(
                            names.stream().map(Issuer::toName).toArray(GeneralName[]::new)));
            builder.addExtension(
                    Extension.subjectKeyIdentifier, false, tools.createSubjectKeyIdentifier(key));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    tools.createAuthorityKeyIdentifier(authority.getPublicKey()));
            return sign(builder, authorityKey);
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new TlsException("The server certificate cannot be made.", e);
        }
    }

    private static GeneralName toName(String name) {
        if (ServerCertificate.isAddress(name)) {
            return new GeneralName(GeneralName.iPAddress, name);
        }
        return new GeneralName(GeneralName.dNSName, name);
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, PublicKey key, Instant now, Duration validity) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                randomSerial(),
                Date.from(now.minus(BACKDATE)),
                Date.from(now.plus(validity)),
                subject,
                key);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws OperatorCreationException, GeneralSecurityException {
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private static BigInteger randomSerial() {
        // Positive and of full length.
        return new BigInteger(126, RANDOM).setBit(126);
    }
}
