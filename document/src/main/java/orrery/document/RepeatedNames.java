package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;

/**
 * Takes out properties whose name comes again later in the same object, so that whoever reads the
 * text finds each name once and with its last value. Names are compared without their escapes.
 */
final class RepeatedNames {
    private record Cut(int from, int to) {}

    /** The names of one object so far. */
    private static final class Names {
        /** The offsets at which the properties begin. */
        private final List<Integer> starts = new ArrayList<>();

        private final Map<String, Integer> latest = new HashMap<>();
    }

    private final List<Cut> cuts = new ArrayList<>();

    private RepeatedNames() {}

    /** The text without them. Throws where it is no JSON. */
    static Bytes remove(Bytes json) throws IOException {
        RepeatedNames names = new RepeatedNames();
        names.find(json.unsafeArray());
        return names.cut(json.unsafeArray());
    }

    private void find(byte[] text) throws IOException {
        Deque<Names> open = new ArrayDeque<>();
        try (JsonParser parser = JsonInput.openTrusted(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT -> open.push(new Names());
                    case END_OBJECT -> open.pop();
                    case FIELD_NAME ->
                            add(
                                    open.element(),
                                    parser.currentName(),
                                    (int) JsonInput.offset(parser));
                    default -> {}
                }
            }
        }
    }

    /** Behind a property that is taken out there is another one, the one with its name at least. */
    private void add(Names names, String name, int start) {
        names.starts.add(start);
        Integer earlier = names.latest.put(name, names.starts.size() - 1);
        if (earlier != null) {
            cuts.add(new Cut(names.starts.get(earlier), names.starts.get(earlier + 1)));
        }
    }

    private Bytes cut(byte[] text) {
        cuts.sort(Comparator.comparingInt(Cut::from));
        ByteSink kept = new ByteSink(text.length);
        int at = 0;
        for (Cut cut : cuts) {
            if (cut.from() > at) {
                kept.put(text, at, cut.from() - at);
            }
            at = Math.max(at, cut.to());
        }
        return kept.put(text, at, text.length - at).toBytes();
    }
}
