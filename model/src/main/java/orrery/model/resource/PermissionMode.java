package orrery.model.resource;

/** The operations that a permission allows on its resource. */
public enum PermissionMode {
    READ("Read"),
    ALL("All");

    private final String text;

    PermissionMode(String text) {
        this.text = text;
    }

    /** The mode as clients write it. */
    public String text() {
        return text;
    }
}
