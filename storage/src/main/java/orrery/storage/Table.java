package orrery.storage;

/**
 * The four column families. Fixed: a container is a key prefix in each, never a table of its own.
 */
public enum Table {
    /** Items in the order of their effective keys. */
    ITEMS("items", true),
    /** Index terms and the items they stand for. */
    INDEX("index", false),
    /** Change records in LSN order. */
    CHANGES("changes", false),
    /** Applied position, partitions, definitions, counters, deduplication, catalog. */
    META("meta", true);

    private final String familyName;
    private final boolean hasPointLookups;

    Table(String familyName, boolean hasPointLookups) {
        this.familyName = familyName;
        this.hasPointLookups = hasPointLookups;
    }

    String familyName() {
        return familyName;
    }

    /** Bloom filters pay only where keys are looked up whole. */
    boolean hasPointLookups() {
        return hasPointLookups;
    }
}
