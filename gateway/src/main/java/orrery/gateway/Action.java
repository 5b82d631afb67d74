package orrery.gateway;

/** The kinds of requests that a principal may or may not make. */
public enum Action {
    /** Learns that a container exists and how it is defined, on the way to something in it. */
    RESOLVE(false, "find containers"),
    READ_ITEMS(false, "read items"),
    WRITE_ITEMS(true, "change items"),
    RUN_PROCEDURES(true, "run stored procedures"),
    READ_RESOURCES(false, "read databases, containers, scripts and throughput"),
    CHANGE_RESOURCES(true, "change databases, containers, scripts or throughput"),
    INSPECT(false, "look at partitions"),
    OPERATE(true, "reshape or repair partitions, or set faults"),
    READ_SETTINGS(false, "read settings of the account"),
    CHANGE_SETTINGS(true, "change settings of the account"),
    /** A key that is seen may be used, so that it is more than a read. */
    SEE_KEYS(true, "see keys"),
    REPLACE_KEYS(true, "replace keys");

    private final boolean needsReadWriteKey;
    private final String text;

    Action(boolean needsReadWriteKey, String text) {
        this.needsReadWriteKey = needsReadWriteKey;
        this.text = text;
    }

    boolean needsReadWriteKey() {
        return needsReadWriteKey;
    }

    /** The action as it stands behind "cannot" in a refusal. */
    String text() {
        return text;
    }
}
