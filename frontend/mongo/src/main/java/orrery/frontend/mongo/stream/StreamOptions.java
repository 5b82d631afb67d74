package orrery.frontend.mongo.stream;

/** What events of a stream show beside the change itself. */
public record StreamOptions(FullDocument fullDocument, BeforeChange before) {
    /** The document of an update; an insert and a replace always have theirs. */
    public enum FullDocument {
        /** Events of updates have none. */
        DEFAULT,
        /** The document as it is when the event is read. */
        UPDATE_LOOKUP,
        /** The document as the update left it. */
        WHEN_AVAILABLE,
        REQUIRED
    }

    /** The document as it was before a change. */
    public enum BeforeChange {
        OFF,
        WHEN_AVAILABLE,
        REQUIRED
    }
}
