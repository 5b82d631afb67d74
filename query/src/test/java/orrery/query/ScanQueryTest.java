package orrery.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

final class ScanQueryTest {
    private static final PartitionKeyDefinition PK = definition("/pk");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c",
                "select * from root r",
                "SELECT * FROM r",
                "SELECT VALUE c FROM c",
                "SELECT VALUE root FROM root",
                "SELECT VALUE r FROM root AS r -- all of them"
            })
    void readsTheContainer(String text) {
        ScanQuery scan = recognise(text, Map.of(), PK).orElseThrow();
        assertThat(scan.partitionKey()).isEmpty();
        assertThat(scan.isFiltered()).isFalse();
        assertThat(scan.matches(item("{}"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c WHERE c.pk = 'x'",
                "SELECT * FROM c WHERE c.pk = @p",
                "SELECT * FROM c WHERE 'x' = c.pk",
                "SELECT * FROM c WHERE (c['pk'] = @p)",
                "SELECT VALUE r FROM root r WHERE r[\"pk\"] = @p",
                // What the Java SDK sends for readAllItems(partitionKey).
                "SELECT * FROM c WHERE c[\"pk\"] = @p"
            })
    void readsOnePartition(String text) {
        ScanQuery scan = recognise(text, Map.of("@p", Value.of("x")), PK).orElseThrow();
        assertThat(scan.partitionKey()).contains(PartitionKey.ofText("x"));
        assertThat(scan.isFiltered()).isFalse();
        assertThat(scan.matches(item("{\"pk\":\"x\"}"))).isTrue();
        assertThat(scan.matches(item("{\"pk\":\"y\"}"))).isFalse();
    }

    @Test
    void readsNestedAndHierarchicalKeys() {
        assertThat(
                        key(
                                "SELECT * FROM c WHERE c[\"a\"][\"b\"] = @pkValue0",
                                Map.of("@pkValue0", Value.of(true)),
                                definition("/a/b")))
                .contains(PartitionKey.of(KeyComponent.TRUE));
        PartitionKeyDefinition three = definition("/t", "/u/v", "/s");
        Map<String, Value> values = Map.of("@a", Value.of("x"), "@b", Value.of(5));
        assertThat(
                        key(
                                "SELECT * FROM c WHERE c[\"t\"] = @a AND c[\"u\"][\"v\"] = @b AND"
                                        + " c[\"s\"] = null",
                                values,
                                three))
                .contains(
                        PartitionKey.of(
                                new KeyComponent.Text("x"),
                                new KeyComponent.Numeric(5),
                                KeyComponent.NULL));
        // In any order, and the leading ones alone; but not others, nor one twice.
        assertThat(key("SELECT * FROM c WHERE c.s = 1 AND c.u.v = 2 AND c.t = 3", values, three))
                .contains(
                        PartitionKey.of(
                                new KeyComponent.Numeric(3),
                                new KeyComponent.Numeric(2),
                                new KeyComponent.Numeric(1)));
        assertThat(key("SELECT * FROM c WHERE c.u.v = 2 AND c.t = 1", values, three))
                .contains(
                        PartitionKey.of(new KeyComponent.Numeric(1), new KeyComponent.Numeric(2)));
        assertThat(recognise("SELECT * FROM c WHERE c.t = 1 AND c.s = 2", values, three)).isEmpty();
        assertThat(
                        recognise(
                                "SELECT * FROM c WHERE c.t = 1 AND c.t = 1 AND c.s = 2",
                                values,
                                three))
                .isEmpty();
        assertThat(
                        recognise(
                                "SELECT * FROM c WHERE c.t = 1 AND (c.u.v = 2 OR c.s = 2)",
                                values,
                                three))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c WHERE NOT IS_DEFINED(c.pk)",
                "SELECT * FROM c WHERE (NOT IS_DEFINED(c[\"pk\"]))",
                "SELECT * FROM c WHERE IS_DEFINED(c.pk) = false",
                "SELECT * FROM c WHERE false = is_defined(c.pk)"
            })
    void readsTheItemsWithoutKey(String text) {
        ScanQuery scan = recognise(text, Map.of(), PK).orElseThrow();
        assertThat(scan.partitionKey()).contains(PartitionKey.of(KeyComponent.UNDEFINED));
        // Objects and arrays share the partition of the missing, but they are defined.
        assertThat(scan.isFiltered()).isTrue();
        assertThat(scan.matches(item("{}"))).isTrue();
        assertThat(scan.matches(item("{\"pk\":{}}"))).isFalse();
    }

    @Test
    void filtersNumbersThatShareADouble() {
        ScanQuery scan =
                recognise("SELECT * FROM c WHERE c.pk = 9007199254740993", Map.of(), PK)
                        .orElseThrow();
        assertThat(scan.partitionKey())
                .contains(PartitionKey.of(new KeyComponent.Numeric(9007199254740992.0)));
        assertThat(scan.isFiltered()).isTrue();
        assertThat(scan.matches(item("{\"pk\":9007199254740993}"))).isTrue();
        assertThat(scan.matches(item("{\"pk\":9007199254740992}"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT c.id FROM c",
                "SELECT c FROM c",
                "SELECT VALUE c.id FROM c",
                "SELECT VALUE 1 FROM c",
                "SELECT VALUE 1",
                "SELECT DISTINCT VALUE c FROM c",
                "SELECT TOP 1 * FROM c",
                "SELECT * FROM c ORDER BY c.pk",
                "SELECT * FROM c OFFSET 0 LIMIT 10",
                "SELECT VALUE c FROM c GROUP BY c",
                "SELECT * FROM c.pk",
                "SELECT * FROM x IN c.pk",
                "SELECT VALUE c FROM c JOIN x IN c.pk",
                "SELECT * FROM (SELECT VALUE c FROM c) AS c",
                "SELECT * FROM c WHERE true",
                "SELECT * FROM c WHERE c.id = 'x'",
                "SELECT * FROM c WHERE c.pk != 'x'",
                "SELECT * FROM c WHERE c.pk > 'x'",
                "SELECT * FROM c WHERE c.pk = 'x' OR c.pk = 'y'",
                "SELECT * FROM c WHERE c.pk = 'x' AND c.id = 'y'",
                "SELECT * FROM c WHERE c.pk = 'x' AND c.pk = 'x'",
                "SELECT * FROM c WHERE c.pk = c.pk",
                "SELECT * FROM c WHERE c.pk = LOWER('x')",
                "SELECT * FROM c WHERE LOWER(c.pk) = 'x'",
                "SELECT * FROM c WHERE c.pk = undefined",
                "SELECT * FROM c WHERE c.pk = @missing",
                "SELECT * FROM c WHERE c.pk = {}",
                "SELECT * FROM c WHERE c.pk = []",
                "SELECT * FROM c WHERE c.pk = Infinity",
                "SELECT * FROM c WHERE c.pk IN ('x')",
                "SELECT * FROM c WHERE IS_DEFINED(c.pk)",
                "SELECT * FROM c WHERE IS_DEFINED(c.pk) = true",
                "SELECT * FROM c WHERE NOT IS_DEFINED(c.other)",
                "SELECT * FROM c WHERE c = 'x'",
                "SELECT * FROM c WHERE 1 = 1",
                "SELECT * FROM c WHERE c.pk.x = 'x'",
                "SELECT * FROM c WHERE YEAR(c.pk) = 2000"
            })
    void leavesEverythingElse(String text) {
        assertThat(recognise(text, Map.of(), PK)).isEmpty();
    }

    @Test
    void containerWithoutKeyHasNoPartitions() {
        PartitionKeyDefinition none = definition();
        assertThat(recognise("SELECT * FROM c", Map.of(), none)).isPresent();
        assertThat(recognise("SELECT * FROM c WHERE c.pk = 1", Map.of(), none)).isEmpty();
    }

    @Test
    void refusesWhatIsNoQuery() {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> recognise("SELECT * FRO c", Map.of(), PK))
                .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
    }

    private static Optional<ScanQuery> recognise(
            String text, Map<String, Value> parameters, PartitionKeyDefinition definition) {
        return ScanQuery.recognise(text, parameters, definition);
    }

    private static Optional<PartitionKey> key(
            String text, Map<String, Value> parameters, PartitionKeyDefinition definition) {
        return recognise(text, parameters, definition).orElseThrow().partitionKey();
    }

    private static Value.Obj item(String json) {
        return (Value.Obj) JsonText.parse(json);
    }

    private static PartitionKeyDefinition definition(String... paths) {
        List<PropertyPath> parsed = Stream.of(paths).map(PropertyPath::parse).toList();
        PartitionKeyDefinition.Kind kind =
                paths.length > 1
                        ? PartitionKeyDefinition.Kind.MULTI_HASH
                        : PartitionKeyDefinition.Kind.HASH;
        return new PartitionKeyDefinition(parsed, kind, 2, false);
    }
}
