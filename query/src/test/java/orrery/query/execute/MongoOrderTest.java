package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.find.FindCondition;
import orrery.query.find.FindQuery;
import orrery.query.find.NaiveFind;

/** A sort in an order of types that the index does not have is still read from the index. */
final class MongoOrderTest {
    private static final PageLimits PAGE = PageLimits.of(10, 4 << 20);

    /** One value of each type, in MongoDB's order; the second item has none. */
    private static final List<String> SORTED =
            List.of(
                    "{\"$minKey\":1}",
                    "",
                    "null",
                    "7",
                    "\"text\"",
                    "{\"p\":1}",
                    "[1]",
                    "{\"$binary\":{\"base64\":\"AQID\",\"subType\":\"00\"}}",
                    "{\"$oid\":\"507f1f77bcf86cd799439011\"}",
                    "false",
                    "true",
                    "{\"$date\":\"2026-11-17T04:30:00.125Z\"}",
                    "{\"$timestamp\":{\"t\":1,\"i\":2}}",
                    "{\"$maxKey\":1}");

    private final MemoryItems items =
            new MemoryItems(
                    IndexingPolicy.DEFAULT,
                    Geospatial.GEOGRAPHY,
                    ComputedProperties.NONE,
                    ContainerKind.MONGODB);

    /** A hundred items of each type. */
    @BeforeEach
    void fill() {
        for (int i = 0; i < 100 * SORTED.size(); i++) {
            int type = i % SORTED.size();
            String value = SORTED.get(type);
            items.add(
                    NaiveFind.bson(
                            "{\"_id\":\"%d\",\"pk\":1,\"t\":%d%s}"
                                    .formatted(i, type, value.isEmpty() ? "" : ",\"a\":" + value)));
        }
    }

    private static FindQuery sorted(boolean isDescending, List<FindCondition> filter) {
        return new FindQuery(
                filter,
                List.of(new FindQuery.Sort("a", isDescending)),
                List.of("t"),
                false,
                Optional.empty(),
                RowLimit.NONE);
    }

    private static List<String> rows(int fromType, int toType) {
        List<String> rows = new ArrayList<>();
        int step = fromType <= toType ? 1 : -1;
        for (int type = fromType; type != toType + step; type += step) {
            for (int i = 0; i < 100; i++) {
                rows.add("{\"t\":" + type + "}");
            }
        }
        return rows;
    }

    @Test
    void typesComeInTheirOrder() {
        int last = SORTED.size() - 1;
        assertThat(items.find(sorted(false, List.of()), PAGE)).isEqualTo(rows(0, last));
        assertThat(items.find(sorted(true, List.of()), PAGE)).isEqualTo(rows(last, 0));
    }

    @Test
    void aPageReadsWhatItReturns() {
        for (boolean isDescending : new boolean[] {false, true}) {
            Optional<Bytes> token = Optional.empty();
            // Items without a value have no entry: all are looked at to find them.
            for (int page = 0; page < 5; page++) {
                QueryResult result = items.find(sorted(isDescending, List.of()), PAGE, token);
                assertThat(result.metrics().documents()).isLessThanOrEqualTo(11);
                token = result.next();
            }
        }
    }

    @Test
    void aFilterLeavesSomeTypes() {
        List<FindCondition> numbers =
                List.of(new FindCondition("a", FindCondition.Test.GREATER, Value.of(3)));
        assertThat(items.find(sorted(false, numbers), PAGE)).isEqualTo(rows(3, 3));
        List<FindCondition> missing =
                List.of(new FindCondition("a", FindCondition.Test.EXISTS, Value.of(false)));
        assertThat(items.find(sorted(true, missing), PAGE)).isEqualTo(rows(1, 1));
    }
}
