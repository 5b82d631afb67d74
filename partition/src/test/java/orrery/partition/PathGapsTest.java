package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.IndexPath;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.partition.api.WriteAction;
import orrery.partition.machine.PartitionState;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.execute.ItemView;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

final class PathGapsTest {
    private static final IndexPath PATH = IndexPath.of("n");

    @TempDir private Path directory;
    private HostFixture host;
    private final PathGaps gaps = new PathGaps(3);
    private final Map<String, Long> docids = new HashMap<>();

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void aSearchTakesOneStepAtATimeUntilItKnows() {
        for (int i = 0; i < 10; i++) {
            put("with-" + i, "\"n\":" + i);
        }
        put("without", "\"m\":1");
        int steps = 1;
        while (find(false).isEmpty()) {
            steps++;
            assertThat(steps).isLessThan(100);
        }
        assertThat(steps).isGreaterThan(5);
        assertThat(find(false).orElseThrow()).containsExactly(docid("without"));
    }

    @Test
    void aQueryWithTimeGoesOnToTheEnd() {
        put("with", "\"n\":1");
        put("without", "\"m\":1");
        assertThat(find(true).orElseThrow()).containsExactly(docid("without"));
    }

    @Test
    void manyGapsAreNotKept() {
        PathGaps fast = new PathGaps();
        for (int i = 0; i < 1001; i++) {
            put("without-" + i, "\"m\":1");
        }
        assertThat(find(fast, true)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noItemIsMissedWhateverChangesBetweenTheSteps(long seed) {
        Random random = new Random(seed);
        Map<String, Boolean> hasValue = new HashMap<>();
        for (int round = 0; round < 120; round++) {
            String id = "i" + random.nextInt(30);
            boolean gets = random.nextBoolean();
            put(id, gets ? "\"n\":" + random.nextInt(5) : "\"m\":1");
            hasValue.put(id, gets);
            Optional<long[]> found = find(random.nextInt(4) == 0);
            found.ifPresent(
                    known ->
                            assertThat(Arrays.stream(known).boxed().toList())
                                    .as("seed %d", seed)
                                    .containsAll(missing(hasValue)));
        }
        assertThat(find(true)).isPresent();
    }

    private List<Long> missing(Map<String, Boolean> hasValue) {
        List<Long> missing = new ArrayList<>();
        hasValue.forEach(
                (id, has) -> {
                    if (!has) {
                        missing.add(docid(id));
                    }
                });
        return missing;
    }

    private long docid(String id) {
        return Objects.requireNonNull(docids.get(id));
    }

    private void put(String id, String property) {
        ItemKey key = host.key(id, "north");
        host.write(
                key,
                new WriteAction.Upsert(
                        Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"north\"," + property + "}")),
                Precondition.NONE);
        docids.put(id, host.find(key).item().docid());
    }

    private Optional<long[]> find(boolean mayGoOn) {
        return find(gaps, mayGoOn);
    }

    private Optional<long[]> find(PathGaps known, boolean mayGoOn) {
        PartitionState state = host.replica().find(HostFixture.PARTITION).orElseThrow();
        try (StoreSnapshot snapshot = host.replica().store().snapshot()) {
            PartitionRecord record =
                    PartitionRecord.decode(
                            Objects.requireNonNull(
                                    snapshot.get(
                                            Table.META, Keys.partition(HostFixture.PARTITION))));
            SnapshotItems items =
                    new SnapshotItems(
                            snapshot,
                            HostFixture.PARTITION,
                            record,
                            HostFixture.ONE_PATH,
                            record.keys(),
                            Optional.empty(),
                            (_, _) -> Optional.empty(),
                            state.presence(0).withAll(),
                            GoneItems.NONE);
            return known.find(
                    snapshot,
                    HostFixture.PARTITION,
                    record,
                    items,
                    new SortedPath(
                            PATH,
                            ComputedProperties.NONE,
                            new ItemView(
                                    new SystemProperties(ResourceId.ofContainer(1, 7)),
                                    Encoding.JSON)),
                    () -> mayGoOn);
        }
    }
}
