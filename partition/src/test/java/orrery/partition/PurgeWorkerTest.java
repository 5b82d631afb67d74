package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.Precondition;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.query.sql.SqlStatement;
import orrery.storage.Cursor;
import orrery.storage.Table;

/** Expired items of a container whose clock is set by the test. */
@Timeout(900)
class PurgeWorkerTest {
    private static final int LIFETIME_SECONDS = 10;

    private HostFixture host;
    private PurgeWorker worker;
    private long beginning;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        beginning = host.clock().millis();
        TimeToLive lifetime = new TimeToLive(LIFETIME_SECONDS);
        host.redefine(2, definition -> definition.withTimeToLive(lifetime));
        // The host has a worker of its own; this one tells the test how far it has looked.
        worker =
                new PurgeWorker(
                        host.replica(),
                        new PartitionMeters(host.clock(), System::nanoTime),
                        host.times());
    }

    @AfterEach
    void close() {
        worker.close();
        host.close();
    }

    private void setClock(int seconds) {
        host.setClock(beginning + seconds * 1000L);
        worker.wake();
    }

    private void pass(int seconds) {
        host.pass(Duration.ofSeconds(seconds));
        worker.wake();
    }

    private long examined() {
        return worker.examinedSeconds(HostFixture.PARTITION) - beginning / 1000;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private ItemKey create(String pk, String id) {
        ItemKey key = host.key(id, pk);
        host.create(key, "{\"id\":\"%s\",\"pk\":\"%s\"}".formatted(id, pk));
        return key;
    }

    private void createHundred(String pk) {
        List<BatchStep> steps = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            steps.add(
                    new BatchStep.Write(
                            host.key("i" + i, pk),
                            new WriteAction.Create(
                                    Bytes.ofUtf8(
                                            "{\"id\":\"i%d\",\"pk\":\"%s\"}".formatted(i, pk))),
                            Precondition.NONE));
        }
        assertThat(
                        host.call(
                                new WriteRequest.Batch(
                                        HostFixture.PARTITION, host.newRequest(), steps, 0)))
                .isInstanceOf(WriteResponse.Batch.class);
    }

    private int rows() {
        int count = 0;
        try (Cursor rows =
                host.replica()
                        .store()
                        .scan(Table.ITEMS, new byte[0], new byte[] {-1, -1, -1, -1})) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    private String query(String text) {
        ReadResponse.QueryPage page =
                (ReadResponse.QueryPage)
                        host.call(
                                new ReadRequest.Query(
                                        HostFixture.PARTITION,
                                        HostFixture.DATABASE,
                                        SqlStatement.parse(text, Map.of()).encoded(),
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        100,
                                        HostFixture.MB,
                                        0,
                                        List.of()));
        return String.join(",", page.rows().stream().map(Bytes::toUtf8).toList());
    }

    /** More than a query wants to know of beforehand, and more than one step deletes. */
    @Test
    void thousandsGoAtOnceAndTheirRowsLater() {
        for (int i = 0; i < 12; i++) {
            createHundred("k" + i);
        }
        setClock(5);
        create("k0", "late");
        assertThat(query("SELECT VALUE COUNT(1) FROM c")).isEqualTo("1201");

        setClock(LIFETIME_SECONDS + 1);

        assertThat(query("SELECT VALUE COUNT(1) FROM c")).isEqualTo("1");
        assertThat(query("SELECT VALUE c.id FROM c WHERE c.pk = 'k0'")).isEqualTo("\"late\"");
        assertThat(query("SELECT VALUE c.id FROM c ORDER BY c.id")).isEqualTo("\"late\"");
        await(() -> rows() == 1);
        // They are counted when the worker has heard of it.
        await(() -> worker.purged() + host.host().purgedItems() >= 1200);
        assertThat(query("SELECT VALUE c.id FROM c")).isEqualTo("\"late\"");
    }

    /** An item that readers saw expire does not come back when the clock is set back. */
    @Test
    void aClockThatIsSetBackBringsNothingBack() {
        ItemKey key = create("k", "early");
        setClock(1000);
        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);

        setClock(5);
        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(query("SELECT VALUE COUNT(1) FROM c")).isEqualTo("0");
        ItemKey late = create("k", "late");
        assertThat(host.find(late).item().timestampMillis()).isEqualTo(beginning + 1_000_000);
        await(() -> rows() == 1);
    }

    /** Lifetimes go by the partition's own time, which a clock that was set back does not turn. */
    @Test
    void whatWasWrittenBeforeTheClockWasSetBackKeepsItsLifetime() {
        setClock(100);
        ItemKey key = create("k", "a");

        setClock(50);
        ItemKey next = create("k", "b");
        assertThat(host.find(next).item().timestampMillis()).isEqualTo(beginning + 100_000);
        setClock(100 + LIFETIME_SECONDS - 1);
        await(() -> examined() == 100 - 1);
        assertThat(host.find(key).item().lsn()).isLessThan(host.find(next).item().lsn());

        setClock(100 + LIFETIME_SECONDS + 1);
        await(() -> rows() == 0);
    }

    /** The clock jumps a day ahead, an item is written, the clock is put right. */
    @Test
    void rowsGoAtHalfThePaceWhileThePartitionIsAhead() {
        setClock(86_400);
        ItemKey key = create("k", "a");
        setClock(0);

        pass(2 * LIFETIME_SECONDS - 2);
        await(() -> examined() == 86_400 - 1);
        assertThat(host.find(key).item().timestampMillis()).isEqualTo(beginning + 86_400_000);

        pass(2);
        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(query("SELECT VALUE COUNT(1) FROM c")).isEqualTo("0");
        await(() -> rows() == 0);
    }

    /** A write that was stamped before the worker looked and is carried out after. */
    @Test
    void aWriteThatWasHeldUpIsNotOverlooked() {
        setClock(2 * LIFETIME_SECONDS);
        await(() -> examined() >= 0);

        ItemKey late = host.key("late", "k");
        host.replica()
                .submit(
                        new Command.WriteItems(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                beginning + 1000,
                                List.of(
                                        WriteRun.put(
                                                late,
                                                Command.Expect.ABSENT,
                                                Precondition.NONE,
                                                Body.json(
                                                        Bytes.ofUtf8(
                                                                "{\"id\":\"late\",\"pk\":\"k\"}"))))),
                        HostFixture.PATIENCE);
        assertThat(query("SELECT VALUE COUNT(1) FROM c")).isEqualTo("0");
        worker.wake();
        await(() -> rows() == 0);
    }
}
