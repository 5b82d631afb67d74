package orrery.frontend.gremlin.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import orrery.frontend.gremlin.traversal.script.Script;

/** Whatever a script is, it becomes a traversal or a failure that its author can read. */
final class ScriptProperties {
    private static final List<String> PIECES =
            List.of(
                    "g",
                    ".",
                    "V",
                    "(",
                    ")",
                    "()",
                    "E",
                    "['a','b']",
                    "'x'",
                    "\"y\"",
                    ",",
                    ";",
                    "[",
                    "]",
                    "{",
                    "}",
                    ":",
                    "store",
                    "by",
                    "as",
                    "out",
                    "in",
                    "repeat",
                    "times",
                    "until",
                    "emit",
                    "has",
                    "id",
                    "label",
                    "property",
                    "list",
                    "single",
                    "addV",
                    "addE",
                    "to",
                    "from",
                    "withStrategies",
                    "PartitionStrategy",
                    "ProjectionStrategy",
                    "build",
                    "create",
                    "IncludeSystemProperties",
                    "readPartitions",
                    "executionProfile",
                    "incr",
                    "decr",
                    "order",
                    "P",
                    "gt",
                    "within",
                    "TextP",
                    "startingWith",
                    "1",
                    "2.5",
                    "-3",
                    "1e9",
                    "NaN",
                    "null",
                    "true",
                    "__",
                    "new",
                    "next",
                    "toList",
                    "iterate",
                    "hasNext",
                    "limit",
                    "range",
                    "fold",
                    "coalesce",
                    "unfold",
                    "inject",
                    "with",
                    "known",
                    "unknown",
                    " ",
                    "\n",
                    "//",
                    "é",
                    "$",
                    "\\",
                    "'",
                    "\"",
                    "+",
                    "->",
                    "!");

    private static final Map<String, Object> BINDINGS =
            Map.of("known", List.of("a", "b"), "label", "l", "x", 1);

    @Property
    void becomeTraversalsOrFailures(@ForAll("scripts") String script) {
        try {
            assertThat(
                            Script.parse(script, BINDINGS)
                                    .statements(EmptyGraph.instance().traversal(), BINDINGS))
                    .isNotEmpty();
        } catch (GraphException refused) {
            assertThat(refused).hasMessageNotContaining("null pointer");
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    @Provide
    Arbitrary<String> scripts() {
        return Arbitraries.randomValue(
                random -> random.nextBoolean() ? pieces(random) : damaged(random));
    }

    private static String pieces(Random random) {
        StringBuilder script = new StringBuilder("g.V()");
        for (int i = random.nextInt(30); i > 0; i--) {
            script.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return script.toString();
    }

    private static String damaged(Random random) {
        List<String> parts =
                new ArrayList<>(
                        List.of(
                                "g",
                                ".withStrategies(",
                                "PartitionStrategy.build()",
                                ".partitionKey('pk')",
                                ".readPartitions('a','b')",
                                ".create()",
                                ")",
                                ".V(",
                                "['a','b']",
                                ")",
                                ".has('n',P.gt(5))",
                                ".store('x')",
                                ".by(",
                                "out()",
                                ".count()",
                                ")",
                                ".repeat(",
                                "g.V()",
                                ".out()",
                                ")",
                                ".times(3)",
                                ".order()",
                                ".by('n',decr)",
                                ".property(list,'t','a')",
                                ".executionProfile()"));
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(parts.size());
            switch (random.nextInt(3)) {
                case 0 -> parts.remove(at);
                case 1 -> parts.add(at, PIECES.get(random.nextInt(PIECES.size())));
                default -> parts.set(at, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return String.join("", parts);
    }
}
