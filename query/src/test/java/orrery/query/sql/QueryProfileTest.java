package orrery.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.Value;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

final class QueryProfileTest {
    private static final PartitionKeyDefinition KEY =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    SELECT * FROM c                                     | ALL     | true  | true  | -  | false | -
                    SELECT TOP 5 * FROM c                               | ALL     | true  | true  | 5  | false | -
                    SELECT * FROM c WHERE c.n = @p                      | INDEX   | true  | true  | -  | false | -
                    SELECT * FROM c WHERE c.n > @p AND c.pk = @p        | INDEX   | true  | true  | -  | false | 1
                    SELECT * FROM c WHERE c.pk IN (1, 2, 3)             | INDEX   | true  | true  | -  | false | 3
                    SELECT * FROM c WHERE CONTAINS(c.s, @p)             | INDEX   | false | true  | -  | false | -
                    SELECT * FROM c WHERE c.a = c.b                     | SCAN    | false | true  | -  | false | -
                    SELECT * FROM c WHERE false                         | NOTHING | true  | true  | -  | false | 0
                    SELECT 1                                            | NOTHING | false | true  | -  | false | 0
                    SELECT TOP 9 * FROM c WHERE c.a > 1 ORDER BY c.a    | INDEX   | true  | true  | 9  | true  | -
                    SELECT * FROM c ORDER BY c.a OFFSET 10 LIMIT 5      | ALL     | true  | true  | 15 | true  | -
                    SELECT DISTINCT TOP 9 c.a FROM c                    | ALL     | true  | true  | -  | false | -
                    SELECT VALUE COUNT(1) FROM c WHERE c.a > 1          | INDEX   | true  | false | -  | false | -
                    SELECT VALUE SUM(c.a) FROM c WHERE c.a > 1          | INDEX   | true  | true  | -  | false | -
                    SELECT COUNT(1) FROM (SELECT DISTINCT c.a FROM c)   | ALL     | true  | true  | -  | false | -
                    """)
    void tellsWhatIsRead(
            String text,
            QueryProfile.Way way,
            boolean isDecided,
            boolean readsItems,
            Long limit,
            boolean isSorted,
            Integer keys) {
        QueryProfile profile = QueryProfile.of(text, Map.of("@p", Value.of("x")), Optional.of(KEY));
        assertThat(profile.way()).isEqualTo(way);
        assertThat(profile.readsItems()).isEqualTo(readsItems);
        assertThat(profile.isDecided()).isEqualTo(isDecided);
        assertThat(profile.limit().stream().boxed().findAny())
                .isEqualTo(Optional.ofNullable(limit));
        assertThat(profile.isSorted()).isEqualTo(isSorted);
        assertThat(profile.keys().stream().boxed().findAny()).isEqualTo(Optional.ofNullable(keys));
    }
}
