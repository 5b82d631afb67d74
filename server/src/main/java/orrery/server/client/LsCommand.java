package orrery.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.PropertyPath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists what is in an account, a database or a container. */
@Command(
        name = "ls",
        header = "Lists databases, containers or items.",
        description = {
            "Lists the databases; the containers of a database with their keys, throughput,"
                    + " partitions, items and bytes of items and index; or the first items of a"
                    + " container, in the order of their hashed keys.",
            "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is wrong.",
            "Example: orrery ls food"
        })
public final class LsCommand extends ServerCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "DB[/CONTAINER]",
            converter = Place.OfEither.class,
            description = "The database or container (default: all databases).")
    private @Nullable Place place;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "List at most so many items, 1 or more (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw usage("--limit must be 1 or more.");
        }
        try (SqlClient client = open()) {
            if (place == null) {
                databases(client);
            } else if (place.container().isEmpty()) {
                containers(client, place);
            } else {
                items(client, place);
            }
        }
        return ExitCode.OK;
    }

    private void databases(SqlClient client) {
        List<Value> json = new ArrayList<>();
        TextTable table = new TextTable("database", "throughput", "containers");
        for (Answer database : client.databases()) {
            Place each = Place.ofDatabase(database.text("id"));
            Optional<Answer> throughput = ShowCommand.throughput(client.operator(), each);
            int containers = client.containers(each).size();
            Map<String, Value> line = new LinkedHashMap<>(database.json().properties());
            throughput.ifPresent(answer -> line.put("throughput", answer.json()));
            line.put("containers", Value.of((long) containers));
            json.add(new Value.Obj(line));
            table.add(
                    each.database(),
                    throughput.map(ThroughputCommand::describe).orElse("-"),
                    Integer.toString(containers));
        }
        print(
                new Value.Array(json),
                json.isEmpty() ? "There is no database yet: orrery create DB" : table.toString());
    }

    private void containers(SqlClient client, Place database) {
        List<ContainerSummary> all = new ArrayList<>();
        for (Answer definition : client.containers(database)) {
            all.add(
                    ContainerSummary.of(
                            client, database.withContainer(definition.text("id")), definition));
        }
        TextTable table =
                new TextTable("container", "key", "throughput", "partitions", "items", "bytes");
        all.forEach(each -> table.add(each.cells().toArray(String[]::new)));
        print(
                new Value.Array(all.stream().<Value>map(ContainerSummary::json).toList()),
                all.isEmpty()
                        ? "There is no container in "
                                + database
                                + " yet: orrery create "
                                + database
                                + "/CONTAINER --partition-key-path /PATH"
                        : table.toString());
    }

    private void items(SqlClient client, Place container) {
        List<PropertyPath> paths = paths(client.read(container));
        Reply page = client.items(container, limit, Optional.empty());
        List<Bytes> items = page.elements("Documents");
        // A page may end early, with its partition.
        while (items.size() < limit && page.continuation().isPresent()) {
            page = client.items(container, limit - items.size(), page.continuation());
            items = new ArrayList<>(items);
            items.addAll(page.elements("Documents"));
        }
        List<String> columns = new ArrayList<>(List.of("id"));
        paths.stream().map(PropertyPath::toString).forEach(columns::add);
        TextTable table = new TextTable(columns.toArray(String[]::new));
        List<Value> json = new ArrayList<>();
        for (Bytes item : items) {
            Value parsed = JsonText.parse(item);
            List<Value> key = paths.stream().map(path -> at(parsed, path)).toList();
            String id = TextTable.cell(at(parsed, new PropertyPath(List.of("id"))));
            List<String> cells = new ArrayList<>(List.of(id));
            key.stream().map(TextTable::cell).forEach(cells::add);
            table.add(cells.toArray(String[]::new));
            Map<String, Value> line = new LinkedHashMap<>();
            line.put("id", Value.of(id));
            line.put("partitionKey", new Value.Array(key));
            json.add(new Value.Obj(line));
        }
        print(
                new Value.Array(json),
                items.isEmpty() ? container + " holds no items." : table.toString());
        if (page.continuation().isPresent()) {
            warn(
                    "There may be more. --limit shows more of them, %s finds some and %s writes them all."
                            .formatted(Hint.of("query"), Hint.of("export")));
        }
    }

    private static List<PropertyPath> paths(Answer definition) {
        return definition.find("partitionKey").isEmpty()
                ? List.of()
                : definition.object("partitionKey").elements("paths").stream()
                        .map(path -> PropertyPath.parse(TextTable.cell(path)))
                        .toList();
    }

    private static Value at(Value item, PropertyPath path) {
        Value value = item;
        for (String segment : path.segments()) {
            value =
                    value instanceof Value.Obj(Map<String, Value> properties)
                            ? properties.getOrDefault(segment, Value.Undefined.UNDEFINED)
                            : Value.Undefined.UNDEFINED;
        }
        return value;
    }
}
