package orrery.frontend.gremlin.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import orrery.gateway.EngineFixture;

/** Scripts that read, on a graph in one partition, one in five, and one without a key. */
final class TraversalTest {
    private static final List<String> PEOPLE =
            List.of(
                    "addV('person').property('id','marko').property('pk','a')"
                            + ".property('age',29).property('city','Oslo')",
                    "addV('person').property('id','vadas').property('pk','b').property('age',27)",
                    "addV('person').property('id','josh').property('pk','a')"
                            + ".property('age',32).property('city','Bergen')",
                    "addV('person').property('id','peter').property('pk','c').property('age',35)",
                    "addV('software').property('id','lop').property('pk','x')"
                            + ".property('lang','java').property(list,'tag',3).property(list,'tag',9)",
                    "addV('software').property('id','ripple').property('pk','y').property('lang','java')");

    private static final List<String> TIES =
            List.of(
                    "V('marko').addE('knows').to(g.V('vadas')).property('id','mv').property('weight',0.5)",
                    "V('marko').addE('knows').to(g.V('josh')).property('id','mj').property('weight',1.0)",
                    "V('marko').addE('created').to(g.V('lop')).property('id','ml').property('weight',0.4)",
                    "V('josh').addE('created').to(g.V('ripple')).property('id','jr').property('weight',1.0)",
                    "V('josh').addE('created').to(g.V('lop')).property('id','jl').property('weight',0.4)",
                    "V('peter').addE('created').to(g.V('lop')).property('id','pl').property('weight',0.2)");

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static List<GraphClient> graphs;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        graphs =
                List.of(
                        new GraphClient(fixture, fixture.container("one", 400, "/pk")),
                        new GraphClient(fixture, fixture.container("five", 50_000, "/pk")));
        for (GraphClient graph : graphs) {
            PEOPLE.forEach(step -> graph.results("g." + step));
            TIES.forEach(step -> graph.results("g." + step));
        }
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/orrery/frontend/gremlin/traversal/reads.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void readsWhatIsThere(String script, String expected, String calls) {
        for (GraphClient graph : graphs) {
            assertThat(graph.text(script)).as(script).isEqualTo(expected == null ? "" : expected);
            if (calls != null) {
                assertThat(graph.calls()).as(script).isEqualTo(calls);
            }
        }
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/orrery/frontend/gremlin/traversal/refusals.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void refusesWhatIsWrong(String script, GraphException.Fault fault, String message) {
        assertThatThrownBy(() -> graphs.getFirst().results(script))
                .as(script)
                .isInstanceOfSatisfying(
                        GraphException.class,
                        failure -> {
                            assertThat(failure.fault()).isEqualTo(fault);
                            assertThat(failure).hasMessageContaining(message);
                        });
    }
}
