package orrery.gateway.api;

/** The containers whose changes a stream shows: also those that are made later. */
public sealed interface StreamScope {
    /** One container, by its name: the stream ends with it. */
    record OneContainer(String database, String container) implements StreamScope {}

    /** All of a database: the stream ends with it. */
    record OneDatabase(String database) implements StreamScope {}

    /** All databases. */
    record Everything() implements StreamScope {}
}
