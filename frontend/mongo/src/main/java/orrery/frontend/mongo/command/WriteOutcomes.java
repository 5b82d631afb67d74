package orrery.frontend.mongo.command;

import orrery.document.Value;
import orrery.model.OrreryException;

/** Takes what becomes of the statements of a command, each by its position in the command. */
interface WriteOutcomes {
    void inserted(int index);

    /**
     * Takes a failure. Some failures make the whole command fail, and are thrown instead.
     *
     * @param id of the document that was to be written, if it is known
     */
    void failed(int index, OrreryException failure, Value id);

    /** Returns true if no more statements are carried out: an ordered command has failed. */
    boolean isOver();
}
