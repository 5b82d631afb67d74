package orrery.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.OrreryException;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.sql.FeedQuery;
import orrery.query.sql.PatchCondition;
import orrery.query.syntax.QueryParser;

/**
 * Runs the files in {@code queries/}. A block is some commands, a line of dashes, and one line of
 * outcome for each command; blank lines separate blocks, {@code #} begins a comment. Run with
 * {@code -Drewrite=true} to write the outcomes anew, then read the difference.
 *
 * <pre>
 * item JSON            binds the alias c
 * parameter @p JSON    gives a parameter its value
 * query TEXT           parses a query
 * feed TEXT            applies a feed query to the item
 * condition TEXT       applies a patch condition to the item
 * anything else        evaluates an expression over c
 * </pre>
 */
final class DataDrivenTest {
    private static final Path FILES = Path.of("src/test/resources/queries");
    private static final String DASHES = "----";
    private static final QuerySurroundings SURROUNDINGS =
            new QuerySurroundings(
                    InstantSource.system(),
                    Geospatial.GEOGRAPHY,
                    UserFunctions.NONE,
                    ComputedProperties.NONE);

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.filter(file -> file.toString().endsWith(".test")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void runs(Path file) throws IOException {
        List<String> expected = Files.readAllLines(file);
        List<String> actual = run(expected);
        if (Boolean.getBoolean("rewrite")) {
            Files.write(file, actual);
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    /** The same lines with the outcomes found. */
    private static List<String> run(List<String> lines) {
        Session session = new Session();
        List<String> actual = new ArrayList<>();
        List<String> outcomes = new ArrayList<>();
        boolean inOutcomes = false;
        for (String line : lines) {
            if (inOutcomes) {
                if (!line.isBlank()) {
                    continue;
                }
                actual.addAll(outcomes);
                outcomes.clear();
                inOutcomes = false;
            }
            actual.add(line);
            if (line.equals(DASHES)) {
                inOutcomes = true;
            } else if (!line.isBlank() && !line.startsWith("#")) {
                outcomes.add(session.run(line));
            }
        }
        actual.addAll(outcomes);
        return actual;
    }

    private static final class Session {
        private Value.Obj item = new Value.Obj(Map.of());
        private final Map<String, Value> parameters = new HashMap<>();

        String run(String line) {
            try {
                String[] words = line.split(" ", 2);
                return switch (words[0]) {
                    case "item" -> {
                        item = (Value.Obj) JsonText.parse(words[1]);
                        yield "ok";
                    }
                    case "parameter" -> {
                        String[] pair = words[1].split(" ", 2);
                        parameters.put(pair[0], JsonText.parse(pair[1]));
                        yield "ok";
                    }
                    case "query" -> {
                        QueryParser.query(words.length > 1 ? words[1] : "");
                        yield "ok";
                    }
                    case "feed" ->
                            FeedQuery.parse(words[1], parameters)
                                    .results(Stream.of(item), 0, 1)
                                    .rows()
                                    .stream()
                                    .map(JsonText::write)
                                    .findFirst()
                                    .orElse("no row");
                    case "condition" -> Boolean.toString(holds(words[1]));
                    default -> show(evaluate(line));
                };
            } catch (OrreryException e) {
                return e.code().status() + " " + e.text();
            }
        }

        /** A condition is evaluated as partitions have it: read from the bytes of its tree. */
        private boolean holds(String condition) {
            return PatchCondition.read(PatchCondition.parse(condition).encoded())
                    .bind(SURROUNDINGS)
                    .test(item);
        }

        private Value evaluate(String expression) {
            return new Evaluator(parameters)
                    .evaluate(
                            QueryParser.scalar(expression, Set.of("c")),
                            Bindings.of(item).with("c", item));
        }

        private static String show(Value value) {
            return switch (value) {
                case Value.Undefined _ -> "undefined";
                case Value.Real(double number) when !Double.isFinite(number) ->
                        Double.toString(number);
                default -> JsonText.write(value);
            };
        }
    }
}
