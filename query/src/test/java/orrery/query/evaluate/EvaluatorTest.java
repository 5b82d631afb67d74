package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.OrreryException;
import orrery.query.syntax.QueryParser;
import orrery.query.syntax.Scalar;

final class EvaluatorTest {
    /** A second later each time it is asked. */
    private static InstantSource ticking() {
        AtomicLong seconds = new AtomicLong();
        return () -> Instant.ofEpochSecond(seconds.getAndIncrement());
    }

    @Test
    void looksAtTheClockForEachRow() {
        Expression now =
                new Evaluator(Map.of(), ticking())
                        .compile(QueryParser.scalar("GETCURRENTTIMESTAMP()", Set.of()));
        assertThat(now.evaluate(Bindings.empty())).isEqualTo(Value.of(1000));
        assertThat(now.evaluate(Bindings.empty())).isEqualTo(Value.of(2000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GETCURRENTTIMESTAMPSTATIC()|0",
                "GETCURRENTTICKSSTATIC()|0",
                "GETCURRENTDATETIMESTATIC()|\"1970-01-01T00:00:00.0000000Z\""
            })
    void looksAtTheClockOnceForStaticFunctions(String text, String expected) {
        Expression now =
                new Evaluator(Map.of(), ticking()).compile(QueryParser.scalar(text, Set.of()));
        for (int i = 0; i < 3; i++) {
            assertThat(JsonText.write(now.evaluate(Bindings.empty()))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOW('dd', 1)|\"2024-03-01T12:00:00.0000000Z\"",
                "AGO('yyyy', 1)|\"2023-02-28T12:00:00.0000000Z\"",
                "NOW()|\"2024-02-29T12:00:00.0000000Z\""
            })
    void addsToTheCurrentTime(String text, String expected) {
        InstantSource clock = InstantSource.fixed(Instant.parse("2024-02-29T12:00:00Z"));
        Value value =
                new Evaluator(Map.of(), clock)
                        .evaluate(QueryParser.scalar(text, Set.of()), Bindings.empty());
        assertThat(JsonText.write(value)).isEqualTo(expected);
    }

    @Test
    void drawsANewNumberForEachRow() {
        Expression random = new Evaluator(Map.of()).compile(QueryParser.scalar("RAND()", Set.of()));
        Value first = random.evaluate(Bindings.empty());
        boolean hasChanged = false;
        for (int i = 0; i < 100; i++) {
            hasChanged |= !random.evaluate(Bindings.empty()).equals(first);
        }
        assertThat(hasChanged).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ST_DISTANCE(@origin, {'type':'Point','coordinates':[300,400]})|500",
                "ST_DISTANCE(@origin, {'type':'LineString','coordinates':[[-1,2],[1,2]]})|2",
                "ST_DISTANCE(@square, {'type':'Point','coordinates':[5,5]})|0",
                "ST_AREA(@square)|100",
                "ST_AREA({'type':'Polygon','coordinates':[[[0,0],[0,2],[2,2],[2,0],[0,0]]]})|4",
                "ST_AREA(@origin)|0",
                "ST_WITHIN({'type':'Point','coordinates':[5,5]}, @square)|true",
                "ST_WITHIN({'type':'Point','coordinates':[50,5]}, @square)|false",
                "ST_INTERSECTS(@origin, @square)|true",
                "ST_INTERSECTS({'type':'Point','coordinates':[-1,0]}, @square)|false",
                "ST_ISVALID({'type':'Point','coordinates':[1000,1000]})|true",
                "ST_ISVALID({'type':'Polygon','coordinates':[[[0,0],[1,1],[1,0],[0,1],[0,0]]]})"
                        + "|false",
                "ST_ISVALIDDETAILED({'type':'Polygon','coordinates':[[[0,0],[1,1],[1,0],[0,1],"
                        + "[0,0]]]}).reason|\"Self-intersection.\""
            })
    void measuresOnAPlane(String text, String expected) {
        Map<String, Value> shapes =
                Map.of(
                        "@origin",
                        JsonText.parse("{\"type\":\"Point\",\"coordinates\":[0,0]}"),
                        "@square",
                        JsonText.parse(
                                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}"));
        Evaluator evaluator = new Evaluator(shapes, InstantSource.system(), Geospatial.GEOMETRY);
        Value value =
                evaluator.evaluate(
                        QueryParser.scalar(text.replace('\'', '"'), Set.of()), Bindings.empty());
        assertThat(JsonText.write(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "udf.twice(21)|42",
                "udf.twice(udf.twice(1))|4",
                "ARRAY(SELECT VALUE udf.twice(x) FROM x IN (SELECT VALUE [1, 2]))|[2,4]",
                "udf.twice(undefined) ?? 'not called'|\"not called\"",
                "udf.twice(1) IN (2)|true"
            })
    void callsFunctionsOfUsers(String text, String expected) {
        Value value =
                new Evaluator(Map.of(), Geospatial.GEOGRAPHY, EvaluatorTest::find)
                        .evaluate(
                                QueryParser.scalar(text.replace('\'', '"'), Set.of()),
                                Bindings.empty());
        assertThat(JsonText.write(value)).isEqualTo(expected);
    }

    /** Such a query can never run, so it fails before it looks at an item. */
    @Test
    void unknownFunctionsOfUsersAreRefused() {
        Evaluator evaluator = new Evaluator(Map.of(), Geospatial.GEOGRAPHY, EvaluatorTest::find);
        Scalar call = QueryParser.scalar("false AND udf.thrice(1)", Set.of());

        assertThatThrownBy(() -> evaluator.compile(call))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("udf.thrice");
    }

    private static Function<List<Value>, Value> find(String name) {
        if (!name.equals("twice")) {
            throw UserFunctions.unknown(name);
        }
        return arguments ->
                arguments.getFirst() instanceof Value.Int(long number)
                        ? Value.of(2 * number)
                        : Value.Undefined.UNDEFINED;
    }
}
