package orrery.script;

import org.jspecify.annotations.Nullable;

/**
 * The operations that a running script can ask of its surroundings. Called on the script's thread.
 */
public interface ScriptHost {
    /**
     * Carries out one operation.
     *
     * @param operation create, upsert, read, replace, delete, query or feed
     * @param link what it is about, as the script named it
     * @param body JSON of an item or a query
     * @param options JSON of an object
     * @throws RuntimeException ends the script, whatever it catches
     */
    Reply call(String operation, String link, @Nullable String body, String options);

    /** The result of an operation. */
    sealed interface Reply {
        /**
         * @param json an object with the members {@code resource} and {@code options}
         */
        record Done(String json) implements Reply {}

        /** The script is told, and may go on. */
        record Failed(int number, String text) implements Reply {}

        /** Not tried, because the script nears one of its bounds and should come to an end. */
        record NotAccepted() implements Reply {}
    }
}
