package orrery.document;

/** Why one operation cannot be applied; {@link Patch} adds which. Never leaves the package. */
final class PatchFault extends Exception {
    private final String reason;

    PatchFault(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
