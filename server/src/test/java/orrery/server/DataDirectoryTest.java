package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.storage.files.PrivateFiles;

/** Checks who may use the files of a server, and that the files are whole. */
@DisabledOnOs(OS.WINDOWS)
class DataDirectoryTest {
    @TempDir Path temporary;

    /** Paths below a directory whose modes are not those of a private file, with their modes. */
    private static Map<String, String> openToOthers(Path root) throws IOException {
        Map<String, String> open = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                if (!mode.equals(Files.isDirectory(file) ? "rwx------" : "rw-------")) {
                    open.put(root.relativize(file).toString(), mode);
                }
            }
        }
        return open;
    }

    private static void open(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void whatWeWriteIsPrivateFromTheFirstMomentOn() throws IOException {
        Path data = temporary.resolve("a/b/data");
        KeyFile.create(data, new SecureRandom());
        try (ServerFixture _ = ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT)) {
            Map<String, String> open = openToOthers(data);
            // RocksDB's go by the umask, which the launcher sets for the server.
            open.keySet().removeIf(name -> name.matches("(catalog|sets/0)/.+"));
            assertThat(open).isEmpty();
            assertThat(data.resolve("tls/ca.crt")).exists();
            assertThat(data.resolve("format")).exists();
        }
    }

    @Test
    void aDirectoryThatOthersCouldUseIsNarrowed() throws IOException {
        Path data = temporary.resolve("data");
        try (ServerFixture server =
                ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT)) {
            server.createDatabase("d");
        }
        open(data, "rwxr-xr-x");
        open(data.resolve("tls"), "rwxrwxr-x");
        open(data.resolve("tls/ca.key"), "rw-r--r--");
        open(data.resolve("format"), "rw-rw-rw-");
        open(data.resolve("sets"), "rwxr-xr-x");
        open(data.resolve("marks"), "rwxrwxrwx");
        open(data.resolve("marks/catalog"), "rw-rw-rw-");
        Path foreign = Files.writeString(data.resolve("script.sh"), "#!/bin/sh\n");
        open(foreign, "rwxr-xr-x");

        DataDirectory.open(Optional.of(data)).close();

        assertThat(openToOthers(data)).containsOnlyKeys("script.sh");
    }

    /** A first attempt that was cut short is no obstacle, and a failed one leaves the old file. */
    @Test
    void aFileIsTheOldOneOrTheNewOne() throws IOException {
        Path file = temporary.resolve("format");
        Path draft = temporary.resolve("format.tmp");
        Files.writeString(draft, "half a li");
        PrivateFiles.write(file, "one\n");
        assertThat(file).hasContent("one\n");
        assertThat(draft).doesNotExist();

        open(Files.writeString(file, "two\n"), "rw-r--r--");
        PrivateFiles.write(file, "three\n");
        assertThat(file).hasContent("three\n");
        assertThat(openToOthers(file)).isEmpty();

        Files.createDirectories(draft.resolve("in the way"));
        assertThatIOException().isThrownBy(() -> PrivateFiles.write(file, "four\n"));
        assertThat(file).hasContent("three\n");
        assertThat(List.of(temporary.toFile().list())).containsOnly("format", "format.tmp");
    }
}
