package orrery.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.OrreryException;
import orrery.model.TermRules;
import orrery.query.dialect.Effort;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.execute.PreparedQuery;
import orrery.query.sql.SqlDialect;
import orrery.query.sql.SqlStatement;

final class PreparedQueriesTest {
    private static final QuerySurroundings SURROUNDINGS =
            new QuerySurroundings(
                    InstantSource.system(),
                    Geospatial.GEOGRAPHY,
                    _ -> arguments -> arguments.getFirst(),
                    ComputedProperties.NONE);

    private final PreparedQueries queries = new PreparedQueries(new Dialects(SqlDialect.INSTANCE));

    private static EncodedQuery query(String text, Map<String, Value> parameters) {
        return SqlStatement.parse(text, parameters).encoded();
    }

    private PreparedQuery get(EncodedQuery query, boolean isPart, int container, long definition) {
        return queries.get(
                        new PreparedQueries.Key(
                                query, isPart, container, definition, TermRules.FIRST),
                        () -> SURROUNDINGS)
                .query();
    }

    @Test
    void aQueryIsMadeReadyOnceForADefinition() {
        EncodedQuery query = query("SELECT * FROM c WHERE c.a = @p", Map.of("@p", Value.of(1)));
        PreparedQuery first = get(query, false, 7, 1);
        // The same payload in other bytes, as another message has it.
        EncodedQuery again =
                new EncodedQuery(
                        query.dialect(),
                        query.version(),
                        Bytes.wrap(query.payload().unsafeArray().clone()));
        assertThat(get(again, false, 7, 1)).isSameAs(first);
        assertThat(get(query, true, 7, 1)).isNotSameAs(first);
        assertThat(get(query, false, 8, 1)).isNotSameAs(first);
        assertThat(get(query, false, 7, 2)).isNotSameAs(first);
        EncodedQuery other = query("SELECT * FROM c WHERE c.a = @p", Map.of("@p", Value.of(2)));
        assertThat(get(other, false, 7, 1)).isNotSameAs(first);
    }

    @Test
    void queriesThatDependOnTheMomentAreNotKept() {
        for (String text :
                List.of(
                        "SELECT VALUE GetCurrentTimestampStatic() FROM c",
                        "SELECT VALUE GetCurrentTimestamp() FROM c",
                        "SELECT VALUE udf.f(c.a) FROM c")) {
            EncodedQuery query = query(text, Map.of());
            assertThat(get(query, false, 7, 1)).isNotSameAs(get(query, false, 7, 1));
        }
    }

    @Test
    void anErrorIsNotKept() {
        EncodedQuery query = query("SELECT TOP @n * FROM c", Map.of());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> get(query, false, 7, 1))
                    .isInstanceOf(OrreryException.class)
                    .hasMessageContaining("TOP");
        }
    }

    @Test
    void whatWasNotAskedForLongestIsForgotten() {
        EncodedQuery query = query("SELECT * FROM c", Map.of());
        PreparedQuery first = get(query, false, 7, 1);
        // Each takes two KB at least, and there is room for 16 MB.
        for (int i = 0; i < 9000; i++) {
            get(query("SELECT @p", Map.of("@p", Value.of(i))), false, 7, 1);
        }
        assertThat(get(query, false, 7, 1)).isNotSameAs(first);
    }

    @Test
    void threadsShareAQueryAndNotItsState() throws Exception {
        PreparedQuery query =
                get(
                        query(
                                "SELECT c.g, COUNT(1) AS n, SUM(c.v) AS s FROM c WHERE c.v > 0"
                                        + " GROUP BY c.g",
                                Map.of()),
                        true,
                        7,
                        1);
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 8; i++) {
                answers.add(threads.submit(() -> gathered(query.program())));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("{\"g\":0,\"n\":999,\"s\":499500}");
            }
        }
    }

    private static String gathered(Program program) {
        ProgramRun run = program.start(new Effort());
        for (int i = 0; i < 1000; i++) {
            run.open(JsonText.parse(Bytes.ofUtf8("{\"g\":0,\"v\":" + i + "}")));
            while (run.hasNext()) {
                run.next();
                if (run.matches()) {
                    run.groups().add();
                }
            }
        }
        return JsonText.write(run.groups().results().next());
    }
}
