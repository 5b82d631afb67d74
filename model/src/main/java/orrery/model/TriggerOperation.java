package orrery.model;

/** The writes that a trigger is meant for. An upsert is the create or the replace it turns into. */
public enum TriggerOperation {
    ALL,
    CREATE,
    REPLACE,
    /** Another name of the service for a replace; it means the same here. */
    UPDATE,
    DELETE,
    /** The trigger runs for upserts, whatever they turn into, and for nothing else. */
    UPSERT;

    /**
     * @param write what is being done to the item: CREATE, REPLACE or DELETE
     */
    public boolean covers(TriggerOperation write) {
        return this == ALL || this == write || (this == UPDATE && write == REPLACE);
    }
}
