package orrery.server.client;

import orrery.model.Bytes;

/** JSON on one line. Line breaks in JSON stand between tokens: in strings they are escaped. */
public final class OneLine {
    private OneLine() {}

    public static Bytes of(Bytes json) {
        byte[] text = json.unsafeArray().clone();
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n' || text[i] == '\r') {
                text[i] = ' ';
            }
        }
        return Bytes.wrap(text);
    }
}
