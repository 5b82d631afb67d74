package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;

/** User-defined functions in queries, evaluated by partitions and over what is merged. */
final class UserFunctionTest {
    private static final int SEVEN_PARTITIONS = 70_000;

    @TempDir private Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ContainerRef filled(int requestUnits) {
        ContainerRef container = fixture.container("c", requestUnits, "/pk");
        for (int i = 0; i < 20; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d%s}"
                            .formatted(i, i, i, i < 10 ? ",\"few\":true" : ""));
        }
        function(container, "twice", "function (x) { return 2 * x; }");
        function(container, "isOdd", "function (x) { return x % 2 === 1; }");
        function(container, "parity", "function (x) { return x % 2 ? 'odd' : 'even'; }");
        function(container, "nothing", "function () {}");
        return container;
    }

    private void function(ContainerRef container, String name, String body) {
        fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        container,
                        new ScriptDefinition(Kind.FUNCTION, name, body));
    }

    private List<String> all(ContainerRef container, String query, int pageSize) {
        return fixture.all(container, new FeedScope.Everything(), query, pageSize);
    }

    private List<String> all(ContainerRef container, String query) {
        return all(container, query, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, SEVEN_PARTITIONS})
    void areCalledWhereverAnExpressionMayStand(int requestUnits) {
        ContainerRef container = filled(requestUnits);

        assertThat(all(container, "SELECT VALUE udf.twice(c.n) FROM c WHERE udf.isOdd(c.n)", 3))
                .containsExactlyInAnyOrder(
                        "2", "6", "10", "14", "18", "22", "26", "30", "34", "38");
        assertThat(all(container, "SELECT VALUE udf.twice(c.n) FROM c ORDER BY c.n", 7))
                .startsWith("0", "2", "4")
                .hasSize(20);
        assertThat(all(container, "SELECT DISTINCT VALUE udf.parity(c.n) FROM c"))
                .containsExactlyInAnyOrder("\"odd\"", "\"even\"");
        assertThat(
                        all(
                                container,
                                "SELECT udf.parity(c.n) AS p, COUNT(1) AS n FROM c GROUP BY"
                                        + " udf.parity(c.n)"))
                .containsExactlyInAnyOrder("{\"p\":\"odd\",\"n\":10}", "{\"p\":\"even\",\"n\":10}");
        assertThat(all(container, "SELECT VALUE SUM(udf.twice(c.n)) FROM c"))
                .containsExactly("380");
        assertThat(all(container, "SELECT VALUE udf.twice(21)")).containsExactly("42");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, SEVEN_PARTITIONS})
    void areCalledOverWhatIsMerged(int requestUnits) {
        ContainerRef container = filled(requestUnits);

        assertThat(all(container, "SELECT VALUE udf.twice(COUNT(1)) FROM c")).containsExactly("40");
        assertThat(
                        all(
                                container,
                                "SELECT VALUE udf.parity(COUNT(1)) FROM (SELECT DISTINCT"
                                        + " udf.parity(c.n) AS p FROM c) AS d"))
                .containsExactly("\"even\"");
    }

    /** The service documents this rule. */
    @Test
    void areNotCalledForWhatIsUndefined() {
        ContainerRef container = filled(400);

        assertThat(all(container, "SELECT udf.parity(c.few) AS p FROM c WHERE c.n IN (1, 11)"))
                .containsExactlyInAnyOrder("{\"p\":\"odd\"}", "{}");
        assertThat(all(container, "SELECT VALUE udf.nothing(c.n) FROM c")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT VALUE udf.thrice(c.n) FROM c|BAD_REQUEST|udf.thrice",
                "SELECT VALUE udf.fails(c.n) FROM c|SCRIPT_FAILED|no such luck",
                "SELECT VALUE udf.peeks(c.n) FROM c|SCRIPT_FAILED|getContext",
                "SELECT VALUE udf.fails(COUNT(1)) FROM c|SCRIPT_FAILED|no such luck"
            })
    void failuresSayWhatIsWrong(String query, ErrorCode code, String text) {
        ContainerRef container = filled(400);
        function(container, "fails", "function (x) { throw new Error('no such luck'); }");
        function(container, "peeks", "function (x) { return getContext(); }");

        OrreryException failure =
                catchThrowableOfType(OrreryException.class, () -> all(container, query));
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.text()).contains(text);
    }

    /** The index cannot know what they answer: every item is looked at, and paid for. */
    @Test
    void areChargedForEveryItemTheyLookAt() {
        ContainerRef container = filled(400);
        double byIndex = charge(container, "SELECT VALUE c.n FROM c WHERE c.n = 1");

        assertThat(charge(container, "SELECT VALUE c.n FROM c WHERE udf.twice(c.n) = 2"))
                .isGreaterThan(byIndex);
    }

    private double charge(ContainerRef container, String query) {
        return fixture.engine
                .items()
                .query(
                        EngineFixture.context(),
                        container,
                        new FeedScope.Everything(),
                        QueryCall.of(SqlStatement.parse(query, Map.of())),
                        PageRequest.FIRST)
                .charge()
                .ru();
    }

    @Test
    void whatIsReplacedIsCalledAnew() {
        ContainerRef container = filled(400);
        fixture.engine
                .resources()
                .scripts()
                .replace(
                        EngineFixture.context(),
                        container,
                        new ResourceRef.Named("twice"),
                        new ScriptDefinition(Kind.FUNCTION, "twice", "x => 'changed'"),
                        Precondition.NONE);

        assertThat(all(container, "SELECT VALUE udf.twice(c.n) FROM c WHERE c.n = 1"))
                .containsExactly("\"changed\"");
    }
}
