package orrery.server.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a query over a container and prints its results, a page at a time. */
@Command(
        name = "query",
        header = "Runs a query over a container.",
        description = {
            "Runs a query over a container, on as many partitions as it needs, and prints its"
                    + " results as a table or, with --json, one a line.",
            "Example: orrery query food/items \"SELECT TOP 5 c.id, c.price FROM c WHERE c.price >"
                    + " @low ORDER BY c.price\" --param low=3",
            "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is wrong."
        })
public final class QueryCommand implements Callable<Integer> {
    private static final int PAGE = 100;

    @Spec private CommandSpec spec;
    @Mixin private ServerOptions server = new ServerOptions();

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
                "The value of a parameter, as JSON; what is no JSON is a text. For each its own."
            })
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--partition-key",
            paramLabel = "JSON",
            description = {
                "Only items of this partition key: a value such as \"LAX\" in its quotes, or an"
                        + " array for a hierarchical key."
            })
    private @Nullable String partitionKey;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Stop after so many results, 0 for none (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Option(names = "--json", description = "Print each result as JSON, on a line of its own.")
    private boolean json;

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
            throw refused("--limit must be 0 or more.");
        }
        Value query = query();
        Optional<String> key = Optional.ofNullable(partitionKey).map(this::keyHeader);
        PrintWriter out = spec.commandLine().getOut();
        QueryExplanation explanation = new QueryExplanation();
        try (OperatorClient client = server.open()) {
            if (explain) {
                explanation.plan(client.query(place, query, planHeaders(key)).body());
            }
            run(client, query, key, out, explanation);
        }
        if (explain) {
            PrintWriter err = spec.commandLine().getErr();
            explanation.print(err);
            err.flush();
        }
        return 0;
    }

    private void run(
            OperatorClient client,
            Value query,
            Optional<String> key,
            PrintWriter out,
            QueryExplanation explanation) {
        ResultTable table = new ResultTable(out);
        Optional<String> continuation = Optional.empty();
        long printed = 0;
        do {
            long wanted = limit == 0 ? PAGE : Math.min(PAGE, limit - printed);
            OperatorClient.Reply page =
                    client.query(place, query, pageHeaders(key, continuation, wanted));
            List<Value> results = page.body().elements("Documents");
            // A whole answer may come in one page.
            List<Value> shown =
                    limit == 0
                            ? results
                            : results.subList(0, (int) Math.min(results.size(), limit - printed));
            if (json) {
                shown.forEach(result -> out.println(JsonText.write(result)));
            } else {
                table.print(shown);
            }
            printed += shown.size();
            explanation.page(page.headers(), shown.size());
            continuation = page.headers().firstValue("x-ms-continuation");
        } while (continuation.isPresent() && (limit == 0 || printed < limit));
        if (!json) {
            table.end();
            out.println(
                    printed
                            + (printed == 1 ? " result" : " results")
                            + (continuation.isPresent()
                                    ? ", and there may be more: see --limit."
                                    : "."));
        }
        out.flush();
    }

    private Value query() {
        List<Value> list = new ArrayList<>();
        parameters.forEach(
                (name, value) -> {
                    Map<String, Value> parameter = new LinkedHashMap<>();
                    parameter.put("name", Value.of(name.startsWith("@") ? name : "@" + name));
                    parameter.put("value", jsonOrText(value));
                    list.add(new Value.Obj(parameter));
                });
        Map<String, Value> body = new LinkedHashMap<>();
        body.put("query", Value.of(text.equals("-") ? standardInput() : text));
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

    private static Value jsonOrText(String value) {
        try {
            return JsonText.parse(value);
        } catch (OrreryException notJson) {
            return Value.of(value);
        }
    }

    private String keyHeader(String value) {
        try {
            Value key = JsonText.parse(value);
            return JsonText.write(key instanceof Value.Array ? key : new Value.Array(List.of(key)));
        } catch (OrreryException notJson) {
            throw refused("--partition-key is not JSON; a text goes in quotes: '\"LAX\"'.");
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

    private ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
