package orrery.query.cases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.OrreryException;

/** Reads the case files and their datasets from the class path. */
public final class QueryCases {
    private static final String ARROW = " => ";

    private QueryCases() {}

    /** The names of all case files. */
    public static List<String> files() {
        return lines("files").stream().filter(line -> !line.isBlank()).toList();
    }

    /** The items of a dataset; each has an {@code id} and the partition key {@code pk}. */
    public static List<Value> items(String dataset) {
        return lines("data/" + dataset + ".jsonl").stream()
                .filter(line -> !line.isBlank())
                .map(JsonText::parse)
                .toList();
    }

    /** The cases of one file, in its order. */
    public static List<QueryCase> read(String file) {
        Reader reader = new Reader(file);
        int number = 0;
        for (String line : lines(file + ".cases")) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                reader.take(number, line);
            }
        }
        return reader.cases;
    }

    private static List<String> lines(String name) {
        try (InputStream in = QueryCases.class.getResourceAsStream("/cases/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + name);
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the form of a failure in a case. */
    public static String describe(OrreryException failure) {
        if (failure.text().startsWith("{")
                && JsonText.parse(failure.text()) instanceof Value.Obj(Map<String, Value> body)) {
            if (body.get("errors") instanceof Value.Array(List<Value> errors)
                    && errors.getFirst() instanceof Value.Obj(Map<String, Value> error)) {
                return text(error.get("code")) + place(error.get("location"));
            }
            if (body.get("Errors") instanceof Value.Array(List<Value> errors)) {
                return text(errors.getFirst());
            }
        }
        return failure.code().status() + " " + failure.text();
    }

    private static String place(@Nullable Value location) {
        return location instanceof Value.Obj(Map<String, Value> place)
                ? " " + text(place.get("start")) + "-" + text(place.get("end"))
                : "";
    }

    private static String text(@Nullable Value value) {
        return switch (value) {
            case null -> "";
            case Value.Text(String text) -> text;
            default -> JsonText.write(value);
        };
    }

    /** One pass over the lines of a file. */
    private static final class Reader {
        private final String file;
        private final List<QueryCase> cases = new ArrayList<>();
        private String dataset = "none";
        private Optional<String> policy = Optional.empty();
        private List<ComputedProperty> computed = List.of();
        private int line;
        private String query = "";
        private Map<String, Value> parameters = new LinkedHashMap<>();
        private Optional<QueryCase.IndexUse> index = Optional.empty();

        Reader(String file) {
            this.file = file;
        }

        void take(int number, String text) {
            String[] words = text.split(" ", 2);
            String rest = words.length > 1 ? words[1] : "";
            switch (words[0]) {
                case "data" -> {
                    dataset = rest;
                    policy = Optional.empty();
                    computed = List.of();
                }
                case "policy" ->
                        policy = rest.equals("default") ? Optional.empty() : Optional.of(rest);
                case "computed" -> computed = computed(rest);
                case "query" -> {
                    line = number;
                    query = rest;
                }
                case "more" -> query += "\n" + rest;
                case "with" -> {
                    String[] pair = rest.split(" ", 2);
                    parameters.put(pair[0], JsonText.parse(pair[1]));
                }
                case "index" ->
                        index =
                                rest.equals("-")
                                        ? Optional.empty()
                                        : Optional.of(
                                                QueryCase.IndexUse.valueOf(
                                                        rest.toUpperCase(Locale.ROOT)));
                case "rows", "ordered" ->
                        finish(
                                new QueryCase.Rows(
                                        ((Value.Array) JsonText.parse(rest)).elements(),
                                        words[0].equals("ordered")));
                case "error" -> finish(new QueryCase.Failure(rest));
                case "value" -> value(number, rest);
                default -> throw new IllegalArgumentException(file + ":" + number + " " + text);
            }
        }

        /** {@code NAME = QUERY; NAME = QUERY}. */
        private static List<ComputedProperty> computed(String text) {
            return Arrays.stream(text.split("; "))
                    .filter(each -> !each.isBlank())
                    .map(each -> each.split(" = ", 2))
                    .map(pair -> new ComputedProperty(pair[0], pair[1]))
                    .toList();
        }

        /** {@code value EXPRESSION => RESULT}: the expression alone, or over the items as c. */
        private void value(int number, String text) {
            int arrow = text.lastIndexOf(ARROW);
            if (arrow < 0) {
                throw new IllegalArgumentException(file + ":" + number + " has no result");
            }
            line = number;
            query = "SELECT VALUE " + text.substring(0, arrow).strip();
            if (!dataset.equals("none")) {
                query += " FROM c";
            }
            String result = text.substring(arrow + ARROW.length()).strip();
            if (result.startsWith("error ")) {
                finish(new QueryCase.Failure(result.substring("error ".length())));
            } else {
                List<Value> rows =
                        result.equals("undefined") ? List.of() : List.of(JsonText.parse(result));
                finish(new QueryCase.Rows(rows, true));
            }
        }

        private void finish(QueryCase.Outcome expected) {
            cases.add(
                    new QueryCase(
                            file + ":" + line,
                            dataset,
                            policy,
                            computed,
                            query,
                            Map.copyOf(parameters),
                            index,
                            expected));
            parameters = new LinkedHashMap<>();
            index = Optional.empty();
        }
    }
}
