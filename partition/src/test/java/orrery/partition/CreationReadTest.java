package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.machine.Command;
import orrery.query.sql.SqlStatement;
import orrery.storage.StoreSnapshot;
import orrery.storage.format.Keys;

/** Items come in the order of their creation: from a range, from one key, and under a prefix. */
class CreationReadTest {
    private static final String ALL = "SELECT VALUE c.id FROM c";

    /** Items that are read and sorted for a page at most. */
    private static final int MOST_SORTED = 16_384;

    private static final IndexingPolicy NOTHING =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    private HostFixture host;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.TWO_PATHS);
        host.replica().raiseLevel(HostFixture.PATIENCE);
    }

    @AfterEach
    void close() {
        host.close();
    }

    /** Creates items of a key together; their ids do not follow the order of creation. */
    private List<String> create(int from, int to, String... key) {
        List<String> ids =
                IntStream.range(from, to)
                        .mapToObj(i -> "%05d".formatted(i * 7919 % 99_991))
                        .toList();
        List<Command.ItemChange> changes = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            changes.add(
                    new Command.ItemChange.Put(
                            host.key(ids.get(i), key),
                            Command.Expect.ABSENT,
                            Precondition.NONE,
                            Encoding.JSON,
                            Bytes.ofUtf8(
                                    "{\"id\":\"%s\",\"n\":%d}".formatted(ids.get(i), from + i))));
        }
        host.replica()
                .submit(
                        new Command.WriteItems(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                host.clock().millis(),
                                changes),
                        HostFixture.PATIENCE);
        return ids;
    }

    private record Extent(PartitionId partition, KeyRange keys, Optional<PartitionKey> key) {}

    private static final Extent EVERYTHING =
            new Extent(HostFixture.PARTITION, KeyRange.FULL, Optional.empty());

    private Extent ofKey(String... components) {
        ItemKey key = host.key("x", components);
        return new Extent(
                HostFixture.PARTITION,
                components.length == 2
                        ? new KeyRange(key.epk(), KeyRange.FULL.max())
                        : EffectiveKeys.prefixRange(HostFixture.TWO_PATHS, key.partitionKey()),
                Optional.of(key.partitionKey()));
    }

    private ReadResponse.Feed feed(Extent extent, Optional<Bytes> after, int maxItems) {
        return (ReadResponse.Feed)
                host.call(
                        new ReadRequest.ReadFeed(
                                extent.partition(),
                                extent.keys(),
                                extent.key(),
                                after,
                                maxItems,
                                HostFixture.MB,
                                0));
    }

    private List<String> fed(Extent extent, Optional<Bytes> after, int maxItems) {
        List<String> ids = new ArrayList<>();
        Optional<Bytes> next = after;
        do {
            ReadResponse.Feed page = feed(extent, next, maxItems);
            page.items().forEach(item -> ids.add(id(item)));
            next = page.next();
        } while (next.isPresent());
        return ids;
    }

    private static String id(Item item) {
        return item.body().toUtf8().substring(7, 12);
    }

    private ReadResponse.QueryPage query(
            Extent extent, String text, Optional<Bytes> after, int maxItems) {
        return (ReadResponse.QueryPage)
                host.call(
                        new ReadRequest.Query(
                                extent.partition(),
                                HostFixture.DATABASE,
                                SqlStatement.parse(text, Map.of()).encoded(),
                                extent.keys(),
                                extent.key(),
                                after,
                                Optional.empty(),
                                Optional.empty(),
                                maxItems,
                                HostFixture.MB,
                                0,
                                List.of()));
    }

    private List<String> queried(Extent extent, String text, Optional<Bytes> after, int maxItems) {
        List<String> ids = new ArrayList<>();
        Optional<Bytes> next = after;
        do {
            ReadResponse.QueryPage page = query(extent, text, next, maxItems);
            page.rows().forEach(row -> ids.add(row.toUtf8().replace("\"", "")));
            next = page.next();
        } while (next.isPresent());
        return ids;
    }

    private void expect(List<String> ids, Extent extent, int maxItems) {
        assertThat(fed(extent, Optional.empty(), maxItems)).isEqualTo(ids);
        assertThat(queried(extent, ALL, Optional.empty(), maxItems)).isEqualTo(ids);
    }

    /** A key of a thousand is sorted; behind that its rows are begun, and then complete. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000, 1001, 1100, 1500})
    void aKeyOfAnySize(int items) {
        create(50_000, 50_020, "north", "other");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < Math.min(items, 1000); i += 100) {
            ids.addAll(create(i, Math.min(i + 100, items), "north", "sub"));
        }
        for (int i = 1000; i < items; i++) {
            ids.addAll(create(i, i + 1, "north", "sub"));
        }

        expect(ids, ofKey("north", "sub"), 90);
    }

    /** Up to 16,384 items a prefix is sorted; with one more its range is walked. */
    @Test
    void prefixesAndKeysAtAndPastWhatIsSorted() {
        assertThat(
                        host.call(
                                new ControlRequest.SetDefinition(
                                        HostFixture.PARTITION, host.definition(2, NOTHING))))
                .isEqualTo(new ControlResponse.Done());
        create(90_000, 90_100, "south", "sub");
        List<String> ofKey = createMany(0, 12_000, "north", "sub");
        List<String> ofPrefix = new ArrayList<>(ofKey);
        ofPrefix.addAll(createMany(12_000, MOST_SORTED, "north", "other"));
        expect(ofPrefix, ofKey("north"), 1500);
        ReadResponse.Feed fed = feed(ofKey("north"), Optional.empty(), 40);
        ReadResponse.QueryPage queried = query(ofKey("north"), ALL, Optional.empty(), 40);

        ofPrefix.addAll(create(MOST_SORTED, MOST_SORTED + 1, "north", "other"));
        expect(ofPrefix, ofKey("north"), 1500);
        List<String> rest = ofPrefix.subList(40, ofPrefix.size());
        assertThat(fed(ofKey("north"), fed.next(), 1500)).isEqualTo(rest);
        assertThat(queried(ofKey("north"), ALL, queried.next(), 1500)).isEqualTo(rest);

        ofKey.addAll(createMany(20_000, 20_000 + MOST_SORTED - ofKey.size(), "north", "sub"));
        assertThat(ofKey).hasSize(MOST_SORTED);
        expect(ofKey, ofKey("north", "sub"), 1500);
        ofKey.addAll(create(80_000, 80_001, "north", "sub"));
        expect(ofKey, ofKey("north", "sub"), 1500);
    }

    private List<String> createMany(int from, int to, String... key) {
        List<String> ids = new ArrayList<>();
        for (int i = from; i < to; i += 1000) {
            ids.addAll(create(i, Math.min(i + 1000, to), key));
        }
        return ids;
    }

    @Test
    void aPageGoesOnWhenTheKeyHasGotRows() {
        List<String> ids = new ArrayList<>(create(0, 900, "north", "sub"));
        ReadResponse.Feed first = feed(ofKey("north", "sub"), Optional.empty(), 40);
        ReadResponse.QueryPage page = query(ofKey("north", "sub"), ALL, Optional.empty(), 40);

        ids.addAll(create(900, 1900, "north", "sub"));

        assertThat(fed(ofKey("north", "sub"), first.next(), 100))
                .isEqualTo(ids.subList(40, ids.size()));
        assertThat(queried(ofKey("north", "sub"), ALL, page.next(), 100))
                .isEqualTo(ids.subList(40, ids.size()));
    }

    @Test
    void aRangeAndAPrefix() {
        List<String> all = new ArrayList<>();
        List<String> north = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            List<String> ids = create(i, i + 1, i % 3 == 0 ? "north" : "south", "sub" + i % 7);
            all.addAll(ids);
            if (i % 3 == 0) {
                north.addAll(ids);
            }
        }

        expect(all, EVERYTHING, 7);
        expect(north, ofKey("north"), 7);
    }

    @Test
    void whatAnIndexFindsInRangesOfValues() {
        List<String> ids = create(0, 400, "north", "sub");
        for (String filter :
                List.of(
                        "c.n >= 100",
                        "c.n IN (399, 5, 100)",
                        "c.n < 3 OR c.id > '90000' OR c.n = 77",
                        "c.n != 7")) {
            List<String> found = queried(EVERYTHING, ALL + " WHERE " + filter, Optional.empty(), 9);
            assertThat(found)
                    .as(filter)
                    .isEqualTo(ids.stream().filter(found::contains).toList())
                    .isNotEmpty();
        }
    }

    /** The children have the parent's segments, and each one of its own. */
    @Test
    void aPageGoesOnInTheChildrenOfASplit() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            ids.addAll(create(i, i + 1, "key" + i % 20, "sub"));
        }
        ReadResponse.Feed first = feed(EVERYTHING, Optional.empty(), 10);
        ReadResponse.QueryPage page = query(EVERYTHING, ALL, Optional.empty(), 10);

        assertThat(
                        host.call(
                                new ControlRequest.Split(
                                        HostFixture.PARTITION, 1, 2, 1, 2, SplitAim.OPERATOR)))
                .isInstanceOf(ControlResponse.SplitAt.class);

        List<String> fed = new ArrayList<>();
        List<String> queried = new ArrayList<>();
        for (int range : List.of(1, 2)) {
            Extent child = new Extent(new PartitionId(7, range), KeyRange.FULL, Optional.empty());
            List<String> rest = fed(child, first.next(), 3);
            assertThat(rest).isEqualTo(ids.stream().filter(rest::contains).toList());
            fed.addAll(rest);
            queried.addAll(queried(child, ALL, page.next(), 3));
        }
        assertThat(queried).isEqualTo(fed);
        assertThat(fed).containsExactlyInAnyOrderElementsOf(ids.subList(10, ids.size()));
    }

    /** A cursor that has come to its end must not be moved on. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 5, 12})
    void nothingIsAskedForBehindTheEnd(int count) {
        List<String> ids = count == 0 ? List.of() : create(0, count, "north", "sub");
        Iterator<String> rest = ids.iterator();
        CreationPlaces places =
                new CreationPlaces() {
                    private boolean isEnd;

                    @Override
                    public Optional<Place> next() {
                        assertThat(isEnd).as("it was at its end").isFalse();
                        isEnd = !rest.hasNext();
                        return isEnd
                                ? Optional.empty()
                                : Optional.of(
                                        new Place(
                                                0,
                                                Keys.itemSuffix(
                                                        host.key(rest.next(), "north", "sub")),
                                                Optional.empty()));
                    }

                    @Override
                    public void close() {}
                };
        List<String> found = new ArrayList<>();
        try (StoreSnapshot snapshot = host.replica().store().snapshot();
                CreatedItems items =
                        new CreatedItems(
                                snapshot,
                                HostFixture.PARTITION.container(),
                                host.replica()
                                        .find(HostFixture.PARTITION)
                                        .orElseThrow()
                                        .presence(0),
                                places,
                                100)) {
            while (items.next()) {
                found.add(id(items.item()));
            }
            assertThat(items.next()).isFalse();
        }
        assertThat(found).isEqualTo(ids);
    }
}
