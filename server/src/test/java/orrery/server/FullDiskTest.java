package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;

/** A server on a disk that is really full: a small file system in memory, mounted by root. */
@Timeout(900)
class FullDiskTest {
    private static final int MB = 1 << 20;

    /**
     * The store fills about 60 MB of the disk beside ballast and reserve, for a while twice: in its
     * log and in its tables. Neither half of the reserve nor the ballast may be less than that.
     */
    private static final int DISK_MB = 464;

    private static final int RESERVE_MB = 240;
    private static final int BALLAST_MB = 128;
    private static final AccountSettings SETTINGS =
            AccountSettings.DEFAULT.withMetering(false, false, false);
    private static final String LINK = "dbs/d/colls/c";

    private Path disk;
    private Path data;
    private Path ballast;

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0;
    }

    @BeforeEach
    void mount(@TempDir Path directory) throws IOException, InterruptedException {
        disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && run(
                                "mount",
                                "-t",
                                "tmpfs",
                                "-o",
                                "size=" + DISK_MB + "m",
                                "tmpfs",
                                disk.toString()),
                "mounting a file system needs root");
        data = disk.resolve("data");
        ballast = disk.resolve("ballast");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        run("umount", "-l", disk.toString());
    }

    private void fill(Path file, int leftMegabytes) throws IOException {
        long free = Files.getFileStore(disk).getUsableSpace();
        Files.write(file, new byte[(int) (free - (long) leftMegabytes * MB)]);
    }

    private ServerFixture start() {
        return ServerFixture.start(Optional.of(data), SETTINGS, (long) RESERVE_MB * MB);
    }

    private static HttpResponse<String> create(ServerFixture server, int number) {
        byte[] noise = new byte[75_000];
        new SplittableRandom(number).nextBytes(noise);
        return server.sqlReply(
                "POST",
                "docs",
                LINK,
                LINK + "/docs",
                "{\"id\":\"i%d\",\"pk\":\"k\",\"s\":\"%s\"}"
                        .formatted(number, Base64.getEncoder().encodeToString(noise)),
                "x-ms-documentdb-partitionkey",
                "[\"k\"]");
    }

    private static HttpResponse<String> delete(ServerFixture server, String id) {
        String link = LINK + "/docs/" + id;
        return server.sqlReply(
                "DELETE", "docs", link, link, "", "x-ms-documentdb-partitionkey", "[\"k\"]");
    }

    private static String page(ServerFixture server, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://localhost:" + server.server().statusPort() + path);
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        }
    }

    @Test
    void writesAreRefusedInTimeAndGoOnByThemselves() throws Exception {
        Files.write(ballast, new byte[BALLAST_MB * MB]);
        List<Integer> acknowledged = new ArrayList<>();
        try (ServerFixture server = start()) {
            server.createDatabase("d");
            server.createContainer("d", "c");
            int number = 0;
            HttpResponse<String> answer = create(server, number);
            while (answer.statusCode() == 201) {
                acknowledged.add(number);
                answer = create(server, ++number);
            }
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body()).contains("nearly full").doesNotContain(data.toString());
            assertThat(answer.headers().firstValue("x-ms-retry-after-ms")).contains("1000");
            assertThat(acknowledged).hasSizeGreaterThan(10);
            assertThat(page(server, "/status"))
                    .contains("\"reserveBytes\":" + RESERVE_MB * MB)
                    .contains("\"writes\":\"deletes only\"");
            assertThat(page(server, "/metrics")).contains("orrery_disk_refused_writes_total 1.0");
            assertThat(page(server, "/ready")).contains("\"ready\"");

            assertThat(server.readItem("d", "c", "k", "i0").statusCode()).isEqualTo(200);
            assertThat(delete(server, "i0").statusCode()).isEqualTo(204);
            acknowledged.removeFirst();

            Files.delete(ballast);
            do {
                answer = create(server, ++number);
            } while (answer.statusCode() == 503);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            acknowledged.add(number);
        }
        try (ServerFixture server = start()) {
            for (int number : acknowledged) {
                assertThat(server.readItem("d", "c", "k", "i" + number).statusCode())
                        .as("item " + number)
                        .isEqualTo(200);
            }
            assertThat(server.readItem("d", "c", "k", "i0").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aStartOnAFullDiskSaysWhatToDo() throws Exception {
        fill(ballast, RESERVE_MB / 4 - 1);
        ServerFixture.Output low =
                ServerFixture.command(
                        "start", "--data", data.toString(), "--disk-reserve", RESERVE_MB + "MB");
        assertThat(low.exitCode()).isEqualTo(1);
        assertThat(low.err().lines().toList())
                .singleElement()
                .asString()
                .contains("MB free, and a start needs " + RESERVE_MB / 4 + " MB. Make room");

        fill(disk.resolve("more"), 0);
        ServerFixture.Output full =
                ServerFixture.command("start", "--data", data.toString(), "--disk-reserve", "0KB");
        assertThat(full.exitCode()).isEqualTo(1);
        assertThat(full.err().lines().toList())
                .singleElement()
                .asString()
                .contains("is full. Make room on it and start again.");
    }
}
