package orrery.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import orrery.storage.files.PrivateFiles;

/** Keys and certificates as PEM text: read with clear complaints, written all or nothing. */
final class PemFiles {
    private PemFiles() {}

    static String toPem(X509Certificate certificate) {
        try {
            return toPem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new TlsException("A certificate cannot be encoded.", e);
        }
    }

    static String toPem(PrivateKey key) {
        return toPem("PRIVATE KEY", key.getEncoded());
    }

    private static String toPem(String type, byte[] content) {
        var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(String type, byte[] content) {}

    // Our own files need no more than this; Bouncy Castle would cost its class loading at each
    // start.
    private static final Pattern PART =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private static List<Part> parts(String text) {
        var parts = new ArrayList<Part>();
        var matcher = PART.matcher(text);
        while (matcher.find()) {
            String base64 = matcher.group(2);
            // Old OpenSSL files have headers between the first line and the content.
            if (!base64.contains(":")) {
                base64 = base64.replaceAll("\\s", "");
                parts.add(new Part(matcher.group(1), Base64.getDecoder().decode(base64)));
            } else {
                parts.add(new Part("ENCRYPTED PRIVATE KEY", new byte[0]));
            }
        }
        return parts;
    }

    /** The certificates of a file, in order; at least one. */
    static List<X509Certificate> readCertificates(Path file) {
        String text = readText(file, "certificate");
        var certificates = new ArrayList<X509Certificate>();
        try {
            var factory = CertificateFactory.getInstance("X.509");
            for (var part : parts(text)) {
                if (part.type().equals("CERTIFICATE")) {
                    var content = new ByteArrayInputStream(part.content());
                    certificates.add((X509Certificate) factory.generateCertificate(content));
                }
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new TlsException("The certificate file " + file + " is damaged or not PEM.", e);
        }
        if (certificates.isEmpty()) {
            throw new TlsException("There is no complete certificate in the file " + file + ".");
        }
        return certificates;
    }

    /**
     * The first private key of a file: PKCS#8, or the older forms for RSA (PKCS#1) and EC (SEC1).
     */
    static PrivateKey readKey(Path file) {
        String text = readText(file, "key");
        byte[] parameters = new byte[0];
        try {
            for (var part : parts(text)) {
                switch (part.type()) {
                    case "PRIVATE KEY" -> {
                        return toKey(part.content());
                    }
                    case "EC PARAMETERS" -> parameters = part.content();
                    case "RSA PRIVATE KEY" -> {
                        return toKey(OlderKeys.fromPkcs1(part.content()));
                    }
                    case "EC PRIVATE KEY" -> {
                        return toKey(OlderKeys.fromSec1(part.content(), parameters));
                    }
                    case "ENCRYPTED PRIVATE KEY" ->
                            throw new TlsException(
                                    "The key in the file "
                                            + file
                                            + " is encrypted; give the server one without a"
                                            + " passphrase (openssl pkey -in ... -out ...).");
                    default -> {
                        // Certificates may stand before the key.
                    }
                }
            }
        } catch (TlsException e) {
            throw e;
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new TlsException("The key file " + file + " is damaged or not PEM.", e);
        }
        throw new TlsException("There is no complete private key in the file " + file + ".");
    }

    private static PrivateKey toKey(byte[] pkcs8) throws GeneralSecurityException {
        var spec = new PKCS8EncodedKeySpec(pkcs8);
        var failures = new ArrayList<GeneralSecurityException>();
        for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                failures.add(e);
            }
        }
        throw failures.getFirst();
    }

    private static String readText(Path file, String what) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new TlsException("There is no " + what + " file " + file + ".", e);
        } catch (IOException e) {
            throw new TlsException("The " + what + " file " + file + " cannot be read: " + e, e);
        }
    }

    /**
     * Returns true if the private key belongs to the public one, by signing with one and verifying
     * with the other.
     */
    static boolean match(PrivateKey key, PublicKey publicKey) {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "EdDSA";
                };
        byte[] text = "orrery".getBytes(StandardCharsets.US_ASCII);
        try {
            var signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            byte[] signature = signer.sign();
            signer.initVerify(publicKey);
            signer.update(text);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    static void write(Path file, String text) {
        try {
            PrivateFiles.write(file, text);
        } catch (IOException e) {
            throw new TlsException("The file " + file + " cannot be written: " + e, e);
        }
    }
}
