package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Reads in several requests, and one batch against the last write that they saw. */
final class TransactionTest {
    @TempDir private Path directory;
    private HostFixture host;

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private ItemKey key(String id) {
        return host.key(id, "north");
    }

    private void create(String id, String pk) {
        host.create(host.key(id, pk), "{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\"}");
    }

    private BatchStep upsert(String id) {
        return new BatchStep.Write(
                key(id),
                new WriteAction.Upsert(Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"north\"}")),
                Precondition.NONE);
    }

    private BatchStep delete(String id) {
        return new BatchStep.Write(key(id), new WriteAction.Delete(), Precondition.NONE);
    }

    private BatchStep read(String id) {
        return new BatchStep.Read(key(id), new Precondition.Impossible());
    }

    private long lastWrite() {
        ItemKey any = key("a");
        return ((ReadResponse.LastWrite)
                        host.call(
                                new ReadRequest.ReadLastWrite(
                                        HostFixture.PARTITION, any.epk(), any.partitionKey(), 0)))
                .lsn();
    }

    private PartitionResponse commit(RequestId id, long expected, BatchStep... steps) {
        return host.call(
                new WriteRequest.Batch(
                        HostFixture.PARTITION, id, List.of(steps), 0, OptionalLong.of(expected)));
    }

    private PartitionResponse commit(long expected, BatchStep... steps) {
        return commit(host.newRequest(), expected, steps);
    }

    private static long keyLsn(PartitionResponse answer) {
        return ((WriteResponse.Batch) answer).keyLsn().orElseThrow();
    }

    @Test
    void aKeyThatNobodyWroteSinceTakesTheWrites() {
        create("a", "north");
        long seen = lastWrite();
        create("b", "south");

        PartitionResponse answer = commit(seen, upsert("a"), upsert("c"));

        assertThat(keyLsn(answer)).isEqualTo(lastWrite()).isGreaterThan(seen);
        assertThat(keyLsn(commit(keyLsn(answer), upsert("d")))).isEqualTo(lastWrite());
    }

    @Test
    void aKeyThatWasWrittenIsAConflictAtOnce() {
        create("a", "north");
        long seen = lastWrite();
        create("b", "north");

        for (BatchStep step : List.of(upsert("c"), delete("missing"), read("a"))) {
            PartitionResponse answer = commit(seen, step);

            assertThat(HostFixture.failureOf(answer)).isEqualTo(ErrorCode.KEY_CHANGED);
            assertThat(((PartitionResponse.Failed) answer).text()).contains("Read them again");
        }
        assertThat(HostFixture.failureOf(host.read(key("c"), 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aStepThatIsRefusedForItselfIsNoConflict() {
        create("a", "north");
        PartitionResponse answer = commit(lastWrite(), upsert("b"), delete("missing"));

        assertThat(((WriteResponse.Batch) answer).keyLsn()).isEmpty();
        assertThat(HostFixture.failureOf(host.read(key("b"), 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void readsTellTheLastWriteThatTheySaw() {
        create("a", "north");
        long seen = lastWrite();

        assertThat(keyLsn(commit(seen, read("a")))).isEqualTo(seen);
    }

    @Test
    void aKeyWithoutItemsWasNeverWritten() {
        assertThat(lastWrite()).isZero();
        long first = keyLsn(commit(0, upsert("a")));
        assertThat(first).isPositive();
        assertThat(HostFixture.failureOf(commit(0, upsert("b")))).isEqualTo(ErrorCode.KEY_CHANGED);

        assertThat(keyLsn(commit(first, delete("a")))).isZero();
        assertThat(lastWrite()).isZero();
        assertThat(keyLsn(commit(0, upsert("b")))).isPositive();
    }

    @Test
    void aResendHasTheAnswerOfTheFirstTime() {
        create("a", "north");
        RequestId id = host.newRequest();
        long seen = lastWrite();
        PartitionResponse first = commit(id, seen, upsert("b"), read("a"));
        create("c", "north");

        assertThat(first).isInstanceOf(WriteResponse.Batch.class);
        assertThat(commit(id, seen, upsert("b"), read("a"))).isEqualTo(first);
        assertThat(HostFixture.failureOf(commit(seen, upsert("b"))))
                .isEqualTo(ErrorCode.KEY_CHANGED);
    }
}
