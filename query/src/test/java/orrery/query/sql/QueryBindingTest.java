package orrery.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.evaluate.Evaluator;

final class QueryBindingTest {
    private static final String ROWS_OF_AN_ITEM =
            "SELECT VALUE t FROM c JOIN t IN (SELECT VALUE x FROM x IN c.tags WHERE x.k = @k)";

    private static Bytes binding(String text, int parameter, String keys) {
        Map<String, Value> parameters = Map.of("@k", Value.of(parameter));
        SqlStatement statement = SqlStatement.parse(text, parameters);
        return QueryBinding.of(
                statement.query(),
                statement.encoded().payload(),
                parameters,
                new Evaluator(parameters),
                keys);
    }

    @Test
    void aFilterIsNoPartOfIt() {
        assertThat(binding("SELECT * FROM c WHERE c.a = @k", 1, ""))
                .isEqualTo(binding("SELECT x.b FROM x WHERE x.z > @k", 2, ""));
    }

    /** The position counts the rows of an item. */
    @Test
    void parametersThatMakeRowsAreAPartOfIt() {
        assertThat(binding(ROWS_OF_AN_ITEM, 1, ""))
                .isEqualTo(binding(ROWS_OF_AN_ITEM, 1, ""))
                .isNotEqualTo(binding(ROWS_OF_AN_ITEM, 2, ""));
    }

    @Test
    void keysAreAPartOfIt() {
        assertThat(binding("SELECT * FROM c", 1, "a"))
                .isNotEqualTo(binding("SELECT * FROM c", 1, "b"));
    }
}
