package orrery.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines in files of bounded size and number. */
final class AuditFileTest {
    @TempDir Path temporary;

    private Path directory() {
        return temporary.resolve("audit");
    }

    /** Three files of 20 bytes. */
    private AuditFile open() {
        return new AuditFile(directory(), "x", 20, 3);
    }

    @Test
    void aFileIsFullAtItsSizeAndNotBefore() throws IOException {
        try (AuditFile file = open()) {
            file.append("012345678");
            file.append("012345678");
            assertThat(Files.size(file.file(0))).isEqualTo(20);
            assertThat(file.file(1)).doesNotExist();
            file.append("n");
            assertThat(Files.readString(file.file(0))).isEqualTo("n\n");
            assertThat(Files.size(file.file(1))).isEqualTo(20);
        }
    }

    @Test
    void theOldestFileGoes() throws IOException {
        try (AuditFile file = open()) {
            for (int i = 0; i < 4; i++) {
                file.append(("" + i).repeat(15));
            }
            assertThat(Files.readString(file.file(0))).startsWith("333");
            assertThat(Files.readString(file.file(1))).startsWith("222");
            assertThat(Files.readString(file.file(2))).startsWith("111");
            assertThat(file.file(3)).doesNotExist();
        }
    }

    @Test
    void aLineThatIsTooLongHasAFileOfItsOwn() throws IOException {
        try (AuditFile file = open()) {
            file.append("first");
            file.append("x".repeat(50));
            file.append("last");
            assertThat(Files.readString(file.file(0))).isEqualTo("last\n");
            assertThat(Files.size(file.file(1))).isEqualTo(51);
            assertThat(Files.readString(file.file(2))).isEqualTo("first\n");
        }
    }

    @Test
    void anotherProcessGoesOnWhereTheLastEnded() throws IOException {
        try (AuditFile file = open()) {
            file.append("one");
        }
        try (AuditFile file = open()) {
            file.append("two");
            assertThat(Files.readString(file.file(0))).isEqualTo("one\ntwo\n");
        }
    }

    @Test
    void aLineThatWasCutOffEndsBeforeTheNext() throws IOException {
        try (AuditFile file = open()) {
            file.append("one");
            Files.writeString(file.file(0), "one\ncut");
        }
        try (AuditFile file = open()) {
            file.append("two");
            assertThat(Files.readString(file.file(0))).isEqualTo("one\ncut\ntwo\n");
        }
    }

    @Test
    void aDirectoryThatIsGoneIsNotMadeAgain() throws IOException {
        Path data = temporary.resolve("data");
        try (AuditFile file = new AuditFile(data.resolve("audit"), "x", 20, 3)) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> file.append("one"));
            assertThat(data).doesNotExist();
            Files.createDirectory(data);
            file.append("two");
            assertThat(Files.readString(file.file(0))).isEqualTo("two\n");
        }
    }
}
