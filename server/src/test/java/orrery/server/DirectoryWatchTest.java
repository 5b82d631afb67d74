package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;

class DirectoryWatchTest {
    @TempDir private Path directory;

    private final List<String> told = new ArrayList<>();
    private Path root;
    private Path current;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("data"));
        Files.createFile(root.resolve("lock"));
        current =
                Files.createFile(Files.createDirectory(root.resolve("catalog")).resolve("CURRENT"));
    }

    private DirectoryWatch watch() {
        return new DirectoryWatch(
                List.of(root.resolve("lock"), root.resolve("catalog")),
                List.of(current),
                told::add);
    }

    @Test
    void whatStaysIsNotLost() throws IOException {
        try (DirectoryWatch watch = watch()) {
            // RocksDB replaces the file like this now and then.
            Path next = Files.writeString(root.resolve("catalog").resolve("next"), "2");
            Files.move(next, current, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            watch.look();

            assertThat(told).isEmpty();
            assertThat(watch.loss()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lock", "catalog", "catalog/CURRENT"})
    void whatIsRemovedIsToldOnce(String path) {
        try (DirectoryWatch watch = watch()) {
            FileTrees.delete(root.resolve(path));
            watch.look();
            watch.look();

            assertThat(told).hasSize(1);
            assertThat(watch.loss()).get().asString().contains("put back the whole directory");
        }
    }

    @Test
    void aCopyInItsPlaceIsAnother() throws IOException {
        try (DirectoryWatch watch = watch()) {
            FileTrees.copy(root, directory.resolve("copy"));
            Files.move(root, directory.resolve("old"));
            Files.move(directory.resolve("copy"), root);
            watch.look();

            assertThat(told).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "catalog", "sets/0"})
    void writesStopWhenTheDirectoryIsGone(String path) throws Exception {
        Path data = directory.resolve("server");
        try (ServerFixture server =
                ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT)) {
            server.createDatabase("d");
            server.createContainer("d", "c", "x-ms-offer-throughput", "10000");
            server.createItem("d", "c", "k", "1", "");
            assertThat(status(server)).contains("\"writing\":true");
            Files.move(data.resolve(path), directory.resolve("taken"));

            HttpResponse<String> answer = write(server);
            long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (answer.statusCode() < 300 && System.nanoTime() < deadline) {
                answer = write(server);
            }

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .contains("was removed or replaced")
                    .contains("put back the whole directory")
                    .doesNotContain(directory.toString());
            assertThat(server.readItem("d", "c", "k", "1").statusCode()).isEqualTo(200);
            assertThat(status(server))
                    .contains("\"writing\":false")
                    .contains("put back the whole directory");
        }
    }

    private static HttpResponse<String> write(ServerFixture server) {
        return server.sqlReply(
                "POST",
                "docs",
                "dbs/d/colls/c",
                "dbs/d/colls/c/docs",
                "{\"id\":\"1\",\"pk\":\"k\"}",
                "x-ms-documentdb-partitionkey",
                "[\"k\"]",
                "x-ms-documentdb-is-upsert",
                "true");
    }

    private static String status(ServerFixture server) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "http://localhost:"
                                                            + server.server().statusPort()
                                                            + "/status"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
