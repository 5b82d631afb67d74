package orrery.partition.machine;

/**
 * The set has a feature level that this release does not know. The replica stops before it applies
 * anything: another outcome than that of the others would be worse than none.
 */
public final class UnknownLevelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownLevelException(int level, int newest) {
        super(
                "the set has feature level "
                        + level
                        + ", but this release knows no level above "
                        + newest
                        + "; start a later release");
    }
}
