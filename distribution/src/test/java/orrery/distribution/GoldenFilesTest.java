package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Golden files are append-only: bytes that were written once are read for ever. {@code
 * formats.lock} has the hash of each of their lines. {@code -Drewrite=true} adds the lines that are
 * new and never takes one away.
 */
class GoldenFilesTest {
    private static final Path LOCK =
            Path.of("distribution", "src", "test", "resources", "formats.lock");

    private final SourceTree tree = SourceTree.read();

    @Test
    void linesOfGoldenFilesStay() throws IOException, NoSuchAlgorithmException {
        Path file = tree.root().resolve(LOCK);
        Set<String> locked =
                Files.exists(file)
                        ? new LinkedHashSet<>(Files.readAllLines(file))
                        : new LinkedHashSet<>();
        Set<String> present = present();
        if (Boolean.getBoolean("rewrite")) {
            locked = new TreeSet<>(locked);
            locked.addAll(present);
            Files.writeString(file, String.join("\n", locked) + "\n");
        }

        assertThat(minus(locked, present))
                .as("lines that were changed or removed: give the record a new version instead")
                .isEmpty();
        assertThat(minus(present, locked))
                .as("new lines: add them as CONTRIBUTING.md says")
                .isEmpty();
    }

    private static Set<String> minus(Set<String> some, Set<String> others) {
        Set<String> rest = new LinkedHashSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    /** File, name and hash of each line. */
    private Set<String> present() throws NoSuchAlgorithmException {
        Set<String> lines = new LinkedHashSet<>();
        for (Path file : tree.ending(".hex")) {
            List<String> text =
                    tree.text(file).lines().filter(line -> !line.startsWith("#")).toList();
            for (String line : text) {
                int space = line.indexOf(' ');
                lines.add(
                        "%s %s %s"
                                .formatted(
                                        SourceTree.unix(file),
                                        space < 0 ? "-" : line.substring(0, space),
                                        hash(line)));
            }
        }
        assertThat(lines).isNotEmpty();
        return lines;
    }

    private static String hash(String line) throws NoSuchAlgorithmException {
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(line.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, 8);
    }
}
