package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.metering.KeyAmount;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;

/** The sizes of keys that operators see are those of the store, whatever happens beside it. */
@Timeout(900)
final class KeySizesTest {
    private final CompletableFuture<Void> firstIsCarriedOut = new CompletableFuture<>();
    private final CompletableFuture<Void> secondIsAnswered = new CompletableFuture<>();

    @TempDir Path directory;

    /** Holds the outcome of the first write back until the second is answered. */
    private final class Crossing implements CommandLog<Command, Outcome> {
        private final CommandLog<Command, Outcome> log;
        private final AtomicInteger writes = new AtomicInteger();

        Crossing(CommandLog<Command, Outcome> log) {
            this.log = log;
        }

        @Override
        public Outcome submit(Command command, Duration timeout) {
            Outcome outcome = log.submit(command, timeout);
            if (command instanceof Command.WriteItems && writes.getAndIncrement() == 0) {
                firstIsCarriedOut.complete(null);
                secondIsAnswered.join();
            }
            return outcome;
        }

        @Override
        public void close() {
            log.close();
        }
    }

    private static ControlResponse.Inspection inspect(HostFixture host) {
        return (ControlResponse.Inspection)
                host.call(new ControlRequest.Inspect(HostFixture.PARTITION, 10));
    }

    private static long bytesOfKeys(HostFixture host) {
        return inspect(host).largestKeys().stream().mapToLong(key -> (long) key.amount()).sum();
    }

    private static void assertThatKeysAddUp(HostFixture host) {
        ControlResponse.Description partition = inspect(host).description();
        assertThat(bytesOfKeys(host)).isEqualTo(partition.itemBytes() + partition.indexBytes());
    }

    private static void create(HostFixture host, String id) {
        host.create(host.key(id, "k"), "{\"id\":\"%s\",\"pk\":\"k\"}".formatted(id));
    }

    @Test
    void aWriterThatIsHeardLateDoesNotMakeTheKeySmaller() throws Exception {
        try (HostFixture host =
                new HostFixture(directory, HostFixture.ONE_PATH, Crossing::new, _ -> {})) {
            Thread first = Thread.ofVirtual().start(() -> create(host, "a"));
            firstIsCarriedOut.join();
            create(host, "b");
            secondIsAnswered.complete(null);
            first.join();

            assertThatKeysAddUp(host);
        }
    }

    @Test
    void whatIsPurgedIsNotCounted() {
        try (HostFixture host = new HostFixture(directory, HostFixture.ONE_PATH)) {
            host.redefine(2, definition -> definition.withTimeToLive(new TimeToLive(10)));
            create(host, "a");
            assertThat(bytesOfKeys(host)).isPositive();
            host.setClock(host.clock().millis() + 60_000);

            List<KeyAmount> keys = inspect(host).largestKeys();
            while (!keys.isEmpty()) {
                assertThat(Thread.interrupted()).as("it takes too long").isFalse();
                keys = inspect(host).largestKeys();
            }
        }
    }
}
