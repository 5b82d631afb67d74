package orrery.gateway;

import java.util.Optional;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Throughput;

/** What a container definition must satisfy, whichever API it came through. */
final class ContainerRules {
    private static final int MAX_KEY_LEVELS = 3;
    private static final int FIXED_MAX_THROUGHPUT = 10_000;

    private ContainerRules() {}

    static void checkCreate(
            ContainerDefinition definition, Optional<Throughput> throughput, boolean shares) {
        PartitionKeyDefinition key = definition.partitionKey();
        if (key.paths().isEmpty()) {
            checkFixed(throughput, shares);
        }
        if (key.paths().size() > MAX_KEY_LEVELS) {
            throw bad("A partition key has at most 3 paths.");
        }
        if (key.isHierarchical() && key.version() != 2) {
            throw bad("A hierarchical partition key (MultiHash) needs version 2.");
        }
        if (!key.isHierarchical() && key.paths().size() > 1) {
            throw bad("A partition key with several paths needs the kind MultiHash.");
        }
        if (key.version() < 1 || key.version() > 2) {
            throw bad("The version of a partition key is 1 or 2.");
        }
    }

    static void checkReplace(ContainerDefinition present, ContainerDefinition wanted) {
        if (!present.partitionKey().equals(wanted.partitionKey())) {
            throw bad(
                    "The partition key of a container cannot be changed. Create a new container"
                            + " and copy the items.");
        }
        if (!present.conflictResolution().equals(wanted.conflictResolution())) {
            throw bad("The conflict resolution policy of a container cannot be changed.");
        }
    }

    private static void checkFixed(Optional<Throughput> throughput, boolean shares) {
        if (shares) {
            throw bad("A container that shares its database's throughput needs a partition key.");
        }
        if (throughput.isPresent() && throughput.get().ceiling() > FIXED_MAX_THROUGHPUT) {
            throw bad(
                    "A container without a partition key can have at most 10000 RU/s. Define a"
                            + " partition key for more.");
        }
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
