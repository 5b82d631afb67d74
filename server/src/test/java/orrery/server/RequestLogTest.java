package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;
import orrery.model.DataClock;
import orrery.storage.StoreOptions;

/** A line for each request, if wanted. */
final class RequestLogTest {
    private static final Logger LOGGER = Logger.getLogger(RequestLog.NAME);

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(line.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(handler);
    }

    private static ServerFixture start(boolean logs) {
        return new ServerFixture(
                new NodeConfig(
                        Optional.empty(),
                        "127.0.0.1",
                        0,
                        0,
                        OptionalInt.of(0),
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        AccountSettings.DEFAULT,
                        StoreOptions.DEFAULT,
                        NodeConfig.DEFAULT_DISK_RESERVE,
                        new NodeConfig.Access(false, false, logs),
                        DataClock.SYSTEM));
    }

    @Test
    void eachRequestIsOneLineWithoutSecrets() {
        try (ServerFixture server = start(true)) {
            server.createDatabase("d");
            server.createContainer("d", "c");
            server.createItem("d", "c", "secretkey", "i", ",\"body\":\"hidden\"");
            server.readItem("d", "c", "secretkey", "nothing");
            server.firstPage("localhost");
            assertThat(lines).hasSize(5);
            assertThat(lines.getFirst())
                    .matches("POST /dbs 201/0 [0-9.]+ RU [0-9.]+ ms [0-9a-f-]{36}");
            assertThat(lines.get(2)).startsWith("POST /dbs/d/colls/c/docs 201/0 ");
            assertThat(lines.get(3))
                    .matches(
                            "GET /dbs/d/colls/c/docs/nothing 404/0 [0-9.]+ RU [0-9.]+ ms"
                                    + " [0-9a-f-]{36}");
            assertThat(lines.getLast()).startsWith("GET / 401/");
            assertThat(String.join("\n", lines))
                    .doesNotContain("sig", "hidden", "secretkey", server.keys().primary());
        }
    }

    @Test
    void nothingIsWrittenUnlessAsked() {
        try (ServerFixture server = start(false)) {
            server.createDatabase("d");
            assertThat(lines).isEmpty();
        }
    }
}
