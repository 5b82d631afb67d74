package orrery.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server from plain Java. */
final class OrreryTest {
    @TempDir Path directory;

    @Test
    void isReadyWhenStartReturns() throws IOException, InterruptedException {
        try (Orrery orrery = Orrery.start();
                HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> ready =
                    http.send(
                            HttpRequest.newBuilder(orrery.statusEndpoint().resolve("ready"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(orrery.connectionString())
                    .isEqualTo(
                            "AccountEndpoint="
                                    + orrery.endpoint()
                                    + ";AccountKey="
                                    + orrery.key()
                                    + ";");
            assertThat(orrery.endpoint().getScheme()).isEqualTo("http");
        }
    }

    @Test
    void speaksTlsToWhoeverTrustsItsCertificate() throws IOException, InterruptedException {
        try (Orrery orrery = Orrery.start();
                HttpClient http =
                        HttpClient.newBuilder().sslContext(orrery.sslContext()).build()) {
            HttpResponse<String> page =
                    http.send(
                            HttpRequest.newBuilder(
                                            orrery.httpsEndpoint()
                                                    .resolve("_explorer/emulator.pem"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).isEqualTo(Files.readString(orrery.certificate()));
        }
    }

    @Test
    void serversOfOneProcessKnowNothingOfEachOther() {
        try (Orrery one = Orrery.start();
                Orrery other = Orrery.start("--limits=2024");
                Rest ofOne = new Rest(one);
                Rest ofOther = new Rest(other)) {
            assertThat(one.endpoint()).isNotEqualTo(other.endpoint());
            ofOne.createContainer("c", "");
            Rest.expect(201, ofOne.createItem("c", "1", ""));
            Rest.expect(404, ofOther.readItem("c", "1"));

            one.clock().advance(Duration.ofDays(365));
            assertThat(Duration.between(other.clock().instant(), one.clock().instant()))
                    .isGreaterThan(Duration.ofDays(364));
            other.close();
            Rest.expect(200, ofOne.readItem("c", "1"));
        }
    }

    @Test
    void anOptionThatIsWrongIsNamed() {
        assertThatRuntimeException()
                .isThrownBy(() -> Orrery.start("--limits=1999"))
                .withMessageContaining("'1999' is not one of 2017, 2018, 2020, 2024");
        assertThatRuntimeException()
                .isThrownBy(() -> Orrery.start("--nothing"))
                .withMessageContaining("--nothing");
    }

    @Test
    void aLibraryThatIsTooOldIsExplained() {
        var cause = new NoSuchMethodError("io.netty.channel.SomeLoop.<init>()");
        assertThat(ClassPath.explain(new IllegalStateException("a part did not open", cause)))
                .hasMessageContaining("SomeLoop")
                .hasMessageContaining("netty-bom")
                .hasRootCause(cause);
        var other = new IllegalStateException("something else");
        assertThat(ClassPath.explain(other)).isSameAs(other);
    }

    @Test
    void resetLeavesNothing() {
        try (Orrery orrery = Orrery.start();
                Rest rest = new Rest(orrery)) {
            rest.createContainer("c", ",\"defaultTtl\":60", "x-ms-offer-throughput", "4000");
            Rest.expect(201, rest.createItem("c", "1", ""));
            Rest.expect(
                    201,
                    rest.post(
                            "dbs/d/colls/c",
                            "sprocs",
                            "{\"id\":\"p\",\"body\":\"function () {}\"}"));
            Rest.expect(201, rest.post("", "dbs", "{\"id\":\"shared\"}"));
            HttpResponse<String> before = rest.get("dbs/d/colls/c");
            orrery.clock().advance(Duration.ofDays(30));

            orrery.reset();

            assertThat(Rest.property("_count", rest.list("", "dbs"))).isEqualTo("0");
            assertThat(rest.list("", "offers").body()).contains("\"Offers\":[]");
            Rest.expect(404, rest.readItem("c", "1"));
            Instant now = Instant.now();
            assertThat(orrery.clock().instant())
                    .isBetween(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));

            rest.createContainer("c", "");
            HttpResponse<String> after = rest.get("dbs/d/colls/c");
            assertThat(after.body()).doesNotContain("defaultTtl");
            assertThat(Rest.property("_rid", after)).isNotEqualTo(Rest.property("_rid", before));
            Rest.expect(404, rest.get("dbs/d/colls/c/sprocs/p"));
            Rest.expect(404, rest.readItem("c", "1"));
            assertThat(rest.list("", "offers").body())
                    .contains("\"offerThroughput\":400")
                    .doesNotContain("4000");
            // A new container begins with the new time, though the one before was a month ahead.
            HttpResponse<String> item = rest.createItem("c", "1", "");
            assertThat(Rest.timestamp(item)).isBefore(now.plus(Duration.ofDays(1)));
        }
    }

    /** A client that goes on with a token of before would wait for writes that never come. */
    @Test
    void sessionsOfBeforeDoNotBindWhatComesAfter() {
        try (Orrery orrery = Orrery.start();
                Rest rest = new Rest(orrery)) {
            rest.createContainer("c", "");
            String token = "";
            for (int i = 0; i < 20; i++) {
                token =
                        rest.createItem("c", "before-" + i, "")
                                .headers()
                                .firstValue("x-ms-session-token")
                                .orElseThrow();
            }
            String rid = Rest.property("_rid", rest.get("dbs/d/colls/c"));

            orrery.reset();
            rest.createContainer("c", "");
            Rest.expect(201, rest.createItem("c", "1", ""));

            assertThat(Rest.property("_rid", rest.get("dbs/d/colls/c"))).isNotEqualTo(rid);
            // An SDK keeps its tokens by the rid of the container, so it does not send this one for
            // the new container; by the old rid there is nothing.
            Rest.expect(
                    404,
                    rest.get(
                            "dbs/d/colls/" + rid,
                            "x-ms-session-token",
                            token,
                            "x-ms-cosmos-is-name-based",
                            "false"));
        }
    }

    @Test
    void resetsManyTimes() {
        try (Orrery orrery = Orrery.start();
                Rest rest = new Rest(orrery)) {
            for (int i = 0; i < 20; i++) {
                rest.createContainer("c", "");
                Rest.expect(201, rest.createItem("c", "1", ",\"round\":" + i));
                orrery.reset();
                assertThat(Rest.property("_count", rest.list("", "dbs"))).isEqualTo("0");
            }
        }
    }

    @Test
    void closeLeavesNoThreadAndNoFile() throws IOException {
        // The first server of a JVM starts what belongs to the process.
        try (Orrery orrery = Orrery.start();
                Rest rest = new Rest(orrery)) {
            use(rest);
        }
        Await.until("the first server to be gone", () -> serverThreads().isEmpty());

        Path files;
        try (Orrery orrery = Orrery.start();
                Rest rest = new Rest(orrery)) {
            use(rest);
            files = orrery.certificate().getParent().getParent();
            assertThat(files).exists();
            assertThat(serverThreads()).isNotEmpty();
        }

        assertThat(files).doesNotExist();
        Await.until("no thread: " + serverThreads(), () -> serverThreads().isEmpty());
    }

    @Test
    void closeMayBeCalledTwice() {
        Orrery orrery = Orrery.start();
        orrery.close();
        orrery.close();
        try (Rest rest = new Rest(orrery)) {
            assertThatRuntimeException()
                    .isThrownBy(() -> rest.list("", "dbs"))
                    .withCauseInstanceOf(ConnectException.class);
        }
    }

    private static void use(Rest rest) {
        rest.createContainer("c", ",\"defaultTtl\":60");
        Rest.expect(201, rest.createItem("c", "1", ""));
        Rest.expect(
                201,
                rest.post(
                        "dbs/d/colls/c",
                        "sprocs",
                        "{\"id\":\"p\",\"body\":\"function () { getContext(); }\"}"));
        Rest.expect(
                200,
                rest.post(
                        "dbs/d/colls/c/sprocs/p",
                        "",
                        "[]",
                        "x-ms-documentdb-partitionkey",
                        Rest.KEY_A));
    }

    /**
     * Threads that run code of Orrery or of its libraries, virtual ones included. Pools of the
     * process for planning queries end by themselves.
     */
    private Set<String> serverThreads() {
        Path dump = directory.resolve("threads-" + System.nanoTime() + ".txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(
                            dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            Set<String> found = new TreeSet<>();
            for (String thread : Files.readString(dump).split("\n\n", -1)) {
                Matcher name = Pattern.compile("^#\\d+ \"([^\"]*)\"").matcher(thread);
                boolean isOfServer =
                        List.of("at orrery/", "orrery.partition", "io.netty", "orrery.").stream()
                                .anyMatch(thread::contains);
                if (name.find()
                        && isOfServer
                        && !thread.contains("orrery.junit.OrreryTest")
                        && !thread.contains("at java.base/java.lang.Thread.getStackTrace")) {
                    found.add(name.group(1) + thread.lines().skip(1).limit(3).toList());
                }
            }
            return found;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
