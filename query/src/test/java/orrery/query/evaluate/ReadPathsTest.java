package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.query.syntax.QueryParser;

final class ReadPathsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT c.a, c.b.d FROM c|a b.d",
                "SELECT VALUE 1 FROM c|''",
                "SELECT VALUE COUNT(1) FROM c WHERE c.x = c.y|x y",
                "SELECT VALUE COUNT(c) FROM c|''",
                "SELECT * FROM c|everything",
                "SELECT VALUE c FROM c|everything",
                "SELECT c FROM c WHERE c.a = 1|everything",
                "SELECT * FROM c.a.b|a.b",
                "SELECT a.x FROM c.a|a",
                "SELECT t FROM t IN c.tags|tags",
                "SELECT c.id, t FROM c JOIN t IN c.tags WHERE t.x = c.y|tags id y",
                "SELECT c.list[0].x, c.o[c.name].y FROM c|list o name",
                "SELECT c['a']['b'] FROM c|a.b",
                "SELECT c[@p] FROM c|everything",
                "SELECT c.a FROM c ORDER BY c.b|a b",
                "SELECT c.a, SUM(c.b) FROM c GROUP BY c.a|a b",
                "SELECT EXISTS(SELECT VALUE x FROM x IN c.xs WHERE x.y = c.z) FROM c|xs z",
                "SELECT ARRAY(SELECT VALUE d.a FROM d) FROM c AS d|a",
                "SELECT (SELECT VALUE c.b FROM c IN c.list) FROM c|list",
                "SELECT s.a FROM (SELECT c.a, c.b FROM c) AS s|a b",
                "SELECT DOCUMENTID(c) FROM c|_rid",
                "SELECT VALUE UPPER(c.a) ?? {x: [c.b]} FROM c|a b",
                "SELECT VALUE r.code FROM c JOIN (SELECT VALUE c) AS r|everything",
                "SELECT DISTINCT * FROM c|everything",
                "SELECT DISTINCT VALUE c FROM c WHERE c.a = 1|everything",
                "SELECT VALUE udf.f(c) FROM c|everything",
                "SELECT VALUE udf.f(c.a, [c.b]) FROM c|a b",
                "SELECT VALUE {x: c} FROM c|everything",
                "SELECT VALUE [c] FROM c|everything",
                "SELECT COUNT(1) AS n FROM (SELECT DISTINCT VALUE c FROM c) AS d|everything",
                "SELECT VALUE COUNT(x) FROM c JOIN x IN c.xs GROUP BY c.a|a xs",
                "SELECT ARRAY(SELECT DISTINCT VALUE c FROM t IN c.tags) FROM c|everything"
            })
    void knowsWhatAQueryReads(String query, String expected) {
        String actual =
                ReadPaths.of(QueryParser.query(query))
                        .map(
                                paths ->
                                        String.join(
                                                " ",
                                                paths.stream()
                                                        .map(path -> String.join(".", path))
                                                        .sorted()
                                                        .toList()))
                        .orElse("everything");
        assertThat(actual).isEqualTo(sorted(expected));
    }

    private static String sorted(String words) {
        return String.join(" ", Arrays.stream(words.split(" ")).sorted().toList());
    }
}
