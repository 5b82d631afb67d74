package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.SplitAim;

/**
 * Checks the place where partitions are cut, for keys of random sizes. The fixture audits the store
 * at the end.
 */
class SplitPointProperties {
    private static final PartitionRequest SPLIT =
            new ControlRequest.Split(HostFixture.PARTITION, 10, 11, 10, 11, SplitAim.STORAGE);

    @Property(tries = 40)
    void eachSideGetsFortyPercentUnlessOneKeyIsInTheWay(
            @ForAll @IntRange(min = 2, max = 40) int keys, @ForAll long seed) throws IOException {
        Path directory = Files.createTempDirectory("split");
        try (HostFixture fixture = new HostFixture(directory, HostFixture.ONE_PATH)) {
            Random random = new Random(seed);
            long largest = 0;
            long before = 0;
            for (int i = 0; i < keys; i++) {
                ItemKey key = fixture.key("1", "k" + i);
                String text = "x".repeat(100 + random.nextInt(3000));
                fixture.create(key, "{\"id\":\"1\",\"t\":\"%s\"}".formatted(text));
                long total = bytes(fixture, HostFixture.PARTITION.range());
                largest = Math.max(largest, total - before);
                before = total;
            }

            PartitionResponse answer = fixture.call(SPLIT);

            assertThat(answer).isInstanceOf(ControlResponse.SplitAt.class);
            assertThat(bytes(fixture, 10) + bytes(fixture, 11)).isEqualTo(before);
            // A key that straddles the middle leaves at most half of itself on the wrong side.
            double tolerance = Math.max(0.1, (double) largest / before / 2);
            assertThat((double) bytes(fixture, 10) / before)
                    .isBetween(0.5 - tolerance, 0.5 + tolerance);
            assertThat(fixture.call(SPLIT)).isEqualTo(answer);
        } finally {
            delete(directory);
        }
    }

    /** Hash V1 looks at the first hundred characters only. */
    @Property(tries = 20)
    void keysOfOneHashStayTogether(
            @ForAll @IntRange(min = 1, max = 12) int others,
            @ForAll @IntRange(min = 2, max = 4) int alike)
            throws IOException {
        PartitionKeyDefinition first =
                new PartitionKeyDefinition(
                        List.of(PropertyPath.parse("/pk")),
                        PartitionKeyDefinition.Kind.HASH,
                        1,
                        false);
        Path directory = Files.createTempDirectory("split");
        try (HostFixture fixture = new HostFixture(directory, first)) {
            for (int i = 0; i < alike; i++) {
                ItemKey key = fixture.key("1", "p".repeat(101) + i);
                fixture.create(key, "{\"id\":\"1\",\"t\":\"%s\"}".formatted("x".repeat(3000)));
            }
            for (int i = 0; i < others; i++) {
                fixture.create(fixture.key("1", "k" + i), "{\"id\":\"1\"}");
            }

            assertThat(fixture.call(SPLIT)).isInstanceOf(ControlResponse.SplitAt.class);
            assertThat(bytes(fixture, 10)).isPositive();
            assertThat(bytes(fixture, 11)).isPositive();
        } finally {
            delete(directory);
        }
    }

    @Property(tries = 5)
    void oneKeyIsNotCut(@ForAll @IntRange(min = 1, max = 20) int items) throws IOException {
        Path directory = Files.createTempDirectory("split");
        try (HostFixture fixture = new HostFixture(directory, HostFixture.ONE_PATH)) {
            for (int i = 0; i < items; i++) {
                fixture.create(fixture.key("i" + i, "k"), "{\"id\":\"i" + i + "\"}");
            }

            assertThat(HostFixture.failureOf(fixture.call(SPLIT))).isEqualTo(ErrorCode.BAD_REQUEST);
        } finally {
            delete(directory);
        }
    }

    private static long bytes(HostFixture fixture, int range) {
        PartitionId id = new PartitionId(HostFixture.PARTITION.container(), range);
        ControlResponse.Description seen =
                (ControlResponse.Description) fixture.call(new ControlRequest.Describe(id));
        return seen.itemBytes() + seen.indexBytes();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : all) {
                Files.delete(file);
            }
        }
    }
}
