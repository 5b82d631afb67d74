package orrery.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.Encoding;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.QueryParser;

/** The keys that are left where items have kinds that SQL does not know. */
final class KeyFilterTest {
    private static final PartitionKeyDefinition BY_PK =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    private static Optional<List<PartitionKey>> keys(String filter, Encoding encoding) {
        return KeyFilter.keys(
                QueryParser.query("SELECT * FROM c WHERE " + filter),
                new Evaluator(Map.of("@nul", Value.of("\u00001c61"))),
                BY_PK,
                encoding);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c.pk = 'a'",
                "c.pk = null",
                "c.pk = true",
                "c.pk IN (1, 2.5)",
                "c.pk = [1]",
                "NOT IS_DEFINED(c.pk)"
            })
    void valuesOfJsonHaveTheirKeysInBothEncodings(String filter) {
        assertThat(keys(filter, Encoding.BSON)).isPresent().isEqualTo(keys(filter, Encoding.JSON));
    }

    /**
     * The key of an ObjectId is not told from the object that SQL sees, so no range is left out.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "c.pk = {'$oid': '507f1f77bcf86cd799439011'}",
                "c.pk IN ('a', {'b': 1})",
                "c.pk = @nul"
            })
    void whatMayBeTaggedMayLieAnywhere(String filter) {
        assertThat(keys(filter, Encoding.BSON)).isEmpty();
        assertThat(keys(filter, Encoding.JSON)).isPresent();
    }

    /** In BSON {@code c.id} is the name of {@code _id}, and not the field that the key is of. */
    @Test
    void aKeyOfAReservedNameIsFoundUnderItsNameInSql() {
        PartitionKeyDefinition byId =
                new PartitionKeyDefinition(
                        List.of(PropertyPath.parse("/id")),
                        PartitionKeyDefinition.Kind.HASH,
                        2,
                        false);
        var own = QueryParser.query("SELECT * FROM c WHERE c['$id'] = 'a'");
        var shown = QueryParser.query("SELECT * FROM c WHERE c.id = 'a'");
        Evaluator evaluator = new Evaluator(Map.of());

        assertThat(KeyFilter.keys(own, evaluator, byId, Encoding.BSON))
                .contains(List.of(PartitionKey.ofText("a")));
        assertThat(KeyFilter.keys(shown, evaluator, byId, Encoding.BSON)).isEmpty();
        assertThat(KeyFilter.keys(shown, evaluator, byId, Encoding.JSON))
                .contains(List.of(PartitionKey.ofText("a")));
    }

    @Test
    void inJsonAStringIsItsOwnKey() {
        assertThat(keys("c.pk = @nul", Encoding.JSON))
                .contains(List.of(PartitionKey.ofText("\u00001c61")));
        assertThat(keys("c.pk = {'a': 1}", Encoding.JSON))
                .contains(List.of(PartitionKey.of(KeyComponent.UNDEFINED)));
    }
}
