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
import orrery.query.mongo.Documents;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.find.MongoDialect;
import orrery.query.mongo.find.NaiveMongo;

/** MongoDB's reads: the index changes the way, never the answer. */
class MongoAnswerProperties {
    private static final List<IndexingPolicy> POLICIES =
            List.of(
                    IndexingPolicy.DEFAULT,
                    IndexedAnswerProperties.NO_INDEX,
                    IndexedAnswerProperties.policy(List.of("/*"), List.of("/a/?"), List.of()),
                    IndexedAnswerProperties.policy(
                            List.of(
                                    "/a/?",
                                    "/a/[]/?",
                                    "/s/?",
                                    "/s/[]/?",
                                    "/_id/?",
                                    "/o/p/?",
                                    "/o/p/[]/?",
                                    "/o/[]/p/?",
                                    "/o/[]/p/[]/?",
                                    "/b/x/?",
                                    "/b/x/[]/?",
                                    "/b/[]/x/?",
                                    "/b/[]/x/[]/?"),
                            List.of("/*"),
                            List.of()),
                    IndexedAnswerProperties.policy(
                            List.of("/*"),
                            List.of(),
                            List.of(
                                    List.of(
                                            IndexedAnswerProperties.path("/a", false),
                                            IndexedAnswerProperties.path("/b", true)),
                                    List.of(
                                            IndexedAnswerProperties.path("/n", false),
                                            IndexedAnswerProperties.path("/s", false)))));

    private static final List<PageLimits> LIMITS =
            List.of(
                    PageLimits.of(1000, 4 << 20),
                    new PageLimits(7, 4 << 20, 20, 15, Duration.ofHours(1)),
                    new PageLimits(1, 100, 1000, 1000, Duration.ofHours(1)));

    @Property
    void answersAsIfThereWereNoIndex(
            @ForAll long seed,
            @ForAll @IntRange(max = 60) int count,
            @ForAll @IntRange(max = 4) int nestedOfTen) {
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
        List<Value.Obj> documents = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            Bytes body = Documents.bson(NaiveMongo.document("i" + i, random, nestedOfTen));
            documents.add(BsonCodec.read(body));
            stores.forEach(store -> store.add(body));
        }
        for (int i = 0; i < 4; i++) {
            FindStatement read = NaiveMongo.statement(random);
            assertThat(MongoDialect.INSTANCE.read(read.encoded().payload())).isEqualTo(read);
            for (MemoryItems store : stores) {
                for (PageLimits limits : LIMITS) {
                    NaiveMongo.check(read, documents, store.find(read, limits));
                }
            }
        }
    }
}
