package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.OrreryException;
import orrery.query.dialect.RowLimit;
import orrery.query.syntax.QueryParser;

final class LimitClausesTest {
    private static RowLimit limit(String query, String parameter) {
        Evaluator evaluator =
                new Evaluator(
                        Map.of("@n", JsonText.parse(parameter)),
                        Geospatial.GEOGRAPHY,
                        UserFunctions.NONE);
        return LimitClauses.of(evaluator, QueryParser.query(query));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT TOP @n * FROM c | a TOP",
                "SELECT * FROM c OFFSET @n LIMIT 1 | an OFFSET",
                "SELECT * FROM c OFFSET 1 LIMIT @n | a LIMIT"
            })
    void saysWhatACountMustBe(String query, String clause) {
        for (String wrong : new String[] {"-1", "1.5", "\"5\"", "null", "[1]"}) {
            assertThatThrownBy(() -> limit(query, wrong))
                    .isInstanceOf(OrreryException.class)
                    .hasMessageContaining(
                            "The count value provided for "
                                    + clause
                                    + " clause must be a non-negative integer.");
        }
    }

    @Test
    void saysThatACountIsTooLarge() {
        assertThatThrownBy(() -> limit("SELECT * FROM c OFFSET @n LIMIT 1", "2147483648"))
                .hasMessageContaining("The OFFSET count value exceeds the maximum allowed value.");
        assertThatThrownBy(() -> limit("SELECT * FROM c OFFSET 1 LIMIT @n", "2147483648"))
                .hasMessageContaining("The LIMIT count value exceeds the maximum allowed value.");
    }

    @Test
    void takesWhatIsOne() {
        assertThat(limit("SELECT * FROM c OFFSET @n LIMIT 3", "2147483647"))
                .isEqualTo(new RowLimit(2147483647, 3));
        assertThat(limit("SELECT TOP @n * FROM c", "0")).isEqualTo(new RowLimit(0, 0));
    }
}
