package orrery.tests.runner;

import java.io.PrintStream;

/** Prints whole lines as they come, each with the part that it is about. */
final class Console {
    private final PrintStream out;

    Console(PrintStream out) {
        this.out = out;
    }

    synchronized void heading(String text) {
        out.println("== " + text);
        out.flush();
    }

    synchronized void say(String part, String text) {
        out.printf("%-9s %s%n", part, text);
        out.flush();
    }

    synchronized void print(String text) {
        out.println(text);
        out.flush();
    }
}
