package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.find.FindDialect;
import orrery.query.find.FindQuery;
import orrery.query.find.NaiveFind;

/**
 * A second language over BSON, which sorts types in MongoDB's order: the index changes the way,
 * never the answer.
 */
class FindAnswerProperties {
    private static final List<IndexingPolicy> POLICIES =
            List.of(
                    IndexingPolicy.DEFAULT,
                    IndexedAnswerProperties.NO_INDEX,
                    IndexedAnswerProperties.policy(List.of("/*"), List.of("/a/?"), List.of()),
                    IndexedAnswerProperties.policy(
                            List.of("/a/?", "/o/p/?"), List.of("/*"), List.of()),
                    IndexedAnswerProperties.policy(
                            List.of("/*"),
                            List.of(),
                            List.of(
                                    List.of(
                                            IndexedAnswerProperties.path("/a", false),
                                            IndexedAnswerProperties.path("/b", true)),
                                    List.of(
                                            IndexedAnswerProperties.path("/s", false),
                                            IndexedAnswerProperties.path("/a", false)))));

    private static final List<PageLimits> LIMITS =
            List.of(
                    PageLimits.of(1000, 4 << 20),
                    new PageLimits(7, 4 << 20, 20, 15, Duration.ofHours(1)),
                    new PageLimits(1, 100, 1000, 1000, Duration.ofHours(1)));

    @Property
    void answersAsIfThereWereNoIndex(@ForAll long seed, @ForAll @IntRange(max = 60) int count) {
        Random random = new Random(seed);
        List<MemoryItems> stores = new ArrayList<>();
        for (IndexingPolicy policy : POLICIES) {
            stores.add(
                    new MemoryItems(
                            policy,
                            Geospatial.GEOGRAPHY,
                            ComputedProperties.NONE,
                            ContainerKind.MONGODB));
        }
        List<Value.Obj> items = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            Bytes body = NaiveFind.bson(NaiveFind.item("i" + i, random));
            items.add(BsonCodec.read(body));
            stores.forEach(store -> store.add(body));
        }
        for (int i = 0; i < 3; i++) {
            FindQuery query = NaiveFind.query(random);
            assertThat(FindDialect.INSTANCE.read(query.encoded().payload())).isEqualTo(query);
            for (MemoryItems store : stores) {
                for (PageLimits limits : LIMITS) {
                    NaiveFind.check(query, items, store.find(query, limits));
                }
            }
        }
    }
}
