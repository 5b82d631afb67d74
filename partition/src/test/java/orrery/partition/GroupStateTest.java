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
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.execute.QueryPart;
import orrery.query.execute.RowEncoding;
import orrery.query.sql.SqlStatement;

/** The groups that a partition has gathered go to the gateway one by one, in several pages. */
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

    private ReadResponse.QueryPage gather(Optional<Bytes> after) {
        return (ReadResponse.QueryPage)
                host.call(
                        new ReadRequest.Query(
                                HostFixture.PARTITION,
                                1,
                                SqlStatement.parse("SELECT c.g FROM c GROUP BY c.g", Map.of())
                                        .encoded(),
                                KeyRange.FULL,
                                Optional.empty(),
                                after,
                                Optional.of(QueryPart.WHOLE),
                                Optional.empty(),
                                100,
                                4 << 20,
                                0,
                                List.of()));
    }

    @Test
    void groupsThatDoNotFitAPageComeOnTheNext() {
        createGroup("a");
        ReadResponse.QueryPage only = gather(Optional.empty());
        assertThat(only.encoding()).isEqualTo(RowEncoding.GROUP_STATE);
        assertThat(only.rows()).hasSize(1);
        assertThat(only.next()).isEmpty();

        createGroup("b");
        createGroup("c");
        ReadResponse.QueryPage first = gather(Optional.empty());
        assertThat(first.rows()).hasSize(2);
        ReadResponse.QueryPage second = gather(first.next());
        assertThat(second.rows()).hasSize(1);
        assertThat(second.next()).isEmpty();
    }
}
