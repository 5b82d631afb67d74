package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PartitionKeyDefinition.Kind;
import orrery.model.PropertyPath;

/** The partition key definition inside a container's body. */
final class PartitionKeyJson {
    private static final int MAX_PATHS = 3;
    private static final Map<String, Kind> KINDS =
            Map.of("hash", Kind.HASH, "multihash", Kind.MULTI_HASH, "range", Kind.RANGE);

    private PartitionKeyJson() {}

    /**
     * Reads a definition. SDKs that leave the version out mean the first one.
     *
     * @param present the definition of the container to be replaced: what the client leaves out it
     *     does not mean to change
     */
    static PartitionKeyDefinition parse(
            BodyReader reader, Optional<PartitionKeyDefinition> present) {
        List<PropertyPath> paths = paths(reader);
        Kind kind =
                reader.choice("kind", KINDS)
                        .or(() -> present.map(PartitionKeyDefinition::kind))
                        .orElse(Kind.HASH);
        int version =
                version(reader).orElse(present.map(PartitionKeyDefinition::version).orElse(1));
        boolean isSystemKey =
                reader.bool("systemKey")
                        .or(() -> present.map(PartitionKeyDefinition::systemKey))
                        .orElse(false);
        reader.finish();
        if (kind == Kind.MULTI_HASH && version != 2) {
            throw reader.refused("version", "must be 2 for a hierarchical key (MultiHash)");
        }
        return new PartitionKeyDefinition(paths, kind, version, isSystemKey);
    }

    /** A number, or the name that the Java SDK's enum has: V1, V2. */
    private static Optional<Integer> version(BodyReader reader) {
        return reader.find("version")
                .map(
                        value ->
                                switch (value) {
                                    case Value.Int(long number) when number == 1 -> 1;
                                    case Value.Int(long number) when number == 2 -> 2;
                                    case Value.Text(String name) when name.matches("[vV]?1") -> 1;
                                    case Value.Text(String name) when name.matches("[vV]?2") -> 2;
                                    default -> throw reader.refused("version", "must be 1 or 2");
                                });
    }

    private static List<PropertyPath> paths(BodyReader reader) {
        List<Value> texts = reader.array("paths");
        if (texts.isEmpty() || texts.size() > MAX_PATHS) {
            throw reader.refused("paths", "must name 1 to " + MAX_PATHS + " paths");
        }
        List<PropertyPath> paths = new ArrayList<>();
        Set<PropertyPath> distinct = new HashSet<>();
        for (Value text : texts) {
            if (!(text instanceof Value.Text(String path))) {
                throw reader.refused("paths", "must hold strings such as \"/tenant\"");
            }
            PropertyPath parsed;
            try {
                parsed = PropertyPath.parse(path);
            } catch (IllegalArgumentException notAPath) {
                throw reader.refused(
                        "paths", "holds '" + path + "', which is no path: " + reason(notAPath));
            }
            if (parsed.segments().stream().anyMatch(PartitionKeyJson::isWildcard)) {
                throw reader.refused(
                        "paths", "holds '" + path + "', but a key has no wildcards or arrays");
            }
            if (SystemProperties.isSystemProperty(parsed.segments().getFirst())) {
                throw reader.refused(
                        "paths", "holds '" + path + "', which the server writes itself");
            }
            if (!distinct.add(parsed)) {
                throw reader.refused("paths", "holds '" + path + "' twice");
            }
            paths.add(parsed);
        }
        return paths;
    }

    static Value write(PartitionKeyDefinition definition) {
        Json.Builder json =
                Json.builder()
                        .put(
                                "paths",
                                Json.texts(
                                        definition.paths().stream()
                                                .map(PropertyPath::toString)
                                                .toList()))
                        .put("kind", name(definition.kind()))
                        .put("version", definition.version());
        if (definition.systemKey()) {
            json.put("systemKey", true);
        }
        return json.build();
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case HASH -> "Hash";
            case MULTI_HASH -> "MultiHash";
            case RANGE -> "Range";
        };
    }

    static boolean isWildcard(String segment) {
        return segment.equals("*") || segment.equals("?") || segment.equals("[]");
    }

    private static String reason(IllegalArgumentException problem) {
        return String.valueOf(problem.getMessage()).toLowerCase(Locale.ROOT);
    }
}
