package orrery.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Source;

/** JavaScript of our own. */
final class Resources {
    private Resources() {}

    /** Internal sources do not appear in the stacks that scripts' authors are shown. */
    static Source source(String name) {
        try (InputStream text = Resources.class.getResourceAsStream(name)) {
            if (text == null) {
                throw new IllegalStateException("not packaged: " + name);
            }
            return Source.newBuilder(
                            "js", new String(text.readAllBytes(), StandardCharsets.UTF_8), name)
                    .internal(true)
                    .buildLiteral();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
