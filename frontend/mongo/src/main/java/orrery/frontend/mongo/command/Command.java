package orrery.frontend.mongo.command;

import java.util.Set;
import orrery.model.Bytes;

/**
 * A command.
 *
 * @param name as clients write it
 * @param fields those that it knows besides its own name and those of all commands
 * @param access who may call it
 */
record Command(String name, Access access, Set<String> fields, Body body) {
    /** The ones who may call a command. */
    enum Access {
        /** Everybody, before they have said who they are. */
        ANYBODY,
        /** Who has logged in. */
        READER,
        /** Who has logged in with a key that may write. */
        WRITER
    }

    /** Returns the answer; failures are exceptions. */
    @FunctionalInterface
    interface Body {
        Bytes run(CommandRequest request);
    }
}
