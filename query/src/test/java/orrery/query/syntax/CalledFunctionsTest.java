package orrery.query.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CalledFunctionsTest {
    @Test
    void areFoundEverywhere() {
        Query query =
                QueryParser.query(
                        """
                        SELECT udf.a(c.x), ABS(udf.b(1)) AS n, ARRAY(SELECT VALUE udf.c(t) FROM t IN c.tags)
                        FROM c JOIN (SELECT VALUE udf.d(u) FROM u IN c.tags WHERE udf.e(u))
                        WHERE udf.f(c) AND EXISTS(SELECT VALUE 1 FROM v IN c.tags WHERE udf.g(v))""");

        assertThat(CalledFunctions.of(query)).containsExactly("a", "b", "c", "d", "e", "f", "g");
        assertThat(
                        CalledFunctions.of(
                                QueryParser.query("SELECT VALUE udf.h(c.x) FROM c GROUP BY c.x")))
                .containsExactly("h");
        assertThat(CalledFunctions.of(QueryParser.query("SELECT c.udf FROM c"))).isEmpty();
    }
}
