package orrery.frontend.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.PropertyPath;

/** The unique keys inside a container's body. How many there may be is the engine's to say. */
final class UniqueKeyJson {
    private UniqueKeyJson() {}

    /**
     * Empty where the policy has no list: the Java SDK sends such a policy for a container whose
     * keys nobody mentioned.
     */
    static Optional<List<UniqueKey>> parse(BodyReader policy) {
        Optional<List<UniqueKey>> keys =
                policy.find("uniqueKeys")
                        .map(
                                _ ->
                                        policy.objects("uniqueKeys").stream()
                                                .map(UniqueKeyJson::key)
                                                .toList());
        policy.finish();
        return keys;
    }

    private static UniqueKey key(BodyReader key) {
        List<PropertyPath> paths =
                key.array("paths").stream().map(path -> path(key, path)).toList();
        key.finish();
        return new UniqueKey(paths);
    }

    private static PropertyPath path(BodyReader key, Value value) {
        if (!(value instanceof Value.Text(String text))) {
            throw key.refused("paths", "must hold strings such as \"/email\"");
        }
        PropertyPath path;
        try {
            path = PropertyPath.parse(text);
        } catch (IllegalArgumentException notAPath) {
            throw key.refused("paths", "holds '" + text + "', which is no path");
        }
        if (path.segments().stream().anyMatch(PartitionKeyJson::isWildcard)) {
            throw key.refused(
                    "paths", "holds '" + text + "', but a unique key has no wildcards or arrays");
        }
        return path;
    }

    static Value write(List<UniqueKey> keys) {
        return Json.object(
                "uniqueKeys",
                new Value.Array(
                        keys.stream()
                                .<Value>map(
                                        key ->
                                                Json.object(
                                                        "paths",
                                                        Json.texts(
                                                                key.paths().stream()
                                                                        .map(PropertyPath::toString)
                                                                        .toList())))
                                .toList()));
    }
}
