package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Unpacks each archive elsewhere, under a name with a blank, and uses it as a stranger would. */
@Tag("long")
@DisabledOnOs(OS.WINDOWS)
class ArchiveTest {
    private static final String VERSION = "\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?";

    @Test
    void archiveForEveryPlatformRunsOnAJdk() throws Exception {
        Path home = unpackTar(archive("orrery-" + VERSION + "\\.tar\\.gz"));
        assertThat(home.resolve("runtime")).doesNotExist();
        assertThat(home.resolve("bin/orrery")).isExecutable();
        sayHello(home, Path.of(System.getProperty("java.home")), System.getenv("PATH"));
    }

    @Test
    void zipForEveryPlatformRunsOnAJdk() throws Exception {
        Path home = unpackZip(archive("orrery-" + VERSION + "\\.zip"));
        sayHello(home, Path.of(System.getProperty("java.home")), System.getenv("PATH"));
    }

    @Test
    void archiveWithARuntimeNeedsNoJdk() throws Exception {
        Path home = unpackTar(archive("orrery-" + VERSION + "-(linux|macos)-\\w+\\.tar\\.gz"));
        assertThat(home.resolve("runtime/bin/java")).isExecutable();
        sayHello(home, home.resolve("runtime"), pathWithoutJava());
    }

    private static Path archive(String name) throws IOException {
        Path target = Distribution.home().resolveSibling("");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> String.valueOf(file.getFileName()).matches(name))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new AssertionError(
                                            "There is no archive "
                                                    + name
                                                    + " in "
                                                    + target
                                                    + ": build it with `./orrery build --archive`."));
        }
    }

    private static Path elsewhere() throws IOException {
        return Files.createDirectory(RunningServer.temporaryDirectory().resolve("un packed"));
    }

    private static Path unpackTar(Path archive) throws Exception {
        Path directory = elsewhere();
        Process tar =
                new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", directory.toString())
                        .inheritIO()
                        .start();
        assertThat(tar.waitFor()).isZero();
        return onlyChild(directory);
    }

    private static Path unpackZip(Path archive) throws IOException {
        Path directory = elsewhere();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.resolveSibling(""));
                    Files.copy(zip, file);
                }
            }
        }
        return onlyChild(directory);
    }

    private static Path onlyChild(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            List<Path> all = children.toList();
            assertThat(all).hasSize(1);
            return all.getFirst().toRealPath();
        }
    }

    /** The tools that the launcher uses, and no java. */
    private static String pathWithoutJava() throws IOException {
        Path tools = RunningServer.temporaryDirectory();
        for (String tool : List.of("sh", "readlink", "cat", "awk", "nice")) {
            for (String place : List.of("/bin", "/usr/bin")) {
                Path found = Path.of(place, tool);
                if (Files.exists(found) && !Files.exists(tools.resolve(tool))) {
                    Files.createSymbolicLink(tools.resolve(tool), found);
                }
            }
        }
        return tools.toString();
    }

    private static ProcessBuilder launcher(Path home, Path java, String path, String... arguments) {
        // sh, because a zip keeps no permissions when Java unpacks it.
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", home.resolve("bin/orrery").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("(JAVA|ORRERY).*"));
        builder.environment().put("PATH", path);
        if (!java.startsWith(home)) {
            builder.environment().put("ORRERY_JAVA_HOME", java.toString());
        }
        return builder;
    }

    private static void sayHello(Path home, Path java, String path) throws Exception {
        Process version = launcher(home, java, path, "--version").start();
        assertThat(new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .matches("Orrery " + VERSION + "\n");
        assertThat(home.resolve("THIRD-PARTY.txt")).isNotEmptyFile();

        Process server =
                launcher(
                                home,
                                java,
                                path,
                                "start",
                                "--ephemeral",
                                "--port",
                                "0",
                                "--status-port",
                                "0")
                        .start();
        try (BufferedReader output = server.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder said = new StringBuilder();
            Matcher ready = RunningServer.READY_LINE.matcher("");
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                said.append(line).append('\n');
                ready = RunningServer.READY_LINE.matcher(line);
                if (ready.matches()) {
                    break;
                }
            }
            assertThat(ready.matches()).as(said.toString()).isTrue();
            assertThat(server.info().command().map(Path::of).map(ArchiveTest::real))
                    .contains(real(java.resolve("bin/java")));
            writeAndRead(ready.group(1), ready.group(4));
        } finally {
            server.destroy();
            if (!server.waitFor(4, TimeUnit.MINUTES)) {
                server.destroyForcibly();
            }
        }
        assertThat(server.exitValue()).isIn(0, 143);
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** An item, a query and a script: what needs natives, and the script engine. */
    private static void writeAndRead(String endpoint, String key) {
        try (CosmosClient client =
                new CosmosClientBuilder()
                        .endpoint(endpoint.replace("https:", "http:"))
                        .key(key)
                        .gatewayMode()
                        .buildClient()) {
            client.createDatabase("db");
            client.getDatabase("db").createContainer("c", "/pk");
            CosmosContainer container = client.getDatabase("db").getContainer("c");
            container.createItem(Map.of("id", "1", "pk", "a", "text", "hello"));
            Map<?, ?> item = container.readItem("1", new PartitionKey("a"), Map.class).getItem();
            assertThat(item.get("text")).isEqualTo("hello");
            container
                    .getScripts()
                    .createStoredProcedure(
                            new CosmosStoredProcedureProperties(
                                    "p", "() => getContext().getResponse().setBody(6 * 7)"));
            CosmosStoredProcedureRequestOptions options = new CosmosStoredProcedureRequestOptions();
            options.setPartitionKey(new PartitionKey("a"));
            assertThat(
                            container
                                    .getScripts()
                                    .getStoredProcedure("p")
                                    .execute(List.of(), options)
                                    .getResponseAsString())
                    .isEqualTo("42");
        }
    }
}
