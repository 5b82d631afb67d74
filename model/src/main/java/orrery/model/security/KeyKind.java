package orrery.model.security;

/** The four keys of an account, named as people name them. */
public enum KeyKind {
    PRIMARY("primary"),
    SECONDARY("secondary"),
    PRIMARY_READONLY("primary-readonly"),
    SECONDARY_READONLY("secondary-readonly");

    private final String text;

    KeyKind(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
