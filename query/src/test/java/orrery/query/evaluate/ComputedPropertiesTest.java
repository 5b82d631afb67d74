package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.cases.QueryCases;
import orrery.query.syntax.QueryParser;

final class ComputedPropertiesTest {
    private static final Value.Obj ITEM =
            (Value.Obj)
                    JsonText.parse(
                            """
                            {"id":"1","name":"Ada","n":0,"list":[1,2],"cp":"stored",
                             "long":"%s","_rid":"r","_etag":"e","_ts":1700000000}
                            """
                                    .formatted("x".repeat(300_000)));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT VALUE LOWER(c.name) FROM c|\"ada\"",
                "SELECT VALUE r.n + 1 FROM root r|1",
                "SELECT VALUE p.list[1] FROM MyContainer p|2",
                "SELECT VALUE c.missing FROM c|undefined",
                "SELECT VALUE null FROM c|null",
                "SELECT VALUE c.cp FROM c|\"stored\"",
                "SELECT VALUE DateTimePart('yyyy', TimestampToDateTime(c._ts*1000)) FROM c|2023",
                // Stored, they could not be told apart either.
                "SELECT VALUE LOG(c.n) FROM c|undefined",
                "SELECT VALUE [c.missing, LOG(c.n), 1] FROM c|[null,null,1]",
                "SELECT VALUE {a: c.missing, b: LOG(c.n), c: 1} FROM c|{\"c\":1}",
                // The time is the only property of the service that is known when an item is
                // indexed.
                "SELECT VALUE IS_DEFINED(c[c.name = 'Ada' ? '_etag' : 'x']) FROM c|false",
                "SELECT VALUE IS_DEFINED(c[c.name = 'Ada' ? '_ts' : 'x']) FROM c|true",
                // Too much work for a write, so for everyone.
                "SELECT VALUE LENGTH(REPLACE(CONCAT(c.long, c.long, c.long, c.long), 'x', 'y')) +"
                        + " LENGTH(REPLACE(CONCAT(c.long, c.long, c.long, c.long), 'x', 'y'))"
                        + " FROM c|undefined"
            })
    void valuesOfAnItem(String query, String expected) {
        ComputedProperties computed = ComputedProperties.of(List.of(property("cp", query)));
        Value value = computed.property(ITEM, "cp");
        assertThat(value.isDefined() ? JsonText.write(value) : "undefined").isEqualTo(expected);
    }

    @Test
    void whatHasToBeReadForThem() {
        ComputedProperties computed =
                ComputedProperties.of(
                        List.of(
                                property("a", "SELECT VALUE c.x + c.y.z FROM c"),
                                property("b", "SELECT VALUE 1 FROM c"),
                                property("c", "SELECT VALUE ObjectToArray(c) FROM c")));
        assertThat(computed.needs(Set.of("a", "s"))).contains(Set.of("x", "y", "s"));
        assertThat(computed.needs(Set.of("b"))).contains(Set.of());
        assertThat(computed.needs(Set.of("c", "s"))).isEmpty();
        assertThat(ComputedProperties.NONE.needs(Set.of("a"))).contains(Set.of("a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT LOWER(c.name) FROM c|Required VALUE expression missing from computed"
                        + " property query 'SELECT LOWER(c.name) FROM c' at index (1).",
                "SELECT * FROM c|Required VALUE expression missing",
                "SELECT VALUE LOWER(c.name) FROM r|has a malformed query: 'SELECT VALUE"
                        + " LOWER(c.name) FROM r' Error details: '{\"errors\":",
                "SELECT VALUE|at index (1) has a malformed query",
                "SELECT VALUE NOSUCH(c.a) FROM c|at index (1) has a malformed query",
                "SELECT VALUE 1|needs a FROM clause",
                "SELECT VALUE c.name FROM r.children c|whole item",
                "SELECT VALUE c.name FROM c IN r.children|whole item",
                "SELECT VALUE c.name FROM (SELECT VALUE r FROM r) AS c|whole item",
                "SELECT VALUE c.name FROM c JOIN d IN c.d|must not have a JOIN",
                "SELECT VALUE c.a FROM c WHERE c.b|must not have a WHERE clause",
                "SELECT VALUE c.a FROM c GROUP BY c.a|must not have a GROUP BY clause",
                "SELECT VALUE c.a FROM c ORDER BY c.a|must not have an ORDER BY clause",
                "SELECT TOP 1 VALUE c.a FROM c|must not have TOP",
                "SELECT DISTINCT VALUE c.a FROM c|must not have DISTINCT",
                "SELECT VALUE c.a FROM c OFFSET 0 LIMIT 1|must not have an OFFSET LIMIT clause",
                "SELECT VALUE (SELECT VALUE c.a) FROM c|must not have a subquery",
                "SELECT VALUE EXISTS(SELECT VALUE c.a) FROM c|must not have a subquery",
                "SELECT VALUE COUNT(c.a) FROM c|aggregate function 'COUNT'",
                "SELECT VALUE 1 + MAX(c.a) FROM c|aggregate function 'MAX'",
                "SELECT VALUE ST_ISVALID(c.a) FROM c|spatial function 'ST_ISVALID'",
                "SELECT VALUE udf.f(c.a) FROM c|user-defined function 'f'",
                "SELECT VALUE c.a + RAND() FROM c|'RAND', which is not deterministic",
                "SELECT VALUE GetCurrentDateTime() FROM c|not deterministic",
                "SELECT VALUE GetCurrentTicksStatic() FROM c|not deterministic",
                "SELECT VALUE c.a + @p FROM c|parameter '@p'",
                "SELECT VALUE c._etag FROM c|system property '_etag'",
                "SELECT VALUE DOCUMENTID(c) FROM c|system property '_rid'",
                "SELECT VALUE c.first FROM c|must not read the computed property 'first'",
                "SELECT VALUE c['first'].x FROM c|must not read the computed property 'first'"
            })
    void queriesThatDefineNone(String query, String expected) {
        List<ComputedProperty> definitions =
                List.of(property("first", "SELECT VALUE c.x FROM c"), property("cp", query));
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class, () -> ComputedProperties.of(definitions));
        assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refused.text()).startsWith("{\"Errors\":[");
        assertThat(QueryCases.describe(refused)).contains(expected);
    }

    @Test
    void onlyTheItemItselfHasThem() {
        ComputedProperties computed =
                ComputedProperties.of(
                        List.of(property("name", "SELECT VALUE UPPER(c.name) FROM c")));
        Value.Obj item = (Value.Obj) JsonText.parse("{\"name\":\"a\",\"inner\":{\"name\":\"b\"}}");
        Evaluator evaluator =
                new Evaluator(Map.of(), Geospatial.GEOGRAPHY, UserFunctions.NONE, computed);
        Expression all =
                evaluator.compile(
                        QueryParser.scalar(
                                "[c.name, c['name'], c.inner.name, c, (c ?? 1).name, {c: c}.c.name,"
                                        + " {c: c.inner}.c.name]",
                                Set.of("c")));
        assertThat(JsonText.write(all.evaluate(Bindings.of(item).with("c", item))))
                .isEqualTo(
                        "[\"A\",\"A\",\"b\",{\"name\":\"a\",\"inner\":{\"name\":\"b\"}},\"A\",\"A\","
                                + "\"b\"]");
    }

    private static ComputedProperty property(String name, String query) {
        return new ComputedProperty(name, query);
    }
}
