package orrery.gateway;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.SystemProperties;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.NamedIndex;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;
import orrery.query.mongo.validate.DocumentRule;

/** Checks a container definition, whichever API it came through. */
final class ContainerRules {
    private static final int MAX_KEY_LEVELS = 3;

    private static final int MAX_UNIQUE_KEYS = 10;
    private static final int MAX_UNIQUE_PATHS = 16;

    private ContainerRules() {}

    static void checkCreate(ContainerDefinition definition, boolean shares) {
        PartitionKeyDefinition key = definition.partitionKey();
        if (key.paths().isEmpty() && shares) {
            throw bad(
                    "A container that shares its database's throughput needs a partition key."
                            + " Define one, or give the container throughput of its own.");
        }
        checkLevels(key);
        if (key.isHierarchical() && key.version() != 2) {
            throw bad("A hierarchical partition key (MultiHash) needs version 2.");
        }
        if (key.version() < 1 || key.version() > 2) {
            throw bad("The version of a partition key is 1 or 2.");
        }
        checkUniqueKeys(definition.uniqueKeys());
        checkExpiry(definition);
        checkSpatial(definition);
        checkIndexes(definition);
        checkReady(definition);
        checkValidator(definition);
        EncryptionRules.check(definition);
    }

    private static void checkLevels(PartitionKeyDefinition key) {
        int paths = key.paths().size();
        int most = key.isHierarchical() ? MAX_KEY_LEVELS : 1;
        if (paths > most) {
            throw bad(
                    "Too many partition key paths ("
                            + paths
                            + ") specified. A maximum of "
                            + most
                            + " is allowed."
                            + (key.isHierarchical()
                                    ? ""
                                    : " A hierarchical key, of up to 3, has the kind MultiHash."));
        }
    }

    /** Refuses a lifetime without an index, because expired items are found through the index. */
    private static void checkExpiry(ContainerDefinition definition) {
        if (definition.timeToLive().isOn()
                && definition.indexingPolicy().mode() == IndexingPolicy.Mode.NONE) {
            throw bad(
                    "Items of a container with indexing mode none cannot expire. Choose the mode"
                            + " consistent, or leave out defaultTtl.");
        }
    }

    private static void checkUniqueKeys(List<UniqueKey> keys) {
        if (keys.size() > MAX_UNIQUE_KEYS) {
            throw bad("A container has at most 10 unique keys.");
        }
        for (UniqueKey key : keys) {
            if (key.paths().isEmpty()) {
                throw bad("A unique key needs at least one path.");
            }
            if (key.paths().size() > MAX_UNIQUE_PATHS) {
                throw bad("A unique key has at most 16 paths.");
            }
            if (Set.copyOf(key.paths()).size() < key.paths().size()) {
                throw bad("A unique key names the same path twice.");
            }
            for (PropertyPath path : key.paths()) {
                if (SystemProperties.isSystemProperty(path.segments().getFirst())) {
                    throw bad(
                            "The path '"
                                    + path
                                    + "' of a unique key leads to a property of the system.");
                }
            }
        }
        if (Set.copyOf(keys).size() < keys.size()) {
            throw bad("Two unique keys have the same paths.");
        }
    }

    /**
     * Checks the spatial indexes: their entries depend on whether coordinates lie in a box or on
     * the globe.
     */
    private static void checkSpatial(ContainerDefinition definition) {
        boolean isPlane = definition.geospatial() == ContainerDefinition.Geospatial.GEOMETRY;
        for (IndexingPolicy.SpatialPath index : definition.indexingPolicy().spatialIndexes()) {
            if (isPlane && index.box().isEmpty()) {
                throw bad(
                        "The spatial index '"
                                + index.path()
                                + "' needs a boundingBox, as the container's geospatialConfig is"
                                + " Geometry.");
            }
            if (!isPlane && index.box().isPresent()) {
                throw bad(
                        "The spatial index '"
                                + index.path()
                                + "' must not have a boundingBox, as the container's"
                                + " geospatialConfig is Geography.");
            }
        }
    }

    /**
     * Checks the named indexes. The policy is stored beside them, so it must be the one that
     * follows from them.
     */
    static void checkIndexes(ContainerDefinition definition) {
        List<NamedIndex> indexes = definition.indexes();
        if (indexes.isEmpty()) {
            return;
        }
        if (definition.kind() != ContainerKind.MONGODB) {
            throw bad("Only containers of the kind MongoDB have indexes with names.");
        }
        NamedIndexes.fault(definition.partitionKey(), indexes)
                .ifPresent(
                        fault -> {
                            throw bad("The indexes are invalid: " + fault + ".");
                        });
        for (NamedIndex index : indexes) {
            // It fails with MongoDB's own code if this is no filter.
            index.filter()
                    .ifPresent(
                            filter ->
                                    Matcher.compile(
                                            BsonCodec.read(filter),
                                            MatchContext.of(Instant.EPOCH)));
        }
        if (!NamedIndexes.define(definition, indexes).equals(definition)) {
            throw bad("The indexing policy of the container is not that of its indexes.");
        }
    }

    /** Refuses an index that is being built, in a container that has nothing to build it of. */
    private static void checkReady(ContainerDefinition definition) {
        if (definition.indexes().stream()
                .anyMatch(index -> index.state() != NamedIndex.State.READY)) {
            throw bad("The indexes of a new container are ready.");
        }
    }

    static void checkReplace(ContainerDefinition present, ContainerDefinition wanted) {
        if (!present.partitionKey().equals(wanted.partitionKey())) {
            throw bad(
                    "The partition key of a container cannot be changed. Create a new container"
                            + " and copy the items.");
        }
        if (present.kind() != wanted.kind()) {
            throw bad("The kind of a container cannot be changed: its items stay as they are.");
        }
        checkExpiry(wanted);
        if (!present.uniqueKeys().equals(wanted.uniqueKeys())) {
            throw bad(
                    "Unique index cannot be modified. To change the unique index, remove the"
                            + " collection and re-create a new one.");
        }
        if (!present.conflictResolution().equals(wanted.conflictResolution())) {
            throw bad("The conflict resolution policy of a container cannot be changed.");
        }
        if (!present.encryption().equals(wanted.encryption())) {
            throw bad(
                    "'clientEncryptionPolicy' cannot be changed as part of collection replace"
                            + " operation.");
        }
        checkSpatial(wanted);
        checkIndexesStay(present, wanted);
        checkValidator(wanted);
    }

    /** Fails with MongoDB's own code if the validator's filter is none. */
    private static void checkValidator(ContainerDefinition definition) {
        definition
                .validator()
                .ifPresent(
                        validator -> {
                            if (definition.kind() != ContainerKind.MONGODB) {
                                throw bad("Only containers of the kind MongoDB have a validator.");
                            }
                            validator
                                    .fault()
                                    .ifPresent(
                                            fault -> {
                                                throw bad("The validator is invalid: " + fault);
                                            });
                            DocumentRule.of(validator.filter());
                        });
    }

    /** Named indexes are changed where clients know their names, and what follows from them too. */
    private static void checkIndexesStay(ContainerDefinition present, ContainerDefinition wanted) {
        if (present.indexes().isEmpty() && wanted.indexes().isEmpty()) {
            return;
        }
        boolean stay =
                present.indexes().equals(wanted.indexes())
                        && present.indexingPolicy().equals(wanted.indexingPolicy())
                        && present.timeToLive().equals(wanted.timeToLive());
        if (!stay) {
            throw bad(
                    "The indexing policy and the lifetime of this container follow from its"
                            + " indexes. Change the indexes through the MongoDB API.");
        }
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
