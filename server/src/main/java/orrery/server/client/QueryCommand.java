package orrery.server.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.syntax.ParameterNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a query over a container and prints its results, a page at a time. */
@Command(
        name = "query",
        header = "Runs a query over a container.",
        description = {
            "Runs a query over a container, on as many partitions as it needs, and prints its"
                    + " results as a table or, with --output json, as a JSON array with one result"
                    + " on each line.",
            "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is wrong.",
            "Example: orrery query food/items \"SELECT TOP 5 c.id, c.kcal FROM c WHERE c.kcal >"
                    + " @low ORDER BY c.kcal\" --param low=300"
        })
public final class QueryCommand extends ServerCommand {
    private static final int PAGE = 100;

    @Parameters(
            index = "0",
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Parameters(
            index = "1",
            paramLabel = "QUERY",
            description = "The text of the query, or - to read it from standard input.")
    private String text;

    @Option(
            names = "--param",
            paramLabel = "NAME=VALUE",
            description = {
                "The value of a parameter, as JSON. A value that is not JSON is taken as a string."
                        + " Repeat the option for each parameter."
            })
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--partition-key",
            paramLabel = "KEY",
            converter = PartitionKeyText.Converter.class,
            description = {
                "Only items of this partition key: a value as JSON, an array of them for a"
                        + " hierarchical key. A value that is not JSON is taken as a string."
            })
    private @Nullable PartitionKeyText partitionKey;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Print at most so many results; 0: no limit (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Option(
            names = "--explain",
            description = {
                "Also print, to standard error: the plan, the ranges it visits, the index it uses"
                        + " and what the query cost."
            })
    private boolean explain;

    @Override
    public Integer call() {
        if (limit < 0) {
            throw usage("--limit must be 0 or more.");
        }
        String query = text.equals("-") ? standardInput() : text;
        if (query.isBlank()) {
            throw usage("The query is empty.");
        }
        parameters.forEach(
                (name, value) -> {
                    if (withSign(name).length() == 1) {
                        throw usage(
                                "--param '" + name + "=" + value + "' has no name: NAME=VALUE.");
                    }
                });
        compareParameters(query);
        Value body = body(query);
        Optional<String> key = Optional.ofNullable(partitionKey).map(PartitionKeyText::header);
        QueryExplanation explanation = new QueryExplanation();
        try (SqlClient client = open()) {
            if (explain) {
                explanation.plan(client.query(place, body, planHeaders(key)).json());
            }
            run(client, body, key, explanation);
        }
        if (explain) {
            explanation.print(err());
            err().flush();
        }
        return ExitCode.OK;
    }

    /** A missing parameter is undefined for the server, and a filter on it finds nothing. */
    private void compareParameters(String query) {
        Set<String> named = ParameterNames.of(query);
        Set<String> given = new TreeSet<>();
        parameters.keySet().forEach(name -> given.add(withSign(name)));
        named.stream()
                .filter(name -> !given.contains(name))
                .forEach(
                        name ->
                                warn(
                                        "The query names "
                                                + name
                                                + ", which has no value. Pass --param "
                                                + name.substring(1)
                                                + "=VALUE."));
        given.stream()
                .filter(name -> !named.contains(name))
                .forEach(name -> warn("The query does not name the parameter " + name + "."));
    }

    private static String withSign(String name) {
        return name.startsWith("@") ? name : "@" + name;
    }

    private void run(
            SqlClient client, Value query, Optional<String> key, QueryExplanation explanation) {
        ResultTable table = new ResultTable(out());
        JsonLines lines = new JsonLines(out());
        Optional<String> continuation = Optional.empty();
        long printed = 0;
        do {
            long wanted = limit == 0 ? PAGE : Math.min(PAGE, limit - printed);
            Reply page = client.query(place, query, pageHeaders(key, continuation, wanted));
            List<Bytes> results = page.elements("Documents");
            // A whole answer may come in one page.
            List<Bytes> shown =
                    limit == 0
                            ? results
                            : results.subList(0, (int) Math.min(results.size(), limit - printed));
            if (isJson()) {
                shown.forEach(lines::print);
            } else {
                table.print(shown.stream().map(JsonText::parse).toList());
            }
            printed += shown.size();
            explanation.page(page.headers(), shown.size());
            continuation = page.continuation();
        } while (continuation.isPresent() && (limit == 0 || printed < limit) && !isClosed());
        if (isJson()) {
            lines.end();
        } else {
            table.end();
            out().println(
                            printed
                                    + (printed == 1 ? " result" : " results")
                                    + (continuation.isPresent()
                                            ? ", and there may be more: see --limit."
                                            : "."));
        }
        out().flush();
    }

    private Value body(String query) {
        List<Value> list = new ArrayList<>();
        parameters.forEach(
                (name, value) -> {
                    Map<String, Value> parameter = new LinkedHashMap<>();
                    parameter.put("name", Value.of(withSign(name)));
                    parameter.put("value", PartitionKeyText.value(value));
                    list.add(new Value.Obj(parameter));
                });
        Map<String, Value> body = new LinkedHashMap<>();
        body.put("query", Value.of(query));
        body.put("parameters", new Value.Array(list));
        return new Value.Obj(body);
    }

    private static String standardInput() {
        try {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> planHeaders(Optional<String> key) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-ms-cosmos-is-query-plan-request", "True");
        key.ifPresent(value -> headers.put("x-ms-documentdb-partitionkey", value));
        return headers;
    }

    private static Map<String, String> pageHeaders(
            Optional<String> key, Optional<String> continuation, long size) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-ms-documentdb-isquery", "True");
        headers.put("x-ms-documentdb-query-enablecrosspartition", "True");
        headers.put("x-ms-max-item-count", Long.toString(size));
        headers.put("x-ms-documentdb-populatequerymetrics", "True");
        headers.put("x-ms-cosmos-populateindexmetrics-V2", "True");
        headers.put("x-ms-orrery-charge-detail", "true");
        key.ifPresent(value -> headers.put("x-ms-documentdb-partitionkey", value));
        continuation.ifPresent(value -> headers.put("x-ms-continuation", value));
        return headers;
    }
}
