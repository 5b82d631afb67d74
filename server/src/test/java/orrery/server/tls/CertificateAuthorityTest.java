package orrery.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {
    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void isMadeOnceAndStaysTheSame() throws Exception {
        Path nested = directory.resolve("data/tls");
        var made = CertificateAuthority.loadOrCreate(nested, CLOCK);
        var loaded =
                CertificateAuthority.loadOrCreate(
                        nested, Clock.offset(CLOCK, Duration.ofDays(3000)));
        assertThat(loaded.certificate()).isEqualTo(made.certificate());
        assertThat(loaded.pem()).isEqualTo(made.pem()).isEqualTo(Files.readString(made.path()));
        assertThat(made.path()).isEqualTo(nested.resolve("ca.crt"));

        var certificate = made.certificate();
        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getBasicConstraints()).isZero();
        assertThat(certificate.getPublicKey().getAlgorithm()).isEqualTo("EC");
        assertThat(certificate.getNotAfter().toInstant())
                .isAfterOrEqualTo(Instant.parse("2036-01-01T00:00:00Z"));
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(nested.resolve("ca.key"))))
                    .isEqualTo("rw-------");
        }
        try (var files = Files.list(nested)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("ca.crt", "ca.key");
        }
    }

    @Test
    void differsBetweenDeployments() {
        var one = CertificateAuthority.loadOrCreate(directory.resolve("1"), CLOCK).certificate();
        var two = CertificateAuthority.loadOrCreate(directory.resolve("2"), CLOCK).certificate();
        assertThat(one.getSubjectX500Principal()).isNotEqualTo(two.getSubjectX500Principal());
    }

    @Test
    void startsOverAfterAFirstStartThatWasCutShort() throws IOException {
        CertificateAuthority.loadOrCreate(directory, CLOCK);
        Files.delete(directory.resolve("ca.crt"));
        Files.writeString(directory.resolve("ca.key.tmp"), "half a k");
        var made = CertificateAuthority.loadOrCreate(directory, CLOCK);
        assertThat(CertificateAuthority.loadOrCreate(directory, CLOCK).certificate())
                .isEqualTo(made.certificate());
    }

    @Test
    void saysWhatIsWrongAndReplacesNothing() throws IOException {
        CertificateAuthority.loadOrCreate(directory, CLOCK);
        Path certificateFile = directory.resolve("ca.crt");
        Path keyFile = directory.resolve("ca.key");
        String certificate = Files.readString(certificateFile);
        String key = Files.readString(keyFile);

        for (String damaged :
                new String[] {
                    "",
                    certificate.substring(0, 200),
                    certificate.replace("MI", "!!"),
                    certificate.replaceFirst("MIIB", "AAAA")
                }) {
            Files.writeString(certificateFile, damaged);
            assertComplaint(certificateFile.toString());
            assertThat(certificateFile).hasContent(damaged);
        }
        Files.writeString(certificateFile, certificate);

        Files.writeString(keyFile, key.substring(0, 100));
        assertComplaint("There is no complete private key in the file " + keyFile);
        Files.writeString(keyFile, key.replaceFirst("\nM", "\nA"));
        assertComplaint("The key file " + keyFile + " is damaged");
        Files.delete(keyFile);
        assertComplaint("its key " + keyFile + " is not");

        CertificateAuthority.loadOrCreate(directory.resolve("other"), CLOCK);
        Files.copy(directory.resolve("other/ca.key"), keyFile);
        assertComplaint("The key " + keyFile + " does not belong to the CA");
        Files.writeString(keyFile, key);

        assertThatThrownBy(
                        () ->
                                CertificateAuthority.loadOrCreate(
                                        directory, Clock.offset(CLOCK, Duration.ofDays(3700))))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("has expired");
        assertThat(CertificateAuthority.loadOrCreate(directory, CLOCK).pem())
                .isEqualTo(certificate);
    }

    private void assertComplaint(String text) {
        assertThatThrownBy(() -> CertificateAuthority.loadOrCreate(directory, CLOCK))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining(text);
    }
}
