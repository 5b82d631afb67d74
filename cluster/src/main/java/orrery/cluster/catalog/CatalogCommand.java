package orrery.cluster.catalog;

import orrery.model.codec.BinaryWriter;

/**
 * A change to the catalog. It travels in a {@link CatalogRequest}, which names it and says when it
 * was asked for.
 */
public sealed interface CatalogCommand
        permits AccountCommand,
                AccessCommand,
                ResourceCommand,
                RangeCommand,
                ScriptCommand,
                TableCommand,
                RegisterNode {
    /** Few commands are larger. */
    int SMALL_BYTES = 1024;

    CatalogCommandKind kind();

    /** Writes the fields, without the kind. */
    void write(BinaryWriter out);

    /** About how many bytes it takes, for those who hold many. */
    default int sizeBytes() {
        return SMALL_BYTES;
    }
}
