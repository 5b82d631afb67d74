package orrery.frontend.gremlin.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.EngineFixture;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;

/** What a request may be and take, at each limit and past it; and what is read for a part of it. */
final class LimitsTest {
    private static final int LEAVES = 2500;
    private static final long MEMORY = 1 << 20;

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static GraphClient graph;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        graph = new GraphClient(fixture, fixture.container("star", 50_000, "/pk"), MEMORY);
        graph.create("{'id':'hub','label':'hub','pk':'h'}".replace('\'', '"'));
        for (int i = 0; i < LEAVES; i++) {
            graph.create(
                    "{'id':'l%d','label':'leaf','pk':'p%d','n':[{'id':'n','_value':%d}]}"
                            .formatted(i, i % 50, i)
                            .replace('\'', '"'));
            graph.create(
                    ("{'id':'e%d','label':'to','pk':'h','_isEdge':true,'_vertexId':'hub',"
                                    + "'_vertexLabel':'hub','_sink':'l%d','_sinkLabel':'leaf',"
                                    + "'_sinkPartition':'p%d'}")
                            .formatted(i, i, i % 50)
                            .replace('\'', '"'));
        }
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static void assertFails(String script, GraphException.Fault fault) {
        assertThatThrownBy(() -> graph.results(script))
                .isInstanceOfSatisfying(
                        GraphException.class,
                        failure -> assertThat(failure.fault()).isEqualTo(fault));
    }

    @Test
    void aScriptHas64KilobytesAtMost() {
        String script = "g.inject(1) //";
        String largest = script + "x".repeat((64 << 10) - script.length());
        assertThat(graph.results(largest)).containsExactly(1);
        assertFails(largest + "x", GraphException.Fault.MALFORMED);
    }

    @Test
    void aTraversalHas400StepsAtMost() {
        String script = "g.inject(1)" + ".constant(2)".repeat(399);
        assertThat(graph.results(script)).containsExactly(2);
        assertFails(script + ".constant(2)", GraphException.Fault.LIMIT);
        assertFails("g.inject(1)" + ".union(constant(1))".repeat(200), GraphException.Fault.LIMIT);
    }

    @Test
    void aScriptIsNestedSoDeepAtMost() {
        String deep = "map(".repeat(98) + "identity()" + ")".repeat(98);
        assertThat(graph.results("g.inject(1)." + deep)).containsExactly(1);
        String deeper = "map(".repeat(100) + "identity()" + ")".repeat(100);
        assertFails("g.inject(1)." + deeper, GraphException.Fault.LIMIT);
        assertFails("g.V(" + "[".repeat(60_000), GraphException.Fault.LIMIT);
        assertFails("g.V()" + ".out()".repeat(10_000), GraphException.Fault.LIMIT);
    }

    @Test
    void aLoopGoesRound32Times() {
        assertThat(graph.results("g.inject(1).repeat(identity()).times(32)")).containsExactly(1);
        assertFails("g.inject(1).repeat(identity()).times(33)", GraphException.Fault.LIMIT);
        assertThat(graph.results("g.inject(1).repeat(identity()).until(loops().is(32))"))
                .containsExactly(1);
        assertFails(
                "g.inject(1).repeat(identity()).until(loops().is(33))", GraphException.Fault.LIMIT);
    }

    @Test
    void aPartOfManyEdgesIsReadInPages() {
        assertThat(graph.results("g.V(['h','hub']).out().limit(5)")).hasSize(5);
        assertThat(graph.calls()).isEqualTo("1 query, 1 readItem, 1 readMany");
        try (GraphRun run =
                graph.start(
                        EngineFixture.context(),
                        new GraphRequest.Script("g.V(['h','hub']).outE()", Map.of()))) {
            run.next();
            double first = run.charge();
            run.forEachRemaining(_ -> {});
            assertThat(run.charge()).isGreaterThan(2 * first);
        }
    }

    @Test
    void manyEdgesAreFollowedTogether() {
        assertThat(graph.text("g.V(['h','hub']).out().count()")).isEqualTo(LEAVES + "L");
        assertThat(graph.calls()).isEqualTo("3 query, 1 readItem");
        assertThat(graph.text("g.V(['h','hub']).out().values('n').max()"))
                .isEqualTo(Integer.toString(LEAVES - 1));
        assertThat(graph.calls()).isEqualTo("3 query, 1 readItem, 3 readMany");
        // Forty questions for the edges of 2,500 vertices.
        assertThat(graph.text("g.V(['h','hub']).out().in().dedup().id()")).isEqualTo("hub");
        assertThat(graph.calls()).matches("4[0-9] query, 1 readItem");
    }

    @Test
    void whatIsGatheredHasALimit() {
        assertFails("g.V().hasLabel('leaf').order().by('n')", GraphException.Fault.MEMORY);
        assertFails("g.V().hasLabel('leaf').fold()", GraphException.Fault.MEMORY);
        assertFails("g.V().hasLabel('leaf').group().by('n')", GraphException.Fault.MEMORY);
        assertFails(
                "g.V(['h','hub']).repeat(both()).emit().times(4).path()",
                GraphException.Fault.MEMORY);
        assertThat(graph.results("g.V().has('n',lt(100)).order().by('n')")).hasSize(100);
        assertThat(graph.results("g.V().hasLabel('leaf').group().by('pk').by(count())")).hasSize(1);
        // What is gathered for one element and gone at the next does not add up.
        assertThat(graph.results("g.V().hasLabel('leaf').map(__.in().fold().count(local))"))
                .hasSize(LEAVES);
    }

    @Test
    void aTraversalEndsWithItsTimeOrItsClient() {
        RequestContext late =
                new RequestContext(
                        UUID.randomUUID(),
                        new RequestContext.Principal.Account(false),
                        Optional.empty(),
                        Optional.empty(),
                        System.nanoTime() - 1);
        GraphRequest request = new GraphRequest.Script("g.inject(1,2)", Map.of());
        try (GraphRun run = graph.start(late, request)) {
            assertTimesOut(run);
        }
        Cancellation gone = new Cancellation();
        try (GraphRun run = graph.start(EngineFixture.context(), request)) {
            run.next();
            gone.cancel();
            gone.during(
                    () -> {
                        assertTimesOut(run);
                        return true;
                    });
        }
    }

    private static void assertTimesOut(GraphRun run) {
        assertThatThrownBy(run::hasNext)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT));
    }

    @Test
    void bytecodeAnswersWithTraversers() {
        Bytecode bytecode =
                __.V(List.of("h", "hub")).out().limit(3).label().barrier().asAdmin().getBytecode();
        List<Object> results = graph.results(new GraphRequest.Compiled(bytecode));
        assertThat(results).hasSize(1);
        assertThat(((Traverser<?>) results.getFirst()).bulk()).isEqualTo(3);
        assertThat(graph.calls()).startsWith("1 query, 1 readItem");
        assertThatThrownBy(
                        () ->
                                graph.results(
                                        new GraphRequest.Compiled(
                                                __.V()
                                                        .match(__.as("a").out().as("b"))
                                                        .asAdmin()
                                                        .getBytecode())))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("'match'");
        assertThatThrownBy(
                        () ->
                                graph.results(
                                        new GraphRequest.Compiled(
                                                __.V().map(each -> each).asAdmin().getBytecode())))
                .isInstanceOf(GraphException.class);
    }
}
