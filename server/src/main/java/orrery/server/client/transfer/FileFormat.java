package orrery.server.client.transfer;

import java.util.Locale;
import java.util.Optional;

/** The formats of files with items. */
enum FileFormat {
    /** One array. */
    JSON,
    /** One item on each line. */
    JSONL;

    /** Returns the format that the name of a file promises, compressed or not. */
    static Optional<FileFormat> ofName(String file) {
        String name = file.toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
        return name.endsWith(".jsonl") || name.endsWith(".ndjson")
                ? Optional.of(JSONL)
                : Optional.empty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
