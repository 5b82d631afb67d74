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
    /** Stands for fields of any name. */
    static final Set<String> ANY_FIELDS = Set.of("*");

    boolean takesAnyField() {
        return fields.containsAll(ANY_FIELDS);
    }

    /** The ones who may call a command. */
    enum Access {
        /** Everybody, before they have said who they are. */
        ANYBODY,
        /** Who has logged in. */
        READER,
        /** Who has logged in with a key that may write. */
        WRITER,
        /** The same ones; the command changes more than documents. */
        MANAGER;

        boolean mayWrite() {
            return this == WRITER || this == MANAGER;
        }
    }

    /** Returns the answer; failures are exceptions. */
    @FunctionalInterface
    interface Body {
        Bytes run(CommandRequest request);
    }
}
