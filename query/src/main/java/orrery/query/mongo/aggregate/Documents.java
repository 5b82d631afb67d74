package orrery.query.mongo.aggregate;

import orrery.document.Value;

/**
 * Documents, made one after the other when they are asked for. What has gathered some and is told
 * to pause goes on later where it was; so does what was refused for its rate by what it reads. Used
 * by one thread at a time.
 */
public interface Documents {
    /** The outcome of a step. */
    enum Step {
        /** There is another document. */
        ROW,
        /** Others take turns with the same source; the next step goes on. */
        PAUSED,
        /** There are no more, in any later step either. */
        END
    }

    Step advance();

    /** Returns the document that the last step came to. */
    Value.Obj row();

    /** Returns the heap that is kept between two steps, roughly, with that of the source. */
    long heapBytes();
}
