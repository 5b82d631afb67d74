package orrery.query.write;

/** The versions of its item that a write wants in its answer. */
public enum Images {
    NONE(false, false),
    BEFORE(true, false),
    AFTER(false, true),
    BOTH(true, true);

    private final boolean before;
    private final boolean after;

    Images(boolean before, boolean after) {
        this.before = before;
        this.after = after;
    }

    /** Returns true if the answer holds the version that the write replaced or deleted. */
    public boolean before() {
        return before;
    }

    /** Returns true if the answer holds the body that the write made. */
    public boolean after() {
        return after;
    }
}
