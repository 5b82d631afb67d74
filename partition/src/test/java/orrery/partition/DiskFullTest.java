package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteResponse;

/** A disk that is really full: a small file system in memory, which only root may mount. */
@Timeout(900)
class DiskFullTest {
    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0;
    }

    @Test
    void aFullDiskStopsWritingAndLosesNothing(@TempDir Path directory) throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk.toString()),
                "mounting a file system needs root");
        try {
            fill(disk);
        } finally {
            run("umount", "-l", disk.toString());
        }
    }

    private static Bytes incompressible(int seed) {
        byte[] noise = new byte[75_000];
        new SplittableRandom(seed).nextBytes(noise);
        return Bytes.ofUtf8(
                "{\"id\":\"i\",\"s\":\"" + Base64.getEncoder().encodeToString(noise) + "\"}");
    }

    private static void fill(Path disk) {
        HostFixture host = new HostFixture(disk.resolve("data"), HostFixture.ONE_PATH);
        List<ItemKey> acknowledged = new ArrayList<>();
        PartitionResponse answer = new ControlResponse.Done();
        while (!(answer instanceof PartitionResponse.Failed) && acknowledged.size() < 1000) {
            ItemKey key = host.key("i" + acknowledged.size(), "north");
            answer =
                    host.write(
                            key,
                            new WriteAction.Create(incompressible(acknowledged.size())),
                            Precondition.NONE);
            if (answer instanceof WriteResponse.Written) {
                acknowledged.add(key);
            }
        }
        assertThat(HostFixture.failureOf(answer)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(((PartitionResponse.Failed) answer).text())
                .contains("restart")
                .doesNotContain(disk.toString());
        assertThat(acknowledged).isNotEmpty();

        // Even a write that would fit is refused now; reads go on.
        ItemKey small = host.key("small", "north");
        assertThat(
                        HostFixture.failureOf(
                                host.write(
                                        small,
                                        new WriteAction.Create(Bytes.ofUtf8("{\"id\":\"s\"}")),
                                        Precondition.NONE)))
                .isEqualTo(ErrorCode.UNAVAILABLE);
        for (ItemKey key : acknowledged) {
            assertThat(host.read(key, 0)).isInstanceOf(ReadResponse.Found.class);
        }
        host.close();
    }
}
