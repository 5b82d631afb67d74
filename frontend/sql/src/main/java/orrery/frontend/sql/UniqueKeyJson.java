package orrery.frontend.sql;

import java.util.List;
import orrery.document.Value;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.PropertyPath;

/** The unique keys inside a container's body. How many there may be is the engine's to say. */
final class UniqueKeyJson {
    private UniqueKeyJson() {}

    static List<UniqueKey> parse(BodyReader policy) {
        List<UniqueKey> keys =
                policy.objects("uniqueKeys").stream()
                        .map(
                                key -> {
                                    List<PropertyPath> paths =
                                            key.array("paths").stream()
                                                    .map(path -> path(key, path))
                                                    .toList();
                                    key.finish();
                                    return new UniqueKey(paths);
                                })
                        .toList();
        policy.finish();
        return keys;
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
