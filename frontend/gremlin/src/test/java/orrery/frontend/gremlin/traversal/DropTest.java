package orrery.frontend.gremlin.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.EngineFixture;

/** A drop() of a vertex with more edges than one batch, which ends after each of its writes. */
final class DropTest {
    private static final int LEAVES = 120;

    @TempDir private Path directory;

    @Test
    void leavesNoEdgeWithoutItsEndsWhereverItEnds() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            GraphClient graph = new GraphClient(fixture, fixture.container("five", 50_000, "/pk"));
            for (int writes = 0; writes < 4; writes++) {
                load(graph);
                graph.failAfter("batch", writes);
                if (writes == 3) {
                    // Two batches of edges and one of the vertex.
                    graph.results("g.V(['h','hub']).drop()");
                } else {
                    assertThatThrownBy(() -> graph.results("g.V(['h','hub']).drop()"))
                            .hasMessage("ended by the test");
                }
                graph.failAfter("batch", Integer.MAX_VALUE);
                assertThat(graph.text("g.V(['h','hub']).count()"))
                        .isEqualTo(writes == 3 ? "0L" : "1L");
                assertThat(graph.sql("SELECT VALUE COUNT(1) FROM c WHERE c._isEdge"))
                        .containsExactly(
                                switch (writes) {
                                    case 0 -> "" + LEAVES;
                                    case 1 -> "" + (LEAVES - 100);
                                    default -> "0";
                                });
                graph.results("g.V().drop()");
                assertThat(graph.sql("SELECT VALUE COUNT(1) FROM c")).containsExactly("0");
            }
        }
    }

    private static void load(GraphClient graph) {
        graph.create("{'id':'hub','label':'hub','pk':'h'}".replace('\'', '"'));
        for (int i = 0; i < LEAVES; i++) {
            graph.create(
                    "{'id':'l%d','label':'leaf','pk':'p%d'}"
                            .formatted(i, i % 7)
                            .replace('\'', '"'));
            boolean isOut = i % 2 == 0;
            graph.create(
                    ("{'id':'e%d','label':'to','pk':'%s','_isEdge':true,'_vertexId':'%s','_sink':'%s',"
                                    + "'_sinkPartition':'%s'}")
                            .formatted(
                                    i,
                                    isOut ? "h" : "p" + i % 7,
                                    isOut ? "hub" : "l" + i,
                                    isOut ? "l" + i : "hub",
                                    isOut ? "p" + i % 7 : "h")
                            .replace('\'', '"'));
        }
    }
}
