package orrery.frontend.gremlin.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import orrery.frontend.gremlin.traversal.script.Script;
import orrery.gateway.EngineFixture;

/** Traversals over containers give what TinkerPop's own graph in memory gives. */
final class RandomTraversalProperties {
    private static final int VERTICES = 14;
    private static final int EDGES = 30;
    private static final List<Long> SEEDS = List.of(1L, 2L, 3L);

    private static final Path DIRECTORY = directory();
    private static final EngineFixture FIXTURE = new EngineFixture(DIRECTORY);
    private static final List<GraphClient> STORED = new ArrayList<>();
    private static final List<GraphTraversalSource> IN_MEMORY = new ArrayList<>();

    private static Path directory() {
        try {
            return Files.createTempDirectory("graphs");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @BeforeContainer
    static void load() {
        for (long seed : SEEDS) {
            GraphClient stored =
                    new GraphClient(
                            FIXTURE,
                            FIXTURE.container("g" + seed, seed == 1 ? 400 : 50_000, "/pk"));
            GraphTraversalSource inMemory = TinkerGraph.open().traversal();
            for (String script : graph(new Random(seed))) {
                stored.results(script);
                run(inMemory, script);
            }
            STORED.add(stored);
            IN_MEMORY.add(inMemory);
        }
    }

    @AfterContainer
    static void close() throws IOException {
        FIXTURE.close();
        try (Stream<Path> all = Files.walk(DIRECTORY)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }

    private static List<String> graph(Random random) {
        List<String> scripts = new ArrayList<>();
        for (int i = 0; i < VERTICES; i++) {
            StringBuilder script =
                    new StringBuilder(
                            "g.addV('%s').property(id,'v%d').property('pk','%s')"
                                    .formatted(
                                            pick(random, "a", "b"),
                                            i,
                                            pick(random, "x", "y", "z")));
            if (random.nextInt(4) > 0) {
                script.append(".property('n',%d)".formatted(random.nextInt(6)));
            }
            for (int j = random.nextInt(3); j > 0; j--) {
                script.append(".property(list,'m',%d)".formatted(random.nextInt(6)));
            }
            if (random.nextBoolean()) {
                script.append(".property('t','%s')".formatted(pick(random, "ab", "b", "ba", "é")));
            }
            scripts.add(script.toString());
        }
        for (int i = 0; i < EDGES; i++) {
            String weight =
                    random.nextBoolean()
                            ? ".property('w',%s)".formatted(random.nextInt(8) / 2.0 + 0.25)
                            : "";
            scripts.add(
                    "g.V('v%d').addE('%s').to(__.V('v%d')).property(id,'e%d')%s"
                            .formatted(
                                    random.nextInt(VERTICES),
                                    pick(random, "k", "l"),
                                    random.nextInt(VERTICES),
                                    i,
                                    weight));
        }
        return scripts;
    }

    private static String pick(Random random, String... some) {
        return some[random.nextInt(some.length)];
    }

    private static String run(GraphTraversalSource source, String script) {
        Traversal.Admin<?, ?> traversal =
                Script.parse(script, Map.of()).statements(source, Map.of()).getFirst().traversal();
        List<Object> results = new ArrayList<>();
        traversal.forEachRemaining(results::add);
        return results.stream().map(GraphClient::text).sorted().collect(Collectors.joining(" "));
    }

    @Property
    void giveWhatTheGraphInMemoryGives(
            @ForAll("traversals") String script, @ForAll("graphs") int graph) {
        assertThat(STORED.get(graph).text(script))
                .as(script)
                .isEqualTo(run(IN_MEMORY.get(graph), script));
    }

    @Provide
    Arbitrary<Integer> graphs() {
        return Arbitraries.integers().between(0, SEEDS.size() - 1);
    }

    @Provide
    Arbitrary<String> traversals() {
        return Arbitraries.randomValue(random -> new Author(random).script());
    }

    /** Writes traversals whose results do not depend on an order. */
    private record Author(Random random) {
        String script() {
            StringBuilder script = new StringBuilder("g").append(source());
            boolean onVertices = true;
            if (random.nextInt(6) == 0) {
                script = new StringBuilder("g.E()");
                onVertices = false;
            }
            for (int i = random.nextInt(5); i > 0; i--) {
                if (onVertices) {
                    if (random.nextInt(4) == 0) {
                        script.append(
                                one(".outE(%s)", ".inE(%s)", ".bothE(%s)").formatted(label()));
                        onVertices = false;
                    } else {
                        script.append(vertexStep(2));
                    }
                } else if (random.nextBoolean()) {
                    script.append(edgeFilter());
                } else {
                    script.append(one(".inV()", ".outV()", ".bothV()"));
                    onVertices = true;
                }
            }
            String end = end(onVertices);
            // Which of several ways to a vertex is kept depends on the order.
            return script.indexOf("dedup") >= 0 && end.startsWith(".path")
                    ? script.toString()
                    : script.append(end).toString();
        }

        private String source() {
            return switch (random.nextInt(5)) {
                case 0 -> ".V('v%d')".formatted(random.nextInt(VERTICES));
                case 1 ->
                        ".V('v%d','v%d')"
                                .formatted(random.nextInt(5), 5 + random.nextInt(VERTICES - 5));
                case 2 ->
                        ".V('v%d').has('pk',%s)"
                                .formatted(random.nextInt(VERTICES), one("'x'", "within('y','z')"));
                default -> ".V()";
            };
        }

        private String vertexStep(int depth) {
            int choice = random.nextInt(depth > 0 ? 15 : 8);
            return switch (choice) {
                case 0, 1, 2 -> one(".out(%s)", ".in(%s)", ".both(%s)").formatted(label());
                case 3 -> ".hasLabel(%s)".formatted(one("'a'", "'b'", "'a','b'"));
                case 4, 5 -> {
                    String predicate = numbers();
                    // The graph in memory lets one value be above and another one below.
                    yield ".has('%s',%s)"
                            .formatted(
                                    predicate.startsWith("between") ? "n" : one("n", "m"),
                                    predicate);
                }
                case 6 -> ".has('t',%s)".formatted(texts());
                case 7 ->
                        one(
                                ".has('n')",
                                ".hasNot('n')",
                                ".dedup()",
                                ".has('pk','x')",
                                ".hasNot('m')");
                case 8 -> ".where(__%s)".formatted(vertexStep(depth - 1));
                case 9 -> ".not(__%s)".formatted(vertexStep(depth - 1));
                case 10 ->
                        ".union(__%s,__%s)".formatted(vertexStep(depth - 1), vertexStep(depth - 1));
                case 11 ->
                        ".coalesce(__%s,__%s)"
                                .formatted(vertexStep(depth - 1), vertexStep(depth - 1));
                case 12 -> ".optional(__%s)".formatted(vertexStep(depth - 1));
                case 13 ->
                        ".repeat(__%s)%s"
                                .formatted(
                                        one(
                                                ".out()",
                                                ".both('l')",
                                                ".in('k')",
                                                ".out().simplePath()"),
                                        one(".times(2)", ".times(2).emit()", ".emit().times(3)"));
                default ->
                        ".choose(__%s,__%s,__%s)"
                                .formatted(
                                        vertexStep(0),
                                        vertexStep(depth - 1),
                                        vertexStep(depth - 1));
            };
        }

        private String edgeFilter() {
            return switch (random.nextInt(4)) {
                case 0 -> ".hasLabel('%s')".formatted(one("k", "l"));
                case 1 ->
                        ".has('w',%s)".formatted(one("gt(1.0)", "0.25", "lte(2.25)", "neq(0.75)"));
                case 2 -> one(".has('w')", ".hasNot('w')", ".dedup()");
                default -> ".where(__.inV().has('n'))";
            };
        }

        private String end(boolean onVertices) {
            return switch (random.nextInt(onVertices ? 12 : 6)) {
                case 0 -> ".count()";
                case 1 -> ".id()";
                case 2 -> ".label()";
                case 3 -> ".groupCount().by(T.label)";
                case 4 -> onVertices ? ".valueMap('n','t','pk')" : ".valueMap()";
                case 5 -> ".path().by(T.id)";
                case 6 -> ".values('n')";
                case 7 -> ".group().by(T.id).by(__.out().count())";
                case 8 -> ".values('m').sum()";
                case 9 -> ".order().by(T.id).limit(3).id()";
                case 10 -> ".project('i','o').by(T.id).by(__.outE().count())";
                default -> "";
            };
        }

        private String label() {
            return one("", "'k'", "'l'", "'k','l'");
        }

        private String numbers() {
            int number = random.nextInt(6);
            return switch (random.nextInt(9)) {
                case 0 -> "gt(%d)".formatted(number);
                case 1 -> "lte(%d.0)".formatted(number);
                case 2 -> "neq(%d)".formatted(number);
                case 3 -> "between(%d,%d)".formatted(number, number + 2);
                case 4 -> "within(%d,%d)".formatted(number, number + 3);
                case 5 -> "without(%d)".formatted(number);
                case 6 -> "lt(2).or(gt(4))";
                case 7 -> "not(eq(%d))".formatted(number);
                default -> Integer.toString(number);
            };
        }

        private String texts() {
            return one(
                    "'b'",
                    "gt('b')",
                    "TextP.startingWith('b')",
                    "TextP.endingWith('b')",
                    "TextP.containing('a')",
                    "TextP.notStartingWith('b')",
                    "within('b','é')",
                    "lt('é')");
        }

        private String one(String... some) {
            return pick(random, some);
        }
    }
}
