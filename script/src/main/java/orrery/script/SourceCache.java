package orrery.script;

import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/**
 * Sources by name and text. The engine keeps what it compiled of a source for as long as somebody
 * holds that source, so holding it here is what makes a script compile once. Thread-safe.
 */
final class SourceCache {
    private static final int MAX_SCRIPTS = 1000;
    private static final long MAX_CHARS = 32 << 20;

    private final Map<Key, Compiled> byText = new LinkedHashMap<>(16, 0.75f, true);
    private long chars;

    private record Key(String name, String body) {}

    /**
     * @param function what the source declares and is to be called; null if it evaluates to it
     */
    record Compiled(Source source, @Nullable String function) {}

    synchronized @Nullable Compiled find(String name, String body) {
        return byText.get(new Key(name, body));
    }

    synchronized void put(String name, String body, Compiled compiled) {
        if (byText.put(new Key(name, body), compiled) == null) {
            chars += body.length();
        }
        var eldest = byText.entrySet().iterator();
        while (byText.size() > MAX_SCRIPTS || chars > MAX_CHARS) {
            chars -= eldest.next().getKey().body().length();
            eldest.remove();
        }
    }

    synchronized int size() {
        return byText.size();
    }
}
