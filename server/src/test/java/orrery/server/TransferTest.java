package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.server.ServerFixture.Output;

/** {@code orrery import} and {@code orrery export}, against a server. */
@Timeout(900)
final class TransferTest {
    private static ServerFixture server;
    private static int containers;

    @TempDir private Path directory;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT.withPartitionMaxThroughput(6_000));
        server.createDatabase("db");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A container of three partitions. */
    private static String container() {
        String name = "c" + containers++;
        server.createContainer("db", name, "x-ms-offer-throughput", "18000");
        return "db/" + name;
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static Output done(Output output) {
        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        return output;
    }

    private List<String> exported(String place, String... options) {
        List<String> arguments = new ArrayList<>(List.of("export", place));
        arguments.addAll(List.of(options));
        return done(server.run(arguments.toArray(String[]::new))).out().lines().toList();
    }

    private static String item(int number) {
        return "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d}".formatted(number, number % 40, number);
    }

    @Test
    void linesArraysAndObjects() throws IOException {
        List<String> items = IntStream.range(0, 1500).mapToObj(TransferTest::item).toList();
        String lines = container();
        Output imported =
                done(
                        server.run(
                                "import",
                                file("a.jsonl", String.join("\n", items)),
                                "--into",
                                lines));
        assertThat(imported.out()).startsWith(lines + ": 1500 items, ").contains(" RU");
        assertThat(exported(lines)).containsExactlyInAnyOrderElementsOf(items);

        String array = container();
        String json = "[" + String.join(",\n", items) + "]";
        assertThat(
                        done(server.run(
                                        "import",
                                        file("a.json", json),
                                        "--into",
                                        array,
                                        "--mode",
                                        "create",
                                        "-o",
                                        "json"))
                                .out())
                .startsWith("{\"written\":1500,\"rejected\":0,\"bytes\":");
        List<String> back = exported(array, "--format", "json");
        assertThat(back.getFirst()).isEqualTo("[");
        assertThat(back.getLast()).isEqualTo("]");
        assertThat(
                        back.subList(1, back.size() - 1).stream()
                                .map(each -> each.replaceFirst(",$", "")))
                .containsExactlyInAnyOrderElementsOf(items);

        String object = container();
        assertThat(exported(object)).isEmpty();
        assertThat(exported(object, "--format", "json")).containsExactly("[]");
        done(server.run("import", file("o.json", "{\n\"id\":\"x\"\n}"), "--into", object));
        assertThat(exported(object)).containsExactly("{ \"id\":\"x\" }");
        assertThat(exported(object, "--system-properties"))
                .singleElement()
                .asString()
                .contains("\"_etag\":", "\"_ts\":");
    }

    @Test
    void compressedByContent() throws IOException {
        Path file = directory.resolve("items.anything");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((item(1) + "\n" + item(2)).getBytes(StandardCharsets.UTF_8));
        }
        String place = container();
        done(server.run("import", file.toString(), "--into", place));
        assertThat(exported(place)).containsExactlyInAnyOrder(item(1), item(2));

        Path packed = directory.resolve("out.jsonl.gz");
        Output output = done(server.run("export", place, "--to", packed.toString(), "-o", "json"));
        assertThat(output.out()).contains("\"items\":2");
        String again = container();
        done(server.run("import", packed.toString(), "--into", again));
        assertThat(exported(again)).containsExactlyInAnyOrder(item(1), item(2));
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder("items.anything", "out.jsonl.gz");

        Files.write(file, Arrays.copyOf(Files.readAllBytes(packed), 30));
        Output damaged = server.run("import", file.toString(), "--into", again);
        assertThat(damaged.err()).contains("is damaged");
        assertThat(damaged.exitCode()).isEqualTo(1);
    }

    @Test
    void rejectedRowsAreTold() throws IOException {
        String place = container();
        server.createItem("db", place.substring(3), "k", "there", "");
        String text =
                """
                {"id":"there","pk":"k"}
                {"id":"ok","pk":"k"}
                not json
                {"id":"big","n":1e400}
                {"id":"\\u0000 null","pk":"k"}
                [1]
                {"id":7}
                """;
        Path rejects = directory.resolve("rejects.jsonl");
        Output output =
                server.run(
                        "import",
                        file("a.jsonl", text),
                        "--into",
                        place,
                        "--mode",
                        "create",
                        "--rejects",
                        rejects.toString());
        assertThat(output.exitCode()).isEqualTo(3);
        assertThat(output.out()).contains("2 items", "5 rejected");
        assertThat(output.err())
                .contains(
                        "orrery: Line 1 is rejected: 409, ",
                        "orrery: Line 3 is rejected: ",
                        "orrery: Line 4 is rejected: ",
                        "beyond the range of a double",
                        "orrery: Line 6 is rejected: ",
                        "orrery: Line 7 is rejected: ",
                        "The property 'id' must be a string",
                        "orrery: 5 rows are rejected. They are in " + rejects);
        assertThat(Files.readAllLines(rejects))
                .hasSize(5)
                .anyMatch(
                        each ->
                                each.contains("\"line\":1,")
                                        && each.endsWith(
                                                "\"item\":{\"id\":\"there\",\"pk\":\"k\"}}"))
                .anyMatch(
                        each ->
                                each.contains("\"line\":3,")
                                        && each.endsWith("\"text\":\"not json\"}"));
        Output many = server.run("import", file("b.jsonl", "x\n".repeat(20)), "--into", place);
        assertThat(many.err().lines())
                .hasSize(13)
                .noneMatch(line -> line.contains("payload"))
                .endsWith(
                        "orrery: More lines are rejected.",
                        "orrery: No row is JSON. Only JSON and JSON Lines can be imported.",
                        "orrery: 20 rows are rejected. Pass --rejects FILE to keep them.");
    }

    /** The file would be empty before it is read. */
    @Test
    void rejectedRowsAreNeverWrittenOverTheFile() throws IOException {
        String place = container();
        String rows = "not json\n" + item(1) + "\n";
        String file = file("a.jsonl", rows);
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a.jsonl"));
        for (String rejects : List.of(file, link.toString(), directory + "/./a.jsonl")) {
            assertFailed(
                    server.run("import", file, "--into", place, "--rejects", rejects),
                    1,
                    "is the file to import, which would be lost");
            assertThat(Path.of(file)).hasContent(rows);
        }
        assertThat(exported(place)).isEmpty();
    }

    @Test
    void aFileForRejectedRowsIsCheckedBeforeTheImport() throws IOException {
        String place = container();
        String file = file("a.jsonl", item(1));
        String nowhere = directory.resolve("no/rejects").toString();
        assertFailed(
                server.run("import", file, "--into", place, "--rejects", nowhere),
                1,
                nowhere + " cannot be written: there is no such directory.");
        assertFailed(
                server.run("import", file, "--into", place, "--rejects", directory.toString()),
                1,
                "cannot be written: it is a directory.");
        assertFailed(
                server.run("import", file, "--into", place, "--rejects", ""),
                2,
                "--rejects: the name of the file is empty.");
        assertThat(exported(place)).isEmpty();
    }

    /** A key that is full refuses its own rows, whether they come alone or with others. */
    @Test
    void aRowOfAFullKeyIsRejectedAlone() throws IOException {
        try (ServerFixture small =
                ServerFixture.start(AccountSettings.DEFAULT.withStorage(64L << 20, 1L << 20))) {
            small.createDatabase("db");
            small.createContainer("db", "c");
            String full = "{\"id\":\"%s\",\"pk\":\"full\",\"t\":\"" + "x".repeat(600_000) + "\"}\n";
            String file = file("a.jsonl", full.formatted("1") + full.formatted("2"));
            small.run("import", file, "--into", "db/c", "--parallel", "1");
            Path rejects = directory.resolve("rejects.jsonl");
            Output output =
                    small.run(
                            "import",
                            file("b.jsonl", full.formatted("3") + item(1)),
                            "--into",
                            "db/c",
                            "--rejects",
                            rejects.toString());
            assertThat(output.err()).contains("Line 1 is rejected: 403, ");
            assertThat(output.exitCode()).isEqualTo(3);
            assertThat(output.out()).contains("1 item,", "1 rejected");
            assertThat(rejects).content().startsWith("{\"line\":1,");
        }
    }

    @Test
    void aFileThatBreaksOffIsWrittenUpToThere() throws IOException {
        String place = container();
        String text = "[" + item(1) + "," + item(2) + ",{\"id\":";
        Output output = server.run("import", file("a.json", text), "--into", place);
        assertFailed(output, 1, "The file ends inside of its array");
        assertThat(output.err()).contains("orrery: 2 items were written before.");
        assertThat(exported(place)).containsExactlyInAnyOrder(item(1), item(2));
        assertFailed(
                server.run("import", file("b.json", "[{"), "--into", place),
                1,
                "orrery: No item was written.");
    }

    /** Its name says that each line is an item, so one that does not end is only itself. */
    @Test
    void aBrokenFirstLineIsOneRow() throws IOException {
        String place = container();
        String text = "{\"id\":\"broken\",\"pk\":\"k\"\n{\"id\":\"whole\",\"pk\":\"k\"}\n";
        for (String name : List.of("a.jsonl", "a.NDJSON")) {
            Output output = server.run("import", file(name, text), "--into", place);
            assertThat(output.exitCode()).isEqualTo(3);
            assertThat(output.out()).contains("1 item,", "1 rejected");
            assertThat(output.err())
                    .contains("orrery: 1 row is rejected. Pass --rejects FILE to keep it.");
        }
        assertThat(exported(place)).containsExactly("{\"id\":\"whole\",\"pk\":\"k\"}");
    }

    @Test
    void aBrokenElementOfAnArrayIsOneRow() throws IOException {
        String place = container();
        String array =
                "[{\"id\":\"a\",\"pk\":\"k\"},{\"id\":\"b\" \"x\"},{\"id\":\"c\",\"pk\":\"k\"}]";
        Output output = server.run("import", file("a.json", array), "--into", place);
        assertThat(output.exitCode()).isEqualTo(3);
        assertThat(output.out()).contains("2 items,", "1 rejected");
        assertThat(exported(place)).hasSize(2);
    }

    @Test
    void idsAreMadeOrTaken() throws IOException {
        String place = container();
        String rows = "{\"pk\":\"a\",\"no\":1}\n{\"pk\":\"a\",\"no\":2}\n";
        String file = file("a.jsonl", rows);
        done(server.run("import", file, "--into", place));
        done(server.run("import", file, "--into", place));
        assertThat(exported(place)).hasSize(2).allMatch(each -> each.startsWith("{\"id\":\""));
        String taken = container();
        done(server.run("import", file, "--into", taken, "--id-from", "/no"));
        assertThat(exported(taken))
                .containsExactlyInAnyOrder(
                        "{\"pk\":\"a\",\"no\":1,\"id\":\"1\"}",
                        "{\"pk\":\"a\",\"no\":2,\"id\":\"2\"}");
    }

    /** Rows of one id are written in their order, however many requests go at a time. */
    @Test
    void theLastRowOfAnIdStays() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            rows.append("{\"id\":\"%d\",\"pk\":\"k\",\"round\":%d}\n".formatted(i % 10, i / 10));
        }
        String place = container();
        done(
                server.run(
                        "import",
                        file("a.jsonl", rows.toString()),
                        "--into",
                        place,
                        "--parallel",
                        "5"));
        assertThat(exported(place)).hasSize(10).allMatch(each -> each.endsWith("\"round\":199}"));
    }

    @Test
    void anEarlierRowThatIsSentAgainDoesNotReplaceTheLast() throws IOException {
        String place = container();
        String rows = "{\"id\":\"a\",\"pk\":\"k\",\"round\":%d}\n";
        String file = file("a.jsonl", rows.formatted(1) + rows.formatted(2));
        done(server.run("lab", "fault", place, "--status", "429", "--count", "1"));
        Output output = done(server.run("import", file, "--into", place));
        assertThat(exported(place)).singleElement().asString().endsWith("\"round\":2}");
        assertThat(output.out()).contains(": 2 items");
    }

    @Test
    void throttledRowsAreSentAgain() throws IOException {
        String place = container();
        List<String> items = IntStream.range(0, 300).mapToObj(TransferTest::item).toList();
        done(server.run("lab", "fault", place, "--status", "429", "--count", "40"));
        Output output =
                done(
                        server.run(
                                "import",
                                file("a.jsonl", String.join("\n", items)),
                                "--into",
                                place));
        assertThat(output.out()).contains("300 items", "throttled");
        done(server.run("lab", "fault", place, "--status", "503", "--count", "3"));
        done(server.run("import", file("b.jsonl", items.getFirst()), "--into", place));
        done(server.run("lab", "fault", place, "--status", "429", "--count", "2"));
        assertThat(exported(place)).containsExactlyInAnyOrderElementsOf(items);
    }

    @Test
    void largeItemsGoAlone() throws IOException {
        String place = container();
        String large = "{\"id\":\"l\",\"pk\":\"k\",\"t\":\"" + "x".repeat((2 << 20) - 100) + "\"}";
        String tooLarge = large.replace("\"l\"", "\"m\"").replace("x\"}", "x".repeat(200) + "\"}");
        String huge = "{\"id\":\"h\",\"t\":\"" + "x".repeat(5 << 20) + "\"}";
        Output output =
                server.run(
                        "import",
                        file("a.jsonl", large + "\n" + item(1) + "\n" + tooLarge + "\n" + huge),
                        "--into",
                        place,
                        "--parallel",
                        "1");
        assertThat(output.out()).contains("2 items", "2 rejected");
        assertThat(output.err())
                .contains("Line 3 is rejected: 413", "Line 4 is rejected: It is larger");
        assertThat(exported(place)).containsExactlyInAnyOrder(large, item(1));
    }

    @Test
    void wrongCallsSayWhatToDo() throws IOException {
        String place = container();
        String good = file("a.jsonl", item(1));
        assertFailed(server.run("import", good), 2, "--into");
        assertFailed(server.run("import", good, "--into", "db"), 2, "is not DB/CONTAINER");
        assertFailed(
                server.run("import", good, "--into", "db/no"),
                1,
                "There is no container 'no' in the database 'db'.");
        assertFailed(
                server.run("import", "no.json", "--into", place), 1, "There is no file no.json");
        assertFailed(
                server.run("import", directory.toString(), "--into", place), 1, "is a directory");
        assertFailed(
                server.run("import", good, "--into", place, "--parallel", "0"), 2, "from 1 to 64");
        assertFailed(
                server.run("import", good, "--into", place, "--id-from", "no"), 2, "not a path");
        assertFailed(
                server.run("import", file("b.json", "[{}"), "--into", place),
                1,
                "The file ends inside of its array");
        assertFailed(
                server.run("export", "db/no"),
                1,
                "There is no container 'no' in the database 'db'.");
        Path nowhere = directory.resolve("no/such.jsonl");
        assertFailed(
                server.run("export", place, "--to", nowhere.toString()),
                1,
                "cannot be written: there is no such directory.");
        assertFailed(
                server.run("export", place, "--to", directory.toString()),
                1,
                "cannot be written: it is a directory.");
    }

    private static void assertFailed(Output output, int exitCode, String reason) {
        assertThat(output.err()).contains(reason).doesNotContain("\tat ");
        assertThat(output.exitCode()).isEqualTo(exitCode);
    }

    /** Whatever is in an item, export and import carry it as it was written. */
    @Test
    void whatGoesOutComesBack() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        NastyJson nasty = new NastyJson(new Random(seed));
        List<String> items =
                IntStream.range(0, 400)
                        .mapToObj(
                                i ->
                                        "{\"id\":\"%d\",\"pk\":%s,\"value\":%s}"
                                                .formatted(i, nasty.scalar(), nasty.value(0)))
                        .toList();
        String first = container();
        done(server.run("import", file("a.jsonl", String.join("\n", items)), "--into", first));
        Path out = directory.resolve("out.json");
        done(server.run("export", first, "--to", out.toString(), "--format", "json"));
        String second = container();
        done(server.run("import", out.toString(), "--into", second, "--mode", "create"));
        assertThat(exported(second)).as("seed " + seed).containsExactlyInAnyOrderElementsOf(items);
    }
}
