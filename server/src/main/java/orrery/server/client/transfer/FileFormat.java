package orrery.server.client.transfer;

import java.util.Locale;

/** The formats of files with items. */
enum FileFormat {
    /** One array. */
    JSON,
    /** One item on each line. */
    JSONL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
