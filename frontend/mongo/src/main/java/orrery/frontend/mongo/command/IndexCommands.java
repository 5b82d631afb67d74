package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Streams;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.NamedIndex;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/** The commands about indexes. */
final class IndexCommands {
    static final String ID_INDEX = "_id_";
    private static final String WILDCARD = "$**";

    /** The fields of a reference, which alone may begin with a dollar. */
    private static final Set<String> REFERENCE = Set.of("$id", "$ref", "$db");

    /** Kept with an index and handed back, but of no effect on what it does. */
    private static final Set<String> KEPT = Set.of("hidden", "collation", "background", "comment");

    private static final Set<String> KNOWN =
            Set.of(
                    "key",
                    "name",
                    "v",
                    "ns",
                    "unique",
                    "sparse",
                    "expireAfterSeconds",
                    "partialFilterExpression",
                    "background",
                    "hidden",
                    "comment",
                    "commitQuorum");

    /** Options of servers' indexes that would change what an index holds or how it compares. */
    private static final Set<String> REFUSED =
            Set.of(
                    "2dsphereIndexVersion",
                    "bits",
                    "bucketSize",
                    "clustered",
                    "coarsestIndexedLevel",
                    "collation",
                    "columnstoreProjection",
                    "default_language",
                    "finestIndexedLevel",
                    "language_override",
                    "max",
                    "min",
                    "prepareUnique",
                    "storageEngine",
                    "textIndexVersion",
                    "weights",
                    "wildcardProjection");

    /** Kinds of index that servers have. */
    private static final Set<String> KINDS =
            Set.of("2d", "2dsphere", "columnstore", "geoHaystack", "hashed", "text");

    private final Resources resources;
    private final Streams streams;
    private final Catalogue catalogue;
    private final Batches batches;

    IndexCommands(Resources resources, Streams streams, Catalogue catalogue, Batches batches) {
        this.resources = resources;
        this.streams = streams;
        this.catalogue = catalogue;
        this.batches = batches;
    }

    void addTo(CommandTable table) {
        table.manage(
                        "createIndexes",
                        Set.of("indexes", "commitQuorum", "ignoreUnknownIndexOptions"),
                        this::create)
                .read("listIndexes", Set.of("cursor", "includeBuildUUIDs"), this::list)
                .manage("dropIndexes", Set.of("index"), this::drop)
                .alias("deleteIndexes", "dropIndexes")
                .manage(
                        "collMod",
                        Set.of(
                                "index",
                                "validator",
                                "validationLevel",
                                "validationAction",
                                "changeStreamPreAndPostImages"),
                        this::modify);
    }

    static Value.Obj idIndex() {
        return new Doc()
                .put("v", 2)
                .put("key", new Doc().put("_id", 1))
                .put("name", ID_INDEX)
                .build();
    }

    // ---- createIndexes

