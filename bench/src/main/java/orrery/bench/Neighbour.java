package orrery.bench;

/** A client that nobody wants on his server. */
interface Neighbour {
    /** As a reader of the table understands it. */
    String name();

    /** Sends its worst until the visit is over. */
    void run(Visit visit) throws Exception;
}
