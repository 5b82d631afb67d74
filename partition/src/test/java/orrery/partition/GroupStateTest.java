package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.execute.QueryPart;
import orrery.query.sql.SqlStatement;

/** The groups that a partition has gathered go to the gateway in one row. */
class GroupStateTest {
    private HostFixture host;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private void createGroup(String id) {
        host.create(
                host.key(id, id),
                "{\"id\":\"%s\",\"g\":\"%s\"}".formatted(id, id + "x".repeat(1_300_000)));
    }

    private PartitionResponse gather() {
        return host.call(
                new ReadRequest.Query(
                        HostFixture.PARTITION,
                        1,
                        SqlStatement.parse("SELECT c.g FROM c GROUP BY c.g", Map.of()).encoded(),
                        KeyRange.FULL,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(QueryPart.WHOLE),
                        Optional.empty(),
                        100,
                        4 << 20,
                        0,
                        List.of()));
    }

    @Test
    void groupsThatFitAPageAreSentAndMoreAreRefused() {
        createGroup("a");
        createGroup("b");
        createGroup("c");
        assertThat(((ReadResponse.QueryPage) gather()).rows()).hasSize(1);

        createGroup("d");
        PartitionResponse.Failed refusal = (PartitionResponse.Failed) gather();
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal.text())
                .contains("groups of the query", "a message has room for 4194304");
    }
}