    private Bytes create(CommandRequest request) {
        Namespace namespace = request.namespace();
        if (request.arguments().flag("ignoreUnknownIndexOptions", false)) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "the option 'ignoreUnknownIndexOptions' of createIndexes is not supported");
        }
        List<NamedIndex> wanted =
                wanted(
                        request.arguments()
                                .array("indexes")
                                .orElseThrow(() -> request.arguments().missing("indexes")));
        Optional<ContainerRef.Resolved> present = catalogue.find(request.context(), namespace);
        ContainerRef.Resolved container =
                present.orElseGet(() -> catalogue.findOrCreate(request, namespace));
        int before = container.container().definition().indexes().size();
        checkShardKey(container.container(), wanted);
        Container after = changed(request, namespace, container, wanted);
        int now = after.definition().indexes().size();
        Doc reply =
                new Doc()
                        .put("numIndexesBefore", before + 1)
                        .put("numIndexesAfter", now + 1)
                        .put("createdCollectionAutomatically", present.isEmpty());
        if (before == now) {
            reply.put("note", "all indexes already exist");
        }
        return reply.ok();
    }

    /** A unique index that the documents violate is refused as a write would be. */
    private Container changed(
            CommandRequest request,
            Namespace namespace,
            ContainerRef.Resolved container,
            List<NamedIndex> wanted) {
        try {
            return resources
                    .indexes()
                    .change(request.context(), container, now -> added(now, wanted));
        } catch (OrreryException refused) {
            throw refused.takenKey().isEmpty()
                    ? refused
                    : new WriteErrors.Refused(
                            WriteErrors.failure(
                                    namespace,
                                    () -> Optional.of(container.container()),
                                    refused,
                                    Value.Null.NULL));
        }
    }

    private static void checkShardKey(Container container, List<NamedIndex> wanted) {
        NamedIndexes.fault(container.definition().partitionKey(), wanted)
                .ifPresent(
                        fault -> {
                            String key =
                                    Catalogue.shardKey(container)
                                            .map(Catalogue::dotted)
                                            .orElse("_id");
                            boolean isAboutKey =
                                    wanted.stream().anyMatch(NamedIndex::unique)
                                            && fault.startsWith("a unique index");
                            throw MongoCode.CANNOT_CREATE_INDEX.failure(
                                    isAboutKey
                                            ? "cannot create unique index over "
                                                    + keyText(wanted)
                                                    + " with shard key pattern { "
                                                    + key
                                                    + ": \"hashed\" }"
                                            : "cannot create the index: " + fault);
                        });
    }

    private static String keyText(List<NamedIndex> wanted) {
        return wanted.stream()
                .filter(NamedIndex::unique)
                .findFirst()
                .map(IndexCommands::shown)
                .orElse("{}");
    }

    private static String shown(NamedIndex index) {
        return index.key().stream()
                .map(
                        field ->
                                field.path()
                                        + ": "
                                        + (field.order() == NamedIndex.Order.DESCENDING ? -1 : 1))
                .collect(Collectors.joining(", ", "{ ", " }"));
    }

    private static List<NamedIndex> wanted(List<Value> specifications) {
        if (specifications.isEmpty()) {
            throw MongoCode.BAD_VALUE.failure("Must specify at least one index to create");
        }
        List<NamedIndex> indexes = new ArrayList<>();
        for (Value each : specifications) {
            if (!(each instanceof Value.Obj document)) {
                throw MongoCode.TYPE_MISMATCH.failure(
                        "The elements of the 'indexes' array must be objects");
            }
            read(new Arguments("createIndexes.indexes", document)).ifPresent(indexes::add);
        }
        return indexes;
    }

    /** Empty for the index that every collection has. */
    private static Optional<NamedIndex> read(Arguments index) {
        for (String name : index.properties().keySet()) {
            if (!KNOWN.contains(name)) {
                throw REFUSED.contains(name)
                        ? MongoCode.CANNOT_CREATE_INDEX.failure(
                                "the option '" + name + "' of an index is not supported")
                        : MongoCode.INVALID_INDEX_SPECIFICATION_OPTION.failure(
                                "The field '"
                                        + name
                                        + "' is not valid for an index specification."
                                        + " Specification: "
                                        + ValueText.of(index.fields()));
            }
        }
        Value.Obj key =
                index.document("key")
                        .orElseThrow(
                                () ->
                                        MongoCode.FAILED_TO_PARSE.failure(
                                                "The 'key' field is a required property of an"
                                                        + " index specification"));
        String name =
                index.text("name")
                        .orElseThrow(
                                () ->
                                        MongoCode.FAILED_TO_PARSE.failure(
                                                "The 'name' field is a required property of an"
                                                        + " index specification"));
        List<NamedIndex.Field> fields = fields(key);
        if (fields.equals(List.of(NamedIndex.Field.ascending("_id")))) {
            return Optional.empty();
        }
        OptionalLong expiry = index.whole("expireAfterSeconds");
        if (expiry.isPresent() && expiry.getAsLong() != (int) expiry.getAsLong()) {
            throw MongoCode.CANNOT_CREATE_INDEX.failure(
                    "TTL index 'expireAfterSeconds' option must be within an acceptable range");
        }
        return Optional.of(
                new NamedIndex(
                        name,
                        fields,
                        index.flag("unique", false),
                        index.flag("sparse", false),
                        index.document("partialFilterExpression").map(BsonCodec::write),
                        expiry.isPresent()
                                ? OptionalInt.of((int) expiry.getAsLong())
                                : OptionalInt.empty(),
                        NamedIndex.State.READY,
                        kept(index)));
    }

    private static Bytes kept(Arguments index) {
        Map<String, Value> kept = new LinkedHashMap<>(index.properties());
        kept.keySet().retainAll(KEPT);
        return kept.isEmpty() ? Bytes.EMPTY : BsonCodec.write(new Value.Obj(kept));
    }

    private static List<NamedIndex.Field> fields(Value.Obj key) {
        if (key.properties().isEmpty()) {
            throw MongoCode.CANNOT_CREATE_INDEX.failure("Index keys cannot be an empty object");
        }
        List<NamedIndex.Field> fields = new ArrayList<>();
        key.properties().forEach((path, order) -> fields.add(field(path, order)));
        return fields;
    }

    private static NamedIndex.Field field(String path, Value order) {
        int direction =
                Arguments.number(order)
                        .map(java.math.BigDecimal::signum)
                        .orElseThrow(
                                () ->
                                        MongoCode.CANNOT_CREATE_INDEX.failure(
                                                order instanceof Value.Text(String kind)
                                                        ? unsupported(kind)
                                                        : "Values in the index key pattern must"
                                                                + " be numbers or strings"));
        if (direction == 0) {
            throw MongoCode.CANNOT_CREATE_INDEX.failure(
                    "Values in the index key pattern cannot be 0.");
        }
        if (path.equals(WILDCARD)) {
            return NamedIndex.Field.wildcard("");
        }
        checkPath(path);
        if (path.endsWith("." + WILDCARD)) {
            return NamedIndex.Field.wildcard(
                    path.substring(0, path.length() - WILDCARD.length() - 1));
        }
        return direction > 0 ? NamedIndex.Field.ascending(path) : NamedIndex.Field.descending(path);
    }

    private static String unsupported(String kind) {
        return KINDS.contains(kind)
                ? "indexes of the kind '" + kind + "' are not supported"
                : "Unknown index plugin '" + kind + "'";
    }

    private static void checkPath(String path) {
        String plain =
                path.endsWith("." + WILDCARD)
                        ? path.substring(0, path.length() - WILDCARD.length() - 1)
                        : path;
        for (String part : plain.split("\\.", -1)) {
            if (part.isEmpty()) {
                throw MongoCode.CANNOT_CREATE_INDEX.failure(
                        "Index keys cannot contain an empty field.");
            }
            if (part.startsWith("$") && !REFERENCE.contains(part)) {
                throw MongoCode.CANNOT_CREATE_INDEX.failure(
                        "Index key contains an illegal field name: field name starts with '$'.");
            }
        }
    }

    /** An index that is there already is no change; one that differs in name or key is refused. */
    private static List<NamedIndex> added(List<NamedIndex> present, List<NamedIndex> wanted) {
        List<NamedIndex> all = new ArrayList<>(present);
        for (NamedIndex index : wanted) {
            if (index.name().equals(ID_INDEX)) {
                throw MongoCode.BAD_VALUE.failure(
                        "The index name '_id_' is reserved for the _id index");
            }
            Optional<NamedIndex> sameName = named(all, index.name());
            if (sameName.isPresent()) {
                if (!isSame(sameName.get(), index)) {
                    throw MongoCode.INDEX_KEY_SPECS_CONFLICT.failure(
                            "An existing index has the same name as the requested index. When"
                                    + " index names are not specified, they are auto generated and"
                                    + " can cause conflicts. Please refer to our documentation."
                                    + " Requested index: "
                                    + shown(index)
                                    + ", existing index: "
                                    + shown(sameName.get()));
                }
                continue;
            }
            for (NamedIndex other : all) {
                if (other.key().equals(index.key()) && other.filter().equals(index.filter())) {
                    throw MongoCode.INDEX_OPTIONS_CONFLICT.failure(
                            "Index already exists with a different name: " + other.name());
                }
            }
            all.add(index);
        }
        return all;
    }

    private static boolean isSame(NamedIndex one, NamedIndex other) {
        return one.key().equals(other.key())
                && one.unique() == other.unique()
                && one.sparse() == other.sparse()
                && one.filter().equals(other.filter())
                && one.expireAfterSeconds().equals(other.expireAfterSeconds());
    }

    private static Optional<NamedIndex> named(List<NamedIndex> all, String name) {
        return all.stream().filter(index -> index.name().equals(name)).findFirst();
    }

    // ---- listIndexes

    private Bytes list(CommandRequest request) {
        Namespace namespace = request.namespace();
        Container container = catalogue.require(request.context(), namespace).container();
        List<Bytes> rows = new ArrayList<>();
        documents(container).forEach(document -> rows.add(BsonCodec.write(document)));
        return batches.first(request, namespace.toString(), rows);
    }

    /** The indexes of a collection as clients wrote them. */
    static List<Value.Obj> documents(Container container) {
        List<Value.Obj> all = new ArrayList<>(List.of(idIndex()));
        container.definition().indexes().forEach(index -> all.add(document(index)));
        return all;
    }

    /** Returns the fields of an index with their directions. */
    static Optional<Value.Obj> key(Container container, String name) {
        return named(container.definition().indexes(), name)
                .map(IndexCommands::key)
                .map(Doc::build);
    }

    private static Doc key(NamedIndex index) {
        Doc key = new Doc();
        for (NamedIndex.Field field : index.key()) {
            switch (field.order()) {
                case ASCENDING -> key.put(field.path(), 1);
                case DESCENDING -> key.put(field.path(), -1);
                case WILDCARD ->
                        key.put(
                                field.path().isEmpty() ? WILDCARD : field.path() + "." + WILDCARD,
                                1);
            }
        }
        return key;
    }

    private static Value.Obj document(NamedIndex index) {
        Doc document = new Doc().put("v", 2).put("key", key(index)).put("name", index.name());
        if (index.unique()) {
            document.put("unique", true);
        }
        if (index.sparse()) {
            document.put("sparse", true);
        }
        index.filter()
                .ifPresent(
                        filter -> document.put("partialFilterExpression", BsonCodec.read(filter)));
        if (index.expireAfterSeconds().isPresent()) {
            document.put("expireAfterSeconds", index.expireAfterSeconds().getAsInt());
        }
        if (!index.options().isEmpty()) {
            document.putAll(BsonCodec.read(index.options()));
        }
        return document.build();
    }

    // ---- dropIndexes

    private Bytes drop(CommandRequest request) {
        Namespace namespace = request.namespace();
        Value which =
                request.arguments()
                        .find("index")
                        .orElseThrow(() -> request.arguments().missing("index"));
        ContainerRef.Resolved container =
                catalogue
                        .find(request.context(), namespace)
                        .orElseThrow(
                                () ->
                                        MongoCode.NAMESPACE_NOT_FOUND.failure(
                                                "ns not found " + namespace));
        int before = container.container().definition().indexes().size() + 1;
        resources.indexes().change(request.context(), container, now -> without(now, which));
        Doc reply = new Doc().put("nIndexesWas", before);
        if (which instanceof Value.Text(String text) && text.equals("*")) {
            reply.put("msg", "non-_id indexes dropped for collection");
        }
        return reply.ok();
    }

    private static List<NamedIndex> without(List<NamedIndex> present, Value which) {
        return switch (which) {
            case Value.Text(String all) when all.equals("*") -> List.of();
            case Value.Text(String name) -> without(present, name);
            case Value.Array(List<Value> names) -> {
                List<NamedIndex> left = present;
                for (Value name : names) {
                    left = without(left, name);
                }
                yield left;
            }
            case Value.Obj key -> {
                List<NamedIndex.Field> fields = fields(key);
                if (fields.equals(List.of(NamedIndex.Field.ascending("_id")))) {
                    throw idIndexStays();
                }
                yield without(
                        present,
                        present.stream()
                                .filter(index -> index.key().equals(fields))
                                .findFirst()
                                .orElseThrow(
                                        () ->
                                                MongoCode.INDEX_NOT_FOUND.failure(
                                                        "can't find index with key: "
                                                                + ValueText.of(key)))
                                .name());
            }
            default ->
                    throw MongoCode.TYPE_MISMATCH.failure(
                            "BSON field 'dropIndexes.index' is the wrong type '"
                                    + TypeNames.of(which)
                                    + "'");
        };
    }

    private static List<NamedIndex> without(List<NamedIndex> present, String name) {
        if (name.equals(ID_INDEX)) {
            throw idIndexStays();
        }
        if (named(present, name).isEmpty()) {
            throw MongoCode.INDEX_NOT_FOUND.failure("index not found with name [" + name + "]");
        }
        return present.stream().filter(index -> !index.name().equals(name)).toList();
    }

    private static OrreryException idIndexStays() {
        return MongoCode.INVALID_OPTIONS.failure("cannot drop _id index");
    }

    // ---- collMod

    private Bytes modify(CommandRequest request) {
        Namespace namespace = request.namespace();
        ContainerRef.Resolved container =
                catalogue
                        .find(request.context(), namespace)
                        .orElseThrow(
                                () ->
                                        MongoCode.NAMESPACE_NOT_FOUND.failure(
                                                "ns does not exist: " + namespace));
        if (Validators.areNamed(request.arguments())) {
            catalogue.changeValidator(
                    request.context(),
                    namespace,
                    present -> Validators.read(request.arguments(), present));
        }
        CatalogueCommands.keepsImages(request)
                .ifPresent(
                        isKept ->
                                streams.keepVersions(
                                        request.context(), namespace.container(), isKept));
        Optional<Arguments> change = request.arguments().inner("index");
        if (change.isEmpty()) {
            return new Doc().ok();
        }
        for (String name : List.of("hidden", "unique", "prepareUnique")) {
            if (change.get().find(name).isPresent()) {
                throw MongoCode.INVALID_OPTIONS.failure(
                        "the option 'index." + name + "' of collMod is not supported");
            }
        }
        change.get().allowOnly(Set.of("name", "keyPattern", "expireAfterSeconds"));
        long seconds =
                change.get()
                        .whole("expireAfterSeconds")
                        .orElseThrow(
                                () ->
                                        MongoCode.INVALID_OPTIONS.failure(
                                                "no expireAfterSeconds field"));
        if (seconds != (int) seconds) {
            throw MongoCode.INVALID_OPTIONS.failure("expireAfterSeconds is out of range");
        }
        NamedIndex present = found(container.container(), change.get());
        resources
                .indexes()
                .change(
                        request.context(),
                        container,
                        now ->
                                now.stream()
                                        .map(
                                                index ->
                                                        index.name().equals(present.name())
                                                                ? index.withExpiry(
                                                                        OptionalInt.of(
                                                                                (int) seconds))
                                                                : index)
                                        .toList());
        Doc reply = new Doc();
        if (present.expireAfterSeconds().isPresent()) {
            reply.putInt64("expireAfterSeconds_old", present.expireAfterSeconds().getAsInt());
        }
        return reply.putInt64("expireAfterSeconds_new", seconds).ok();
    }

    private static NamedIndex found(Container container, Arguments which) {
        List<NamedIndex> all = container.definition().indexes();
        Optional<NamedIndex> found =
                which.text("name").isPresent()
                        ? named(all, which.requiredText("name"))
                        : which.document("keyPattern")
                                .map(IndexCommands::fields)
                                .flatMap(
                                        fields ->
                                                all.stream()
                                                        .filter(i -> i.key().equals(fields))
                                                        .findFirst());
        return found.orElseThrow(
                () -> MongoCode.INDEX_NOT_FOUND.failure("cannot find index for collMod"));
    }

    /** Reads the indexes of a new collection, which must say that of {@code _id} too. */
    static List<NamedIndex> ofNewCollection(List<Value> specifications) {
        List<NamedIndex> all = wanted(specifications);
        if (all.size() == specifications.size()) {
            throw new OrreryException(
                            ErrorCode.BAD_REQUEST,
                            "the indexes of a collection must contain that of _id")
                    .withLanguageCode(MongoCode.CANNOT_CREATE_INDEX.number());
        }
        return all;
    }
}
