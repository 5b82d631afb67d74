package orrery.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Creates a database or a container. */
@Command(
        name = "create",
        header = "Creates a database or a container.",
        description = {
            "Creates a database, or a container in a database that is there. A throughput given"
                    + " with a database is shared by its containers.",
            "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is wrong.",
            "Example: orrery create food/items --partition-key-path /foodGroup --throughput 18000"
        })
public final class CreateCommand extends ServerCommand {
    @Parameters(
            paramLabel = "DB[/CONTAINER]",
            converter = Place.OfEither.class,
            description = "What to create.")
    private Place place;

    @Option(
            names = {"--partition-key-path", "-p"},
            paramLabel = "PATH",
            arity = "1..*",
            parameterConsumer = Paths.class,
            description = {
                "The path of the partition key, as /deviceId; several make a hierarchical key:"
                        + " /tenant /user. A container needs it."
            })
    private List<String> partitionKeyPaths = new ArrayList<>();

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private ThroughputOptions throughput = new ThroughputOptions();

    @Option(
            names = "--idx",
            paramLabel = "JSON|@FILE",
            converter = JsonArgument.class,
            description = "The indexing policy (default: every path is indexed).")
    private @Nullable Value indexingPolicy;

    @Option(
            names = "--ttl",
            paramLabel = "SECONDS",
            description = "Items expire so long after their last change; -1: those that say when.")
    private @Nullable Integer timeToLive;

    @Option(
            names = {"--unique-key-policy", "-u"},
            paramLabel = "JSON|@FILE",
            converter = JsonArgument.class,
            description = "As {\"uniqueKeys\":[{\"paths\":[\"/email\"]}]}.")
    private @Nullable Value uniqueKeyPolicy;

    @Option(
            names = {"--conflict-resolution-policy", "-c"},
            paramLabel = "JSON|@FILE",
            converter = JsonArgument.class,
            description = "As {\"mode\":\"lastWriterWins\",\"conflictResolutionPath\":\"/_ts\"}.")
    private @Nullable Value conflictResolutionPolicy;

    @Option(names = "--if-not-exists", description = "Leave it as it is where it is there already.")
    private boolean ifNotExists;

    @Override
    public Integer call() {
        boolean isContainer = place.container().isPresent();
        if (!isContainer && hasContainerOptions()) {
            throw usage(
                    "Only a container has a key, a policy or a time to live: name it as"
                            + " DB/CONTAINER.");
        }
        if (isContainer && partitionKeyPaths.isEmpty()) {
            throw usage("A container needs --partition-key-path, as /deviceId.");
        }
        try (SqlClient client = open()) {
            return create(client);
        }
    }

    private int create(SqlClient client) {
        try {
            Answer created =
                    client.create(
                            place,
                            place.container().map(this::container).orElseGet(this::database),
                            throughput.headers());
            print(created.json(), place + " is created.");
            return ExitCode.OK;
        } catch (RefusedException refused) {
            return explain(client, refused);
        }
    }

    private int explain(SqlClient client, RefusedException refused) {
        if (refused.status() == 409) {
            if (!ifNotExists) {
                throw new ClientException(
                        place
                                + " is there already. Pass --if-not-exists to leave it as it is, or"
                                + " remove it with "
                                + Hint.of("delete " + place)
                                + ".");
            }
            Answer present = client.read(place);
            warnOfOtherKey(present);
            print(present.json(), place + " is there already.");
            return ExitCode.OK;
        }
        if (refused.status() == 404) {
            throw new ClientException(
                    "There is no database '"
                            + place.database()
                            + "'. Create it first: orrery create "
                            + place.parent());
        }
        throw refused;
    }

    private void warnOfOtherKey(Answer present) {
        Optional<List<Value>> paths =
                present.find("partitionKey")
                        .map(key -> present.object("partitionKey"))
                        .map(key -> key.elements("paths"));
        List<Value> wanted = partitionKeyPaths.stream().map(Value::of).toList();
        if (place.container().isPresent() && !paths.equals(Optional.of(wanted))) {
            warn(
                    place
                            + " has another partition key: "
                            + paths.map(Value.Array::new).map(JsonText::write).orElse("none")
                            + ".");
        }
    }

    private boolean hasContainerOptions() {
        return !partitionKeyPaths.isEmpty()
                || indexingPolicy != null
                || timeToLive != null
                || uniqueKeyPolicy != null
                || conflictResolutionPolicy != null;
    }

    private Value database() {
        return new Value.Obj(Map.of("id", Value.of(place.database())));
    }

    private Value container(String name) {
        Map<String, Value> body = new LinkedHashMap<>();
        body.put("id", Value.of(name));
        body.put("partitionKey", partitionKey(partitionKeyPaths));
        put(body, "indexingPolicy", indexingPolicy);
        put(body, "uniqueKeyPolicy", uniqueKeyPolicy);
        put(body, "conflictResolutionPolicy", conflictResolutionPolicy);
        put(body, "defaultTtl", timeToLive == null ? null : Value.of((long) timeToLive));
        return new Value.Obj(body);
    }

    private static void put(Map<String, Value> body, String name, @Nullable Value value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    /** Several paths make a hierarchical key. The second hash version takes keys of any length. */
    public static Value partitionKey(List<String> paths) {
        Map<String, Value> key = new LinkedHashMap<>();
        key.put("paths", new Value.Array(paths.stream().map(Value::of).toList()));
        key.put("kind", Value.of(paths.size() > 1 ? "MultiHash" : "Hash"));
        key.put("version", Value.of(2));
        return new Value.Obj(key);
    }

    /** Takes what begins with a slash, so that the name of a container may follow. */
    static final class Paths implements IParameterConsumer {
        @Override
        @SuppressWarnings("JdkObsolete") // picocli hands the arguments over in it
        public void consumeParameters(Stack<String> arguments, ArgSpec argument, CommandSpec spec) {
            List<String> paths = new ArrayList<>(argument.<List<String>>getValue());
            int before = paths.size();
            while (!arguments.isEmpty() && arguments.peek().startsWith("/")) {
                paths.add(arguments.pop());
            }
            if (paths.size() == before) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--partition-key-path takes a path that begins with a slash, as"
                                + " /deviceId.");
            }
            argument.setValue(paths);
        }
    }
}
