package orrery.junit;

import static java.util.Objects.requireNonNull;
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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server from plain Java. */
final class OrreryTest {
    @TempDir Path directory;
    private int dumps;

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
                HttpClient http = HttpClient.newBuilder().sslContext(orrery.sslContext()).build()) {
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
            other.reset();
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
        // Servers of other tests may be there.
        Set<String> before = serverThreads();
        Path files;
        try (Orrery orrery = Orrery.start();
                Rest rest = new Rest(orrery)) {
            use(rest);
            files = requireNonNull(orrery.certificate().getParent()).getParent();
            assertThat(files).exists();
            assertThat(threadsBesides(before)).isNotEmpty();
        }

        assertThat(files).doesNotExist();
        Await.until("no thread to be left", () -> threadsBesides(before).isEmpty());
    }

    @Test
    void onlyWarningsAreLogged() {
        try (Orrery _ = Orrery.start()) {
            System.Logger log = System.getLogger("orrery.cluster.ContainerReconciler");
            assertThat(log.isLoggable(System.Logger.Level.INFO)).isFalse();
            assertThat(log.isLoggable(System.Logger.Level.WARNING)).isTrue();
        }
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
        Rest.expect(200, rest.execute("dbs/d/colls/c/sprocs/p"));
    }

    private Set<String> threadsBesides(Set<String> others) {
        Set<String> threads = serverThreads();
        threads.removeAll(others);
        return threads;
    }

    /** Returns the numbers of threads in code of servers or of Netty, virtual ones included. */
    private Set<String> serverThreads() {
        Path dump = directory.resolve("threads-" + dumps++);
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(
                            dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            Set<String> found = new TreeSet<>();
            for (String thread : Files.readString(dump).split("\n\n", -1)) {
                boolean isOfServer = thread.contains("orrery.") || thread.contains("io.netty.");
                if (isOfServer && !thread.contains("orrery.junit.OrreryTest")) {
                    found.add(thread.strip().split(" ", 2)[0]);
                }
            }
            return found;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
