package orrery.frontend.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ClientEncryptionPolicy;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.ConflictResolution;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.resource.Container;

/**
 * The body of a container. What SDKs send by default is accepted, a setting whose feature is not
 * there yet is refused by name, and so is what nobody knows.
 */
final class ContainerJson {
    /** The longest time that the service keeps versions: its longest continuous backup. */
    private static final int MAX_CHANGE_RETENTION_MINUTES = 30 * 24 * 60;

    private static final PartitionKeyDefinition NO_KEY =
            new PartitionKeyDefinition(List.of(), PartitionKeyDefinition.Kind.HASH, 1, false);
    private static final Map<String, Geospatial> GEOSPATIAL =
            Map.of("geography", Geospatial.GEOGRAPHY, "geometry", Geospatial.GEOMETRY);
    private static final Map<String, ConflictResolution.Mode> CONFLICT_MODES =
            Map.of(
                    "lastwriterwins",
                    ConflictResolution.Mode.LAST_WRITER_WINS,
                    "custom",
                    ConflictResolution.Mode.CUSTOM);

    private static final Pattern PROCEDURE_LINK =
            Pattern.compile("/?dbs/[^/]+/colls/[^/]+/sprocs/[^/]+/?");

    /** A container as a client describes it. */
    record Described(String id, ContainerDefinition definition) {}

    private ContainerJson() {}

    /** Reads the body of a create. */
    static Described parse(Bytes body) {
        return parse(body, Optional.empty());
    }

    /** Reads the body of a replace of a container that has this definition now. */
    static Described parse(Bytes body, ContainerDefinition present) {
        return parse(body, Optional.of(present));
    }

    private static Described parse(Bytes body, Optional<ContainerDefinition> present) {
        BodyReader reader = BodyReader.of(body);
        String id = ResourceNames.require(reader.text("id"));
        PartitionKeyDefinition key =
                reader.object("partitionKey")
                        .map(
                                inner ->
                                        PartitionKeyJson.parse(
                                                inner,
                                                present.map(ContainerDefinition::partitionKey)))
                        .or(
                                () ->
                                        present.map(ContainerDefinition::partitionKey)
                                                .filter(PartitionKeyDefinition::systemKey))
                        .orElse(NO_KEY);
        IndexingPolicy indexing =
                reader.object("indexingPolicy")
                        .map(IndexingPolicyJson::parse)
                        .orElse(IndexingPolicy.DEFAULT);
        ConflictResolution conflicts =
                reader.object("conflictResolutionPolicy")
                        .map(ContainerJson::conflicts)
                        .or(() -> present.map(ContainerDefinition::conflictResolution))
                        .orElse(ConflictResolution.DEFAULT);
        Geospatial geospatial =
                reader.object("geospatialConfig")
                        .flatMap(ContainerJson::geospatial)
                        .or(() -> present.map(ContainerDefinition::geospatial))
                        .orElse(Geospatial.GEOGRAPHY);
        List<UniqueKey> uniqueKeys =
                reader.object("uniqueKeyPolicy")
                        .flatMap(UniqueKeyJson::parse)
                        .or(() -> present.map(ContainerDefinition::uniqueKeys))
                        .orElse(List.of());
        List<ComputedProperty> computed = ComputedPropertyJson.parse(reader);
        TimeToLive timeToLive = timeToLive(reader);
        int retention =
                reader.object("changeFeedPolicy")
                        .map(ContainerJson::changeRetention)
                        .or(() -> present.map(ContainerDefinition::changeRetentionMinutes))
                        .orElse(0);
        Optional<ClientEncryptionPolicy> encryption =
                reader.object("clientEncryptionPolicy").map(EncryptionPolicyJson::parse);
        refuseWhatIsNotBuilt(reader);
        reader.ignore(
                "_rid",
                "_ts",
                "_self",
                "_etag",
                "_docs",
                "_sprocs",
                "_triggers",
                "_udfs",
                "_conflicts",
                "statistics");
        reader.finish();
        return new Described(
                id,
                new ContainerDefinition(key, indexing, conflicts, geospatial)
                        .withUniqueKeys(uniqueKeys)
                        .withComputedProperties(computed)
                        .withTimeToLive(timeToLive)
                        .withChangeRetention(retention)
                        .withEncryption(encryption)
                        .withIndexes(present.map(ContainerDefinition::indexes).orElse(List.of()))
                        .withValidator(present.flatMap(ContainerDefinition::validator))
                        .withKind(
                                present.map(ContainerDefinition::kind)
                                        .orElse(ContainerKind.DOCUMENT)));
    }

    private static void refuseWhatIsNotBuilt(BodyReader reader) {
        reader.refuseUnlessEmpty("analyticalStorageTtl");
        reader.refuseUnlessEmpty("vectorEmbeddingPolicy");
        reader.refuseUnlessEmpty("fullTextPolicy");
        reader.refuseUnlessEmpty("materializedViewDefinition");
        reader.refuseUnlessEmpty("materializedViews");
        reader.refuseUnlessEmpty("globalSecondaryIndexDefinition");
        reader.refuseUnlessEmpty("globalSecondaryIndexes");
    }

    /** Minutes; 0 is the change feed of latest versions that every container has. */
    private static int changeRetention(BodyReader policy) {
        long minutes = policy.integer("retentionDuration").orElse(0);
        policy.finish();
        if (minutes < 0 || minutes > MAX_CHANGE_RETENTION_MINUTES) {
            throw policy.refused(
                    "retentionDuration",
                    "is a number of minutes from 0 to "
                            + MAX_CHANGE_RETENTION_MINUTES
                            + ", which are 30 days");
        }
        return (int) minutes;
    }

