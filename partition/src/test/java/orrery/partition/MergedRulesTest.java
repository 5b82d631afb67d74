package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.PartitionId;
import orrery.model.TermRules;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.SplitAim;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;

/** Partitions whose index terms were made by different rules, because a level came between. */
final class MergedRulesTest {
    private static final PartitionId LEFT = new PartitionId(7, 1);
    private static final PartitionId RIGHT = new PartitionId(7, 2);

    private HostFixture host;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        assertThat(
                        host.call(
                                new ControlRequest.Split(
                                        HostFixture.PARTITION, 1, 2, 1, 2, SplitAim.OPERATOR)))
                .isInstanceOf(ControlResponse.SplitAt.class);
    }

    @AfterEach
    void close() {
        host.close();
    }

    /** Makes the definition of one of them one that came under a level with other rules. */
    private void indexByOtherRules(PartitionId partition) {
        byte[] key = Keys.definition(partition);
        DefinitionRecord record =
                DefinitionRecord.decode(
                        Objects.requireNonNull(host.replica().store().get(Table.META, key)));
        try (StoreBatch batch = host.replica().store().newBatch()) {
            batch.put(
                    Table.META,
                    key,
                    record.with(List.of(record.current().withTerms(new TermRules(8, 2)))).encode());
            host.replica().store().write(batch, false);
        }
        host.restart();
    }

    private PartitionResponse merge() {
        return host.call(new ControlRequest.Merge(LEFT, RIGHT.range(), 3, 3));
    }

    private void define(PartitionId partition, IndexingPolicy policy) {
        assertThat(
                        host.call(
                                new ControlRequest.SetDefinition(
                                        partition, host.definition(2, policy))))
                .isEqualTo(new ControlResponse.Done());
    }

    @Test
    void theRefusalSaysWhatToDoAndThatHelps() {
        indexByOtherRules(RIGHT);
        PartitionResponse refusal = merge();
        assertThat(HostFixture.failureOf(refusal)).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(((PartitionResponse.Failed) refusal).text())
                .contains("Change the indexing policy")
                .contains("merged");

        IndexingPolicy other =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/*"),
                        List.of("/nobody/*"),
                        List.of(),
                        List.of());
        define(LEFT, other);
        assertThat(HostFixture.failureOf(merge()))
                .as("one of them waits for the policy")
                .isEqualTo(ErrorCode.RETRY_WITH);
        define(RIGHT, other);
        assertThat(merge()).isEqualTo(new ControlResponse.Done());
    }

    @Test
    void theSameRulesAreMerged() {
        assertThat(merge()).isEqualTo(new ControlResponse.Done());
    }
}
