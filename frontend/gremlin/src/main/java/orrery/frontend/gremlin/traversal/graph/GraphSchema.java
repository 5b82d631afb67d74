package orrery.frontend.gremlin.traversal.graph;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.resource.Container;

/**
 * The names that the items of a graph have for what a graph knows.
 *
 * @param partitionKey the property that every vertex has; absent in a container without a key,
 *     where ids alone name elements
 */
public record GraphSchema(Optional<String> partitionKey) {
    public static final String ID = "id";
    public static final String LABEL = "label";
    static final String TTL = "ttl";
    static final String IS_EDGE = "_isEdge";
    static final String SOURCE = "_vertexId";
    static final String SOURCE_LABEL = "_vertexLabel";
    static final String SINK = "_sink";
    static final String SINK_LABEL = "_sinkLabel";
    static final String SINK_PARTITION = "_sinkPartition";
    static final String ETAG = "_etag";

    /** In an element of a property's array. */
    static final String VALUE = "_value";

    /** The properties of a property, in an element of its array. */
    static final String META = "_meta";

    /** The properties of edges that name their ends in an answer that asks for them. */
    static final String IN_PARTITION = "inVPartition";

    static final String OUT_PARTITION = "outVPartition";

    private static final Set<String> OF_THE_SERVICE =
            Set.of(ETAG, "_ts", "_rid", "_self", "_attachments");

    private static final Set<String> RESERVED =
            Set.of(
                    ID,
                    LABEL,
                    IS_EDGE,
                    SOURCE,
                    SOURCE_LABEL,
                    SINK,
                    SINK_LABEL,
                    SINK_PARTITION,
                    "_isPkEdgeProperty");

    /** Throws for a container whose items cannot be a graph. */
    public static GraphSchema of(Container container) {
        if (container.isKeyless()) {
            return new GraphSchema(Optional.empty());
        }
        PartitionKeyDefinition key = container.definition().partitionKey();
        if (key.paths().size() != 1 || key.paths().getFirst().segments().size() != 1) {
            throw unfit(
                    container,
                    "has the partition key "
                            + key.paths()
                            + ", and that of a graph is one property of its vertices");
        }
        String name = key.paths().getFirst().segments().getFirst();
        if (RESERVED.contains(name) || OF_THE_SERVICE.contains(name)) {
            throw unfit(
                    container,
                    "has the partition key /"
                            + name
                            + ", and an edge could not be kept with its source vertex: take a"
                            + " property of your own");
        }
        return new GraphSchema(Optional.of(name));
    }

    private static GraphException unfit(Container container, String reason) {
        return new GraphException(
                GraphException.Fault.EXECUTION,
                "The container '" + container.name() + "' is no graph: it " + reason + ".");
    }

    boolean isPartitionKey(String name) {
        return partitionKey.isPresent() && partitionKey.get().equals(name);
    }

    /** Returns true for a property that a vertex has as it is, and not as an array. */
    boolean isFlat(String name) {
        return isPartitionKey(name) || name.equals(TTL);
    }

    static boolean isOfTheService(String name) {
        return OF_THE_SERVICE.contains(name);
    }

    /** Returns true for a name that no property of a graph can have. */
    static boolean isReserved(String name) {
        return RESERVED.contains(name) || OF_THE_SERVICE.contains(name);
    }

    Value partition(Value.Obj body) {
        return partitionKey.map(name -> find(body, name)).orElse(Value.Undefined.UNDEFINED);
    }

    static Value find(Value.Obj body, String name) {
        return body.properties().getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    static String text(Value.Obj body, String name, String otherwise) {
        return find(body, name) instanceof Value.Text(String text) ? text : otherwise;
    }

    /** Returns true for an item that is shown as an edge: it names both of its ends. */
    static boolean isEdge(Value.Obj body) {
        return find(body, IS_EDGE).equals(Value.of(true))
                && find(body, SOURCE) instanceof Value.Text
                && find(body, SINK) instanceof Value.Text;
    }

    /** Returns true for an item that is shown as a vertex. */
    static boolean isVertex(Value.Obj body) {
        return !find(body, IS_EDGE).isDefined();
    }

    List<String> partitionKeys() {
        return partitionKey.stream().toList();
    }
}
