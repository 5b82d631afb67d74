package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.dialect.Effort;
import orrery.query.dialect.RowWatcher;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

final class RowsTest {
    private static final Value HUGE =
            new Value.Obj(Map.of("a", new Value.Array(Collections.nCopies(100_000, Value.of(1)))));

    @Test
    void makesRowsOneByOne() {
        // Ten thousand million rows, of which three are looked at.
        Query query = QueryParser.query("SELECT VALUE 1 FROM c JOIN x IN c.a JOIN y IN c.a");
        Rows rows = new Rows(new Evaluator(Map.of()), query.from(), query.where());
        Iterator<Bindings> all = rows.of(HUGE);
        for (int i = 0; i < 3; i++) {
            assertThat(all.hasNext()).isTrue();
            Bindings row = all.next();
            assertThat(row.get("y")).isEqualTo(Value.of(1));
            assertThat(rows.accepts(row)).isTrue();
        }
    }

    @Test
    void givesRowsThatTheFilterRefuses() {
        Query query = QueryParser.query("SELECT VALUE 1 FROM x IN c.a WHERE x > 1");
        Rows rows = new Rows(new Evaluator(Map.of()), query.from(), query.where());
        Iterator<Bindings> all = rows.of(HUGE);
        assertThat(all.hasNext()).isTrue();
        assertThat(rows.accepts(all.next())).isFalse();
    }

    @Test
    void pausesWhileARowTakesLong() {
        Query query =
                QueryParser.query(
                        "SELECT VALUE 1 FROM c WHERE (SELECT VALUE COUNT(1) FROM x IN c.a) > 1");
        Rows rows = new Rows(new Evaluator(Map.of()), query.from(), query.where());
        AtomicInteger pauses = new AtomicInteger();
        Effort effort = new Effort();
        effort.watchedBy(watcher(pauses));
        Bindings row = rows.of(HUGE, effort).next();
        assertThat(pauses.get()).isZero();
        assertThat(rows.accepts(row)).isTrue();
        // A hundred thousand rows of 500 and more steps, and a pause each million.
        assertThat(pauses.get()).isBetween(45, 60);
    }

    private static RowWatcher watcher(AtomicInteger pauses) {
        return new RowWatcher() {
            @Override
            public void pause() {
                pauses.incrementAndGet();
            }

            @Override
            public void holds(long bytes) {}
        };
    }

    /** A term takes some twenty steps, and each item takes all terms. */
    @Test
    void pausesBetweenItemsThatTakeLongTogether() {
        Query query =
                QueryParser.query("SELECT * FROM c WHERE c.a = 1" + " OR c.a = 1".repeat(9_999));
        Rows rows = new Rows(new Evaluator(Map.of()), query.from(), query.where());
        AtomicInteger pauses = new AtomicInteger();
        Effort effort = new Effort();
        effort.watchedBy(watcher(pauses));
        for (int i = 0; i < 60; i++) {
            Iterator<Bindings> all = rows.of(new Value.Obj(Map.of("a", Value.of(2))), effort);
            assertThat(rows.accepts(all.next())).isFalse();
        }
        assertThat(effort.steps()).isEqualTo(60 * 10_000 * 20);
        assertThat(pauses.get()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c.a = 2 OR c.b OR c.b",
                "c.a != 2 AND c.b AND c.b",
                "c.a ?? c.b ?? c.b",
                "c.a IN (2, c.b, c.b)"
            })
    void countsNoOperandThatWasNotNeeded(String filter) {
        Query query = QueryParser.query("SELECT * FROM c WHERE " + filter);
        Rows rows = new Rows(new Evaluator(Map.of()), query.from(), query.where());
        Effort effort = new Effort();
        Bindings row = rows.of(new Value.Obj(Map.of("a", Value.of(2))), effort).next();
        rows.accepts(row);
        assertThat(effort.steps()).isEqualTo(20);
    }

    @Test
    void endsLoopsThatLeadToNoRow() {
        Query query =
                QueryParser.query(
                        "SELECT VALUE 1 FROM c JOIN x IN c.a JOIN y IN c.a"
                                + " JOIN z IN ARRAY_SLICE(c.a, 0, 0)");
        Rows rows = new Rows(new Evaluator(Map.of()), query.from(), query.where());
        Iterator<Bindings> all = rows.of(HUGE);
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(all::hasNext)
                .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXISTS(SELECT VALUE 1 FROM x IN c.a JOIN y IN c.a WHERE x != y)",
                "(SELECT VALUE COUNT(1) FROM x IN c.a JOIN y IN c.a JOIN z IN c.a)",
                "ARRAY(SELECT VALUE x FROM x IN c.a JOIN y IN c.a)",
                "ARRAY(SELECT VALUE {a: x, b: y} FROM x IN c.a JOIN y IN c.a)",
                "EXISTS(SELECT VALUE 1 FROM (SELECT x, COUNT(1) FROM x IN c.a JOIN y IN c.a GROUP BY"
                        + " x) AS g)",
                "(SELECT VALUE MAKELIST({}) FROM x IN c.a JOIN y IN c.a)",
                "LAST(SELECT VALUE x FROM x IN c.a JOIN y IN c.a)",
                "ALL(SELECT VALUE x FROM x IN c.a JOIN y IN c.a WHERE x = y)",
                "(SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE x FROM x IN c.a JOIN y IN c.a)"
                        + " AS d)",
                "EXISTS(SELECT VALUE 1 FROM x IN c.a WHERE EXISTS(SELECT VALUE 1 FROM y IN c.a"
                        + " WHERE y > x))"
            })
    void endsSubqueriesThatMakeTooManyRows(String expression) {
        Bindings row = Bindings.of(HUGE).with("c", HUGE);
        Expression compiled =
                new Evaluator(Map.of()).compile(QueryParser.scalar(expression, Set.of("c")));
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> compiled.evaluate(row))
                .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
        assertThat(row.innerRows()).isGreaterThan(100_000);
    }

    @Test
    void stopsASubqueryAsSoonAsItKnows() {
        Bindings row = Bindings.of(HUGE).with("c", HUGE);
        Expression exists =
                new Evaluator(Map.of())
                        .compile(
                                QueryParser.scalar(
                                        "EXISTS(SELECT VALUE 1 FROM x IN c.a JOIN y IN c.a)",
                                        Set.of("c")));
        assertThat(exists.evaluate(row)).isEqualTo(Value.of(true));
        assertThat(row.innerRows()).isEqualTo(1);
    }

    @Test
    void countsTheRowsOfEachItemAnew() {
        Expression count =
                new Evaluator(Map.of())
                        .compile(
                                QueryParser.scalar(
                                        "(SELECT VALUE COUNT(1) FROM x IN c.a)", Set.of("c")));
        for (int i = 0; i < 3; i++) {
            Bindings row = Bindings.of(HUGE).with("c", HUGE);
            assertThat(count.evaluate(row)).isEqualTo(Value.of(100_000));
            assertThat(row.innerRows()).isEqualTo(100_000);
        }
    }
}
