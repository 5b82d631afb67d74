package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.frontend.http.HttpLimits;

final class OpenFilesTest {
    private static final int USUAL = HttpLimits.defaults().maxConnections();

    @TempDir private Path directory;

    private int connections(String line, int part) throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("limits"),
                        "Limit                     Soft Limit           Hard Limit           Units\n"
                                + line
                                + "\nMax locked memory         8388608              8388608   bytes\n");
        return OpenFiles.read(file).limits(part).build().maxConnections();
    }

    @Test
    void connectionsLeaveFilesForTheRest() throws IOException {
        String few = "Max open files            1024                 4096                 files";
        assertThat(connections(few, 2)).isEqualTo(512);
        assertThat(connections(few, 8)).isEqualTo(128);
    }

    @Test
    void whereThereAreManyTheUsualLimitHolds() throws IOException {
        assertThat(connections("Max open files            1048576              1048576   files", 2))
                .isEqualTo(USUAL);
        assertThat(connections("Max open files            unlimited            unlimited files", 2))
                .isEqualTo(USUAL);
        assertThat(OpenFiles.read(directory.resolve("none")).limits(2).build().maxConnections())
                .isEqualTo(USUAL);
    }
}
