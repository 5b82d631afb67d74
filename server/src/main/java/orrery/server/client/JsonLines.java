package orrery.server.client;

import java.io.PrintWriter;
import orrery.model.Bytes;

/** A JSON array that is printed while it comes, each element on a line of its own. */
final class JsonLines {
    private final PrintWriter out;
    private boolean isEmpty = true;

    JsonLines(PrintWriter out) {
        this.out = out;
    }

    void print(Bytes element) {
        out.print(isEmpty ? "[" : ",");
        out.println();
        out.print(OneLine.of(element).toUtf8());
        isEmpty = false;
    }

    void end() {
        if (isEmpty) {
            out.println("[]");
        } else {
            out.println();
            out.println("]");
        }
    }
}
