package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PartitionKeyDefinition.Kind;
import orrery.model.PropertyPath;

/** The partition key definition inside a container's body. */
final class PartitionKeyJson {
    private static final Map<String, Kind> KINDS =
            Map.of("hash", Kind.HASH, "multihash", Kind.MULTI_HASH, "range", Kind.RANGE);

    /** A segment is a name, in quotes unless it consists of letters, digits and underscores. */
    private static final Pattern SEGMENT =
            Pattern.compile("/(?:\"[^\"]++\"|'[^']++'|[\\p{L}\\p{N}_]++)");

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
        if (texts.isEmpty()) {
            throw reader.refused("paths", "must name at least one path");
        }
        List<PropertyPath> paths = new ArrayList<>();
        Set<PropertyPath> distinct = new HashSet<>();
        for (Value text : texts) {
            if (!(text instanceof Value.Text(String path))) {
                throw reader.refused("paths", "must hold strings such as \"/tenant\"");
            }
            checkSegments(path);
            PropertyPath parsed = PropertyPath.parse(path);
            if (parsed.segments().stream().anyMatch(PartitionKeyJson::isWildcard)) {
                throw notAccepted(path, 0);
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

    private static void checkSegments(String path) {
        Matcher segment = SEGMENT.matcher(path);
        int at = 0;
        do {
            if (!segment.region(at, path.length()).lookingAt()) {
                throw notAccepted(path, at);
            }
            at = segment.end();
        } while (at < path.length());
    }

    /** Refuses a path in the service's words, which clients look for, and says how to write it. */
    private static OrreryException notAccepted(String path, int position) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "The partition key component definition path '"
                        + path
                        + "' could not be accepted, failed near position '"
                        + position
                        + "'. Partition key paths must contain only valid characters and not contain"
                        + " a trailing slash or wildcard character. A path begins with a slash, and"
                        + " a name with other characters than letters, digits and underscores"
                        + " stands in quotes: /\"first-name\".");
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
}
