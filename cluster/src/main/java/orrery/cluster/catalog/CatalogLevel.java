package orrery.cluster.catalog;

import java.util.List;
import orrery.model.ScriptDefinition;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.AppliedRecord;

/**
 * The constants that applying depends on, by the feature level in the catalog's store. A release
 * may know several levels. It applies a command as the level says, so replicas of different
 * releases agree; a constant is changed by adding a level, never in place.
 *
 * @param requestMillis a repeated request gets the outcome of the first for this long, as in
 *     partitions
 * @param maxRequests beyond this, the oldest are forgotten early
 * @param forgottenPerEntry more than one entry adds, so none pile up
 * @param maxDefinitions earlier definitions that a container keeps
 * @param maxDefinitionBytes what they may take together; the last one is kept in any case
 * @param maxEvents splits and merges that a container remembers
 * @param maxResources databases and containers of an account together, where quotas hold
 * @param maxSharing containers that share the throughput of a database, where quotas hold
 * @param maxProcedures stored procedures of a container, where quotas hold
 * @param maxFunctions functions of a container, where quotas hold
 * @param maxTriggers triggers of a container, where quotas hold
 * @param maxClientEncryptionKeys client encryption keys of a database, where quotas hold
 */
record CatalogLevel(
        int number,
        long requestMillis,
        int maxRequests,
        int forgottenPerEntry,
        int maxDefinitions,
        int maxDefinitionBytes,
        int maxEvents,
        int maxResources,
        int maxSharing,
        int maxProcedures,
        int maxFunctions,
        int maxTriggers,
        int maxClientEncryptionKeys) {
    /** Its quotas are those of the service. */
    static final CatalogLevel FIRST =
            new CatalogLevel(
                    AppliedRecord.FIRST_LEVEL,
                    60_000,
                    8192,
                    4,
                    50,
                    256 << 10,
                    50,
                    500,
                    25,
                    100,
                    50,
                    25,
                    20);

    private static final List<CatalogLevel> KNOWN = List.of(FIRST);

    /** Throws if this release does not know the level: it must not guess what commands mean. */
    static CatalogLevel of(int number) {
        return KNOWN.stream()
                .filter(level -> level.number == number)
                .findFirst()
                .orElseThrow(
                        () ->
                                new MalformedRecordException(
                                        "the catalog has the feature level "
                                                + number
                                                + ", which a later release wrote; this one knows"
                                                + " levels up to "
                                                + KNOWN.getLast().number));
    }

    /** Returns the most scripts of a kind that one container may have, where quotas hold. */
    int scriptQuota(ScriptDefinition.Kind kind) {
        return switch (kind) {
            case PROCEDURE -> maxProcedures;
            case FUNCTION -> maxFunctions;
            case TRIGGER -> maxTriggers;
        };
    }
}
