package orrery.frontend.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

final class QueryPrinterTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT *FROM c",
                "select distinct top 3 value c.a from c where c.b=1 order by c.c desc, c.d",
                "SELECT c.a b, c[\"x y\"], c.order1, c['Order'], c.a[0], c.a[@p] AS q FROM c",
                "SELECT 1, 'it\\'s \"quoted\"\\n', -2.5e300, .5, 0x1F, null, undefined, NaN, Infinity",
                "SELECT VALUE c.a ? c.b ?? c.d : -c.e FROM c",
                "SELECT VALUE NOT c.a AND c.b OR c.c AND NOT (c.d OR c.e) FROM c",
                "SELECT VALUE c.a BETWEEN 1 AND 2 AND c.b NOT IN (1, 'a', [], {}) FROM c",
                "SELECT VALUE c.a LIKE 'x!%' ESCAPE '!' FROM c",
                "SELECT VALUE c.a NOT LIKE '\"' FROM c",
                "SELECT VALUE ((c.a + 1) * 2 - 3 - (4 - 5)) % 7 << 1 >> 2 >>> 3 & ~4 | 5 ^ 6 FROM c",
                "SELECT VALUE - - + c.a || 'b' || c.d FROM c",
                "SELECT VALUE {a: 1, \"b c\": [c.x, {d: @p}]} FROM c",
                "SELECT VALUE udf.f(c.a, ABS(c.b)) FROM c",
                "SELECT VALUE LEFT(c.a, 1) FROM c",
                "SELECT VALUE (5).a FROM c",
                "SELECT VALUE 'text'.a FROM c",
                "SELECT r.a, x FROM Root AS r JOIN x IN r.list JOIN (SELECT VALUE y FROM y IN x.l) AS z",
                "SELECT VALUE children FROM c.children",
                "SELECT VALUE x FROM c['a b'].d[3] x",
                "SELECT VALUE 1 FROM c[0]",
                "SELECT VALUE k FROM c JOIN k IN OBJECTTOARRAY(c.x)",
                "SELECT VALUE s.n FROM (SELECT COUNT(1) AS n FROM c) s",
                "SELECT VALUE EXISTS(SELECT 1 FROM x IN c.a WHERE x > 1) FROM c",
                "SELECT (SELECT VALUE MAX(x) FROM x IN c.a).b, ARRAY(SELECT VALUE 1) AS l FROM c",
                "SELECT c.a, COUNT(1) FROM c GROUP BY c.a, {b: c.b}",
                "SELECT VALUE FIRST(SELECT VALUE x FROM x IN c.a) FROM c OFFSET 1 LIMIT @n"
            })
    void textOfATreeGivesThatTree(String text) {
        Query query = parse(text);
        assertThat(parse(QueryPrinter.print(query))).isEqualTo(query);
    }

    @Test
    void longChainsCanBeParsedAgain() {
        String chain = "c.a" + " + c.a".repeat(300) + " - 1".repeat(50);
        textOfATreeGivesThatTree("SELECT VALUE " + chain + " FROM c");
    }

    private static Query parse(String text) {
        return QueryParser.query(text);
    }
}
