package orrery.model;

/**
 * The required freshness of a read, strongest first. A request may only weaken the account's level.
 */
public enum ConsistencyLevel {
    STRONG("Strong"),
    BOUNDED_STALENESS("BoundedStaleness"),
    SESSION("Session"),
    CONSISTENT_PREFIX("ConsistentPrefix"),
    EVENTUAL("Eventual");

    private final String wireName;

    ConsistencyLevel(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
