package orrery.model.security;

/** The four keys of an account, named as people name them. */
public enum KeyKind {
    PRIMARY("primary", false),
    SECONDARY("secondary", false),
    PRIMARY_READONLY("primary-readonly", true),
    SECONDARY_READONLY("secondary-readonly", true);

    private final String text;
    private final boolean isReadOnly;

    KeyKind(String text, boolean isReadOnly) {
        this.text = text;
        this.isReadOnly = isReadOnly;
    }

    public boolean isReadOnly() {
        return isReadOnly;
    }

    @Override
    public String toString() {
        return text;
    }
}
