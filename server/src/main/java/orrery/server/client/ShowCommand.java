package orrery.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows all there is to know about a database, a container or an item. */
@Command(
        name = "show",
        header = "Shows a database, a container or an item.",
        description = {
            "Shows all there is to know about a database or a container: definition, throughput,"
                    + " what it holds. With --id and --partition-key it shows one item.",
            "Exit code 0, 1 when it is not there or the server refuses or does not answer, 2 when"
                    + " an option is wrong.",
            "Example: orrery show devices/telemetry --id XMS-001-FE24C --partition-key XMS-0001"
        })
public final class ShowCommand extends ServerCommand {
    @Parameters(
            paramLabel = "DB[/CONTAINER]",
            converter = Place.OfEither.class,
            description = "The database or container.")
    private Place place;

    @Option(names = "--id", paramLabel = "ID", description = "The id of an item.")
    private @Nullable String id;

    @Option(
            names = "--partition-key",
            paramLabel = "KEY",
            converter = PartitionKeyText.Converter.class,
            description = {
                "The partition key of the item: a value as JSON, an array of them for a"
                        + " hierarchical key. A value that is not JSON is taken as a string."
            })
    private @Nullable PartitionKeyText partitionKey;

    @Override
    public Integer call() {
        if ((id == null) != (partitionKey == null)) {
            throw usage("--id and --partition-key go together.");
        }
        if (id != null && place.container().isEmpty()) {
            throw usage("An item lies in a container: name it as DB/CONTAINER.");
        }
        try (SqlClient client = open()) {
            if (id != null && partitionKey != null) {
                Reply item = client.item(place, id, partitionKey);
                show(item.json().json(), OneLine.of(item.body()).toUtf8());
            } else {
                Value.Obj json = place.container().isEmpty() ? database(client) : container(client);
                show(json, JsonText.write(json));
            }
        }
        return ExitCode.OK;
    }

    private void show(Value.Obj json, String text) {
        if (isJson()) {
            out().println(text);
        } else {
            TextTable table = new TextTable("property", "value");
            json.properties().forEach((name, value) -> table.add(name, TextTable.cell(value)));
            out().println(table);
        }
        out().flush();
    }

    private Value.Obj database(SqlClient client) {
        Map<String, Value> json = new LinkedHashMap<>(client.read(place).json().properties());
        throughput(client.operator(), place)
                .ifPresent(answer -> json.put("throughput", answer.json()));
        List<Value> containers = new ArrayList<>();
        client.containers(place).forEach(each -> containers.add(each.value("id")));
        json.put("containers", new Value.Array(containers));
        return new Value.Obj(json);
    }

    private Value.Obj container(SqlClient client) {
        return ContainerSummary.of(client, place, client.read(place)).json();
    }

    /** The throughput of a database; the server refuses to tell where it has none of its own. */
    static Optional<Answer> throughput(OperatorClient client, Place place) {
        try {
            return Optional.of(client.get(place, "throughput"));
        } catch (RefusedException refused) {
            if (refused.status() == 400 || refused.status() == 404) {
                return Optional.empty();
            }
            throw refused;
        }
    }
}
