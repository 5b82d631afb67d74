package orrery.bench;

/** A client that nobody wants on his server. */
interface Neighbour {
    /** The name that the table shows. */
    String name();

    /** Sends its worst until the visit is over. */
    void run(Visit visit) throws Exception;
}
