package orrery.server.client;

import java.io.Console;
import java.util.Optional;

/** The person at the keyboard, if there is one. */
interface Terminal {
    /** Returns the answer, empty where the person ended the input instead. */
    String ask(String question);

    static Optional<Terminal> ofProcess() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(
                        console ->
                                question ->
                                        Optional.ofNullable(console.readLine("%s", question))
                                                .orElse(""));
    }
}
