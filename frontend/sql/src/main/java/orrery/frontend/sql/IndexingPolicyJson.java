package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import orrery.document.IndexPlan;
import orrery.document.Value;
import orrery.document.spatial.Figure;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.IndexingPolicy;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.IndexingPolicy.CompositePath;
import orrery.model.IndexingPolicy.Mode;
import orrery.model.IndexingPolicy.SpatialPath;

/** The indexing policy inside a container's body. */
final class IndexingPolicyJson {
    private static final String ETAG = IndexingPolicy.DEFAULT.excludedPaths().getFirst();
    private static final String PLAIN_ETAG = "/_etag/?";

    /** Mode none however it was written: SDKs send default paths with it, which mean nothing. */
    private static final IndexingPolicy NOTHING =
            new IndexingPolicy(Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    private static final Map<String, Mode> MODES =
            Map.of("consistent", Mode.CONSISTENT, "lazy", Mode.LAZY, "none", Mode.NONE);

    private enum Order {
        ASCENDING,
        DESCENDING
    }

    private static final Map<String, Order> ORDERS =
            Map.of("ascending", Order.ASCENDING, "descending", Order.DESCENDING);

    /** The kinds of the old per-path indexes; our one range index answers for the first two. */
    private enum LegacyKind {
        RANGE,
        HASH,
        SPATIAL
    }

    private static final Map<String, LegacyKind> LEGACY_KINDS =
            Map.of(
                    "range",
                    LegacyKind.RANGE,
                    "hash",
                    LegacyKind.HASH,
                    "spatial",
                    LegacyKind.SPATIAL);

    private static final Map<String, Figure.Kind> GEOMETRY_TYPES =
            Arrays.stream(Figure.Kind.values())
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    kind -> kind.text().toLowerCase(Locale.ROOT), kind -> kind));

    private IndexingPolicyJson() {}

    static IndexingPolicy parse(BodyReader reader) {
        Mode mode = reader.choice("indexingMode", MODES).orElse(Mode.CONSISTENT);
        boolean isAutomatic = reader.bool("automatic").orElse(true);
        Map<String, List<String>> legacySpatial = new LinkedHashMap<>();
        List<String> included = paths(reader, "includedPaths", legacySpatial);
        List<String> excluded = paths(reader, "excludedPaths", new LinkedHashMap<>());
        List<List<CompositePath>> composites = composites(reader);
        List<SpatialPath> spatial = spatial(reader);
        legacySpatial.forEach(
                (path, types) -> spatial.add(new SpatialPath(path, types, Optional.empty())));
        reader.refuseUnlessEmpty("vectorIndexes");
        reader.refuseUnlessEmpty("fullTextIndexes");
        reader.finish();
        IndexingPolicy asked =
                new IndexingPolicy(mode, isAutomatic, included, excluded, composites, spatial);
        IndexingPolicy policy =
                switch (mode) {
                    case NONE -> asked;
                    case CONSISTENT, LAZY -> withDefaults(asked);
                };
        // It knows which paths and combinations can be honoured.
        IndexPlan.compile(policy);
        return mode == Mode.NONE ? NOTHING : policy;
    }

    /** No paths at all mean all of them; and the service shows that it leaves _etag out. */
    private static IndexingPolicy withDefaults(IndexingPolicy asked) {
        List<String> included = asked.includedPaths();
        List<String> excluded = asked.excludedPaths();
        if (included.isEmpty() && excluded.isEmpty()) {
            included = IndexingPolicy.DEFAULT.includedPaths();
        }
        if (excluded.stream().noneMatch(path -> path.equals(ETAG) || path.equals(PLAIN_ETAG))) {
            excluded = new ArrayList<>(excluded);
            excluded.add(ETAG);
        }
        return new IndexingPolicy(
                asked.mode(),
                asked.automatic(),
                included,
                excluded,
                asked.compositeIndexes(),
                asked.spatialIndexes());
    }

    /**
     * @param spatial takes the geometries that old clients ask for inside a path, by path
     */
    private static List<String> paths(
            BodyReader reader, String name, Map<String, List<String>> spatial) {
        List<Value> elements = reader.array(name);
        List<String> paths = new ArrayList<>();
        Set<String> distinct = new HashSet<>();
        for (Value element : elements) {
            BodyReader entry = BodyReader.of(reader.path(name) + "[]", element);
            String path = entry.text("path").orElseThrow(() -> entry.refused("path", "is missing"));
            for (Value index : entry.array("indexes")) {
                BodyReader legacy = BodyReader.of(entry.path("indexes") + "[]", index);
                legacyIndex(legacy)
                        .ifPresent(
                                type ->
                                        spatial.computeIfAbsent(path, _ -> new ArrayList<>())
                                                .add(type));
            }
            entry.finish();
            if (!distinct.add(path)) {
                throw reader.refused(name, "holds '" + path + "' twice");
            }
            paths.add(path);
        }
        return paths;
    }

    /**
     * Older SDKs spell out an index per path and data type. A range or hash index of any precision
     * asks for no more than the range index that every included path has; a spatial one names the
     * type of geometry that is returned.
     */
    private static Optional<String> legacyIndex(BodyReader index) {
        LegacyKind kind =
                index.choice("kind", LEGACY_KINDS)
                        .orElseThrow(() -> index.refused("kind", "is missing"));
        if (kind == LegacyKind.SPATIAL) {
            Figure.Kind type =
                    index.choice("dataType", GEOMETRY_TYPES)
                            .orElseThrow(() -> index.refused("dataType", "is missing"));
            index.finish();
            return Optional.of(type.text());
        }
        index.text("dataType")
                .ifPresent(
                        type -> {
                            switch (type.toLowerCase(Locale.ROOT)) {
                                case "string", "number" -> {}
                                default ->
                                        throw index.refused(
                                                "dataType", "must be String or Number here");
                            }
                        });
        long precision = index.integer("precision").orElse(-1);
        if (precision < -1 || precision > 100) {
            throw index.refused("precision", "must be between -1 and 100");
        }
        index.finish();
        return Optional.empty();
    }

    private static List<SpatialPath> spatial(BodyReader reader) {
        String name = "spatialIndexes";
        List<SpatialPath> spatial = new ArrayList<>();
        for (BodyReader entry : reader.objects(name)) {
            String path = entry.text("path").orElseThrow(() -> entry.refused("path", "is missing"));
            List<String> types = new ArrayList<>();
            for (Value type : entry.array("types")) {
                Figure.Kind kind =
                        type instanceof Value.Text(String text)
                                ? GEOMETRY_TYPES.get(text.toLowerCase(Locale.ROOT))
                                : null;
                if (kind == null) {
                    throw entry.refused(
                            "types", "must hold Point, LineString, Polygon or MultiPolygon");
                }
                types.add(kind.text());
            }
            Optional<BoundingBox> box = entry.object("boundingBox").map(IndexingPolicyJson::box);
            entry.finish();
            spatial.add(new SpatialPath(path, types, box));
        }
        return spatial;
    }

    private static BoundingBox box(BodyReader box) {
        BoundingBox made =
                new BoundingBox(
                        edge(box, "xmin"), edge(box, "ymin"), edge(box, "xmax"), edge(box, "ymax"));
        box.finish();
        return made;
    }

    private static double edge(BodyReader box, String name) {
        return switch (box.find(name).orElse(Value.Null.NULL)) {
            case Value.Int(long number) -> number;
            case Value.Real(double number) -> number;
            default -> throw box.refused(name, "must be a number");
        };
    }

    private static List<List<CompositePath>> composites(BodyReader reader) {
        String name = "compositeIndexes";
        List<Value> indexes = reader.array(name);
        List<List<CompositePath>> composites = new ArrayList<>();
        for (Value index : indexes) {
            if (!(index instanceof Value.Array(List<Value> parts))) {
                throw reader.refused(name, "must hold arrays of paths with an order");
            }
            List<CompositePath> composite = new ArrayList<>();
            for (Value part : parts) {
                BodyReader entry = BodyReader.of(reader.path(name) + "[]", part);
                String path =
                        entry.text("path").orElseThrow(() -> entry.refused("path", "is missing"));
                Order order = entry.choice("order", ORDERS).orElse(Order.ASCENDING);
                entry.finish();
                composite.add(new CompositePath(path, order == Order.DESCENDING));
            }
            composites.add(composite);
        }
        return composites;
    }

    static Value write(IndexingPolicy policy) {
        Json.Builder json =
                Json.builder()
                        .put(
                                "indexingMode",
                                switch (policy.mode()) {
                                    case CONSISTENT -> "consistent";
                                    case LAZY -> "lazy";
                                    case NONE -> "none";
                                })
                        .put("automatic", policy.automatic())
                        .put("includedPaths", writePaths(policy.includedPaths()))
                        .put("excludedPaths", writePaths(policy.excludedPaths()));
        if (!policy.compositeIndexes().isEmpty()) {
            json.put(
                    "compositeIndexes",
                    new Value.Array(
                            policy.compositeIndexes().stream()
                                    .map(IndexingPolicyJson::writeComposite)
                                    .toList()));
        }
        if (!policy.spatialIndexes().isEmpty()) {
            json.put(
                    "spatialIndexes",
                    new Value.Array(
                            policy.spatialIndexes().stream()
                                    .map(IndexingPolicyJson::writeSpatial)
                                    .toList()));
        }
        return json.build();
    }

    private static Value writeSpatial(SpatialPath index) {
        Json.Builder json =
                Json.builder().put("path", index.path()).put("types", Json.texts(index.types()));
        index.box()
                .ifPresent(
                        box ->
                                json.put(
                                        "boundingBox",
                                        Json.builder()
                                                .put("xmin", Value.of(box.xmin()))
                                                .put("ymin", Value.of(box.ymin()))
                                                .put("xmax", Value.of(box.xmax()))
                                                .put("ymax", Value.of(box.ymax()))
                                                .build()));
        return json.build();
    }

    private static Value writePaths(List<String> paths) {
        return new Value.Array(
                paths.stream().<Value>map(path -> Json.object("path", Value.of(path))).toList());
    }

    private static Value writeComposite(List<CompositePath> composite) {
        return new Value.Array(
                composite.stream()
                        .<Value>map(
                                part ->
                                        Json.object(
                                                "path",
                                                Value.of(part.path()),
                                                "order",
                                                Value.of(
                                                        part.descending()
                                                                ? "descending"
                                                                : "ascending")))
                        .toList());
    }
}
