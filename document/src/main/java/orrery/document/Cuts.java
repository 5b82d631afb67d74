package orrery.document;

import java.util.Arrays;
import orrery.model.Bytes;

/**
 * The pieces to take out of the text of an object so that some of its properties are gone and it is
 * still an object. A run of such properties goes together with the comma behind it, or, at the end
 * of the object, with the comma before it.
 */
final class Cuts {
    private final byte[] text;

    /** Pairs of offsets: first byte cut, first byte kept again. */
    private int[] bounds = new int[0];

    private int openAt = -1;
    private int reached;

    Cuts(byte[] text) {
        this.text = text;
    }

    boolean isOpen() {
        return openAt >= 0;
    }

    /** A property to cut begins with its name here; it may continue a run. */
    void start(long nameOffset) {
        if (!isOpen()) {
            openAt = (int) nameOffset;
        }
    }

    /** The last property of the run ends here. */
    void reach(long valueEnd) {
        reached = (int) valueEnd;
    }

    /** The name of a property to keep begins here. */
    void end(long nameOffset) {
        add(openAt, (int) nameOffset);
        openAt = -1;
    }

    void endObject(boolean isAnythingKept) {
        if (isOpen()) {
            add(isAnythingKept ? commaBefore(openAt) : openAt, reached);
            openAt = -1;
        }
    }

    /** The text up to {@code end} without the cuts; the same array if that is all of it. */
    Bytes remove(Bytes whole, int end) {
        if (bounds.length == 0 && end == text.length) {
            return whole;
        }
        ByteSink kept = new ByteSink(end);
        int at = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            kept.put(text, at, bounds[i] - at);
            at = bounds[i + 1];
        }
        kept.put(text, at, end - at);
        return kept.toBytes();
    }

    private void add(int from, int to) {
        bounds = Arrays.copyOf(bounds, bounds.length + 2);
        bounds[bounds.length - 2] = from;
        bounds[bounds.length - 1] = to;
    }

    /** Between a name and the comma before it there is only white space. */
    private int commaBefore(int nameOffset) {
        int at = nameOffset - 1;
        while (text[at] != ',') {
            at--;
        }
        return at;
    }
}
