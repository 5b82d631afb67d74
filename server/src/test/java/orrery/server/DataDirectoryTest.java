package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
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
        assertThat(ServerFixture.command("keys", "new", "--data", data.toString()).exitCode())
                .isZero();
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

    private static void refuses(String text, String... arguments) {
        refuses(1, text, arguments);
    }

    private static void refuses(int exitCode, String text, String... arguments) {
        ServerFixture.Output output = ServerFixture.command(arguments);
        assertThat(output.exitCode()).as(output.err()).isEqualTo(exitCode);
        assertThat(output.err()).contains(text).doesNotContain("\tat ");
    }

    @Test
    void aDirectoryOfSomebodyElseIsNotTouched() throws IOException {
        Path home = Files.createDirectories(temporary.resolve("home"));
        Files.writeString(home.resolve("letter.txt"), "dear");
        open(home, "rwxr-xr-x");
        refuses("'letter.txt'", "start", "--data", home.toString());
        refuses("'letter.txt'", "keys", "new", "--data", home.toString());
        assertThat(home.toFile().list()).containsExactly("letter.txt");
        assertThat(Files.getPosixFilePermissions(home))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void anEmptyNameAndAFileAreRefused() throws IOException {
        for (String command : new String[] {"start", "check", "stop", "status", "cert"}) {
            refuses(2, "--data is empty", command, "--data", "");
        }
        Path file = Files.writeString(temporary.resolve("file"), "x");
        Path link = Files.createSymbolicLink(temporary.resolve("link"), Path.of("nowhere"));
        for (String command : new String[] {"start", "check", "stop", "status", "cert"}) {
            refuses("is a file", command, "--data", file.toString());
            refuses("link to nowhere", command, "--data", link.toString());
        }
    }

    /** A mistyped name must not make a directory, nor an empty one become a data directory. */
    @Test
    void whoLooksMakesNothing() throws IOException {
        Path mistyped = temporary.resolve("mistyped");
        Path empty = Files.createDirectories(temporary.resolve("empty"));
        for (Path data : List.of(mistyped, empty)) {
            for (String command : new String[] {"check", "stop", "status", "cert"}) {
                refuses("is not a data directory", command, "--data", data.toString());
            }
            refuses("is not a data directory", "keys", "show", "--data", data.toString());
            refuses("is not a data directory", "account", "show", "--data", data.toString());
            refuses(
                    "is not a data directory",
                    "account",
                    "set",
                    "--limits=2017",
                    "--data",
                    data.toString());
        }
        assertThat(mistyped).doesNotExist();
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void volumesAreTakenThoughTheyAreNotQuiteEmpty() throws IOException {
        Path volume = Files.createDirectories(temporary.resolve("volume"));
        Files.createDirectories(volume.resolve("lost+found"));
        try (ServerFixture server =
                ServerFixture.start(Optional.of(volume), AccountSettings.DEFAULT)) {
            server.createDatabase("d");
        }
    }

    @Test
    void namesMayHaveBlanksAndLettersOfAnyKind() {
        Path data = temporary.resolve("my data").resolve("Müller 数据 100%");
        try (ServerFixture server =
                ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT)) {
            server.createDatabase("d");
        }
        assertThat(ServerFixture.command("check", "--data", data.toString()).exitCode()).isZero();
        assertThat(ServerFixture.command("cert", "--data", data.toString()).out())
                .contains(data.toString())
                .contains(" -file '" + data.resolve("tls/ca.crt") + "' -cacerts")
                .contains("curl http://localhost:8081/_orrery/ca.crt");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aDirectoryThatCannotBeMadeIsExplained() {
        refuses("the system does not let it be made there", "start", "--data", "/proc/orrery");
    }

    /** Root may write everywhere, and is not refused. */
    @Test
    void aDirectoryThatCannotBeWrittenIsNamed() throws IOException {
        Path closed = Files.createDirectories(temporary.resolve("closed"));
        open(closed, "r-x------");
        assumeFalse(Files.isWritable(closed), "the user of this test may write everywhere");
        refuses("cannot be used: permission denied", "start", "--data", closed.toString());
        open(closed, "-wx------");
        refuses("cannot be read: permission denied", "start", "--data", closed.toString());
        for (String command : List.of("cert", "status", "stop", "check")) {
            refuses("cannot be read: permission denied", command, "--data", closed.toString());
        }
        open(closed, "rwx------");
    }
}
