package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A text is passed over eight bytes at a time, wherever in it a mark stands. */
class StoredCursorProperties {
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings()
                .withChars('a', '!', '#', '[', ']', '"', '\\', '\n', 'é', '\u00A2', '€')
                .ofMaxLength(40);
    }

    @Property(tries = 2000)
    void endsWhereTheTextEnds(
            @ForAll("texts") String before, @ForAll("texts") String text, @ForAll boolean isLast) {
        String first = JsonText.write(Value.of(before));
        String second = JsonText.write(Value.of(text));
        StoredCursor cursor =
                new StoredCursor(
                        (first + second + (isLast ? "" : ",\"more\":\"\\\\\""))
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(cursor.skipText()).isEqualTo(first.contains("\\"));
        assertThat(cursor.at()).isEqualTo(first.getBytes(StandardCharsets.UTF_8).length);
        assertThat(cursor.text()).isEqualTo(text);
        assertThat(cursor.at()).isEqualTo((first + second).getBytes(StandardCharsets.UTF_8).length);
    }
}
