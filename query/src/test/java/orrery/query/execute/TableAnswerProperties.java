package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.table.NaiveTable;
import orrery.query.table.TableDefinition;
import orrery.query.table.TableDialect;
import orrery.query.table.TableStatement;

/** Queries over tables: the index changes the way, never the answer or its order. */
class TableAnswerProperties {
    private static final List<IndexingPolicy> POLICIES =
            List.of(
                    TableDefinition.INDEXING,
                    IndexingPolicy.DEFAULT,
                    IndexedAnswerProperties.NO_INDEX,
                    TableDefinition.withOrder(
                            IndexedAnswerProperties.policy(
                                    List.of("/p/*"), List.of("/*"), List.of())));

    private static final List<PageLimits> LIMITS =
            List.of(
                    PageLimits.of(1000, 4 << 20),
                    new PageLimits(7, 4 << 20, 20, 15, Duration.ofHours(1)),
                    new PageLimits(1, 100, 1000, 1000, Duration.ofHours(1)));

    @Property
    void answersAsIfThereWereNoIndex(@ForAll long seed, @ForAll @IntRange(max = 25) int count) {
        Random random = new Random(seed);
        List<MemoryItems> stores = new ArrayList<>();
        for (IndexingPolicy policy : POLICIES) {
            stores.add(
                    new MemoryItems(
                            policy,
                            Geospatial.GEOGRAPHY,
                            ComputedProperties.NONE,
                            ContainerKind.TABLE));
        }
        List<NaiveTable.Entity> entities = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            NaiveTable.Entity entity = NaiveTable.entity(i, random);
            stores.forEach(store -> store.add(entity.json()));
            entities.add(entity.written(stores.getFirst().lastEtag()));
        }
        TableStatement query = NaiveTable.query(entities, random);
        assertThat(TableDialect.INSTANCE.read(query.encoded().payload())).isEqualTo(query);
        for (MemoryItems store : stores) {
            for (PageLimits limits : LIMITS) {
                NaiveTable.check(query, entities, store.find(query, limits));
            }
        }
    }
}
