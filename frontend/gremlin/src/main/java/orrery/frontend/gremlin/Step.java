package orrery.frontend.gremlin;

/** The end of the work on one message, and what becomes of the connection. */
enum Step {
    /** It is answered. */
    DONE,
    /** It is answered when its sender has logged in. */
    KEPT,
    /** Its sender has logged in. */
    LOGGED_IN,
    /** The connection ends. */
    CLOSE
}
