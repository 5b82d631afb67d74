package orrery.model;

/**
 * The API that a container was made for. It decides in which encoding bodies are kept, how large
 * they may be, how etags are made, and which rules of that API's front-end ids follow. Stored by
 * its place in this list, which only grows.
 */
public enum ContainerKind {
    DOCUMENT(Encoding.JSON, EtagScheme.WRITE),
    MONGODB(Encoding.BSON, EtagScheme.WRITE),
    TABLE(Encoding.JSON, EtagScheme.FILE_TIME),
    GRAPH(Encoding.JSON, EtagScheme.WRITE);

    /** The way in which a write gets its etag. */
    public enum EtagScheme {
        /** From partition, LSN and ordinal, see {@link Etag#ofWrite}. */
        WRITE,

        /** From the time of the write, see {@link FileTime}: tables show it as a moment. */
        FILE_TIME
    }

    private final Encoding encoding;
    private final EtagScheme etags;

    ContainerKind(Encoding encoding, EtagScheme etags) {
        this.encoding = encoding;
        this.etags = etags;
    }

    public Encoding encoding() {
        return encoding;
    }

    public SizeLimits limits() {
        return switch (this) {
            case MONGODB -> SizeLimits.MONGODB;
            case DOCUMENT, TABLE, GRAPH -> SizeLimits.DEFAULT;
        };
    }

    /** The other front-ends check ids themselves, so nothing here may be stricter than they. */
    public IdRules ids() {
        return switch (this) {
            case DOCUMENT -> IdRules.SQL;
            case MONGODB, TABLE, GRAPH -> IdRules.ANY;
        };
    }

    public EtagScheme etags() {
        return etags;
    }
}