    /** Absent is off, also where it was on before. */
    private static TimeToLive timeToLive(BodyReader reader) {
        OptionalLong seconds = reader.integer("defaultTtl");
        if (seconds.isEmpty()) {
            return TimeToLive.OFF;
        }
        long given = seconds.getAsLong();
        if (given != -1 && (given < 1 || given > Integer.MAX_VALUE)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The input defaultTtl '"
                            + given
                            + "' is invalid. Ensure to provide a nonzero positive integer less"
                            + " than or equal to '2147483647', or '-1' which means never expire.");
        }
        return new TimeToLive((int) given);
    }

    private static ConflictResolution conflicts(BodyReader policy) {
        ConflictResolution.Mode mode =
                policy.choice("mode", CONFLICT_MODES)
                        .orElse(ConflictResolution.Mode.LAST_WRITER_WINS);
        String path = policy.text("conflictResolutionPath").orElse("");
        String procedure = policy.text("conflictResolutionProcedure").orElse("");
        policy.finish();
        return switch (mode) {
            case LAST_WRITER_WINS -> {
                if (!procedure.isEmpty()) {
                    throw policy.refused(
                            "conflictResolutionProcedure", "belongs to the mode Custom only");
                }
                if (path.isEmpty()) {
                    yield new ConflictResolution(mode, "/_ts", "");
                }
                if (!isProperty(path)) {
                    throw new OrreryException(
                            ErrorCode.BAD_REQUEST,
                            "Invalid path '"
                                    + path
                                    + "' for last writer wins conflict resolution: it must name"
                                    + " one property, such as /_ts.");
                }
                yield new ConflictResolution(mode, path, "");
            }
            case CUSTOM -> {
                if (!path.isEmpty()) {
                    throw policy.refused(
                            "conflictResolutionPath", "belongs to the mode LastWriterWins only");
                }
                // It may be created later. Without a conflict nobody calls it, and with one region
                // to write in there is none.
                if (!procedure.isEmpty() && !PROCEDURE_LINK.matcher(procedure).matches()) {
                    throw policy.refused(
                            "conflictResolutionProcedure",
                            "must be the link of a stored procedure, such as"
                                    + " dbs/d/colls/c/sprocs/s");
                }
                yield new ConflictResolution(mode, "", procedure);
            }
        };
    }

    private static boolean isProperty(String path) {
        try {
            PropertyPath parsed = PropertyPath.parse(path);
            return parsed.segments().size() == 1
                    && !PartitionKeyJson.isWildcard(parsed.segments().getFirst());
        } catch (IllegalArgumentException notAPath) {
            return false;
        }
    }

    private static Optional<Geospatial> geospatial(BodyReader config) {
        Optional<Geospatial> type = config.choice("type", GEOSPATIAL);
        config.finish();
        return type;
    }

    /** Without a key only clients that know no other kind may create one. */
    static void checkKey(ContainerDefinition definition, boolean mayBeMissing) {
        if (definition.partitionKey().paths().isEmpty() && !mayBeMissing) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The partition key definition is missing. A container without one can be"
                            + " created only by clients older than 2018-12-31.");
        }
    }

    /**
     * @param showsSystemKey clients from the time before it take its container for one without a
     *     key
     */
    static Value.Obj write(Container container, boolean showsSystemKey) {
        ContainerDefinition definition = container.definition();
        String rid = container.rid().toString();
        Json.Builder json =
                Json.builder()
                        .put("id", container.name())
                        .put(
                                "indexingPolicy",
                                IndexingPolicyJson.write(definition.indexingPolicy()));
        boolean isHidden = definition.partitionKey().systemKey() && !showsSystemKey;
        if (!isHidden && !definition.partitionKey().paths().isEmpty()) {
            json.put("partitionKey", PartitionKeyJson.write(definition.partitionKey()));
        }
        if (definition.timeToLive().isOn()) {
            json.put("defaultTtl", definition.timeToLive().seconds());
        }
        if (definition.changeRetentionMinutes() > 0) {
            json.put(
                    "changeFeedPolicy",
                    Json.object(
                            "retentionDuration", Value.of(definition.changeRetentionMinutes())));
        }
        if (!definition.computedProperties().isEmpty()) {
            json.put(
                    "computedProperties",
                    ComputedPropertyJson.write(definition.computedProperties()));
        }
        definition
                .encryption()
                .ifPresent(
                        policy ->
                                json.put(
                                        "clientEncryptionPolicy",
                                        EncryptionPolicyJson.write(policy)));
        return json.put("uniqueKeyPolicy", UniqueKeyJson.write(definition.uniqueKeys()))
                .put("conflictResolutionPolicy", write(definition.conflictResolution()))
                .put(
                        "geospatialConfig",
                        Json.object(
                                "type",
                                Value.of(
                                        switch (definition.geospatial()) {
                                            case GEOGRAPHY -> "Geography";
                                            case GEOMETRY -> "Geometry";
                                        })))
                .put("_rid", rid)
                .put("_ts", container.timestampMillis() / 1000)
                .put("_self", container.rid().link())
                .put("_etag", container.etag().quoted())
                .put("_docs", "docs/")
                .put("_sprocs", "sprocs/")
                .put("_triggers", "triggers/")
                .put("_udfs", "udfs/")
                .put("_conflicts", "conflicts/")
                .build();
    }

    private static Value write(ConflictResolution policy) {
        return Json.builder()
                .put(
                        "mode",
                        switch (policy.mode()) {
                            case LAST_WRITER_WINS -> "LastWriterWins";
                            case CUSTOM -> "Custom";
                        })
                .put("conflictResolutionPath", policy.path())
                .put("conflictResolutionProcedure", policy.procedure())
                .build();
    }
}
