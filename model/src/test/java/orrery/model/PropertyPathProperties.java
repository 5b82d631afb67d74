package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class PropertyPathProperties {
    @Provide
    Arbitrary<PropertyPath> paths() {
        return Generated.propertyPaths();
    }

    @Provide
    Arbitrary<String> nearlyPaths() {
        return Arbitraries.strings().withChars("ab_1-/\"' \u00e9").ofMaxLength(12);
    }

    @Property
    void textReadsBack(@ForAll("paths") PropertyPath path) {
        assertThat(PropertyPath.parse(path.toString())).isEqualTo(path);
    }

    @Property
    void whateverIsReadCanBeWritten(@ForAll("nearlyPaths") String text) {
        PropertyPath path;
        try {
            path = PropertyPath.parse(text);
        } catch (IllegalArgumentException refused) {
            return;
        }
        assertThat(PropertyPath.parse(path.toString())).isEqualTo(path);
    }

    @Example
    void quotesOnlyWhereNeeded() {
        assertThat(new PropertyPath(List.of("a", "b c", "d"))).hasToString("/a/\"b c\"/d");
        assertThat(new PropertyPath(List.of("say \"hi\""))).hasToString("/'say \"hi\"'");
        assertThat(new PropertyPath(List.of("höhe", "高さ"))).hasToString("/höhe/高さ");
        assertThat(PropertyPath.parse("/'a/b'/c").segments()).containsExactly("a/b", "c");
    }

    @Example
    void refusesWhatIsNoPath() {
        for (String text : List.of("", "/", "a", "/a//b", "/\"a", "/\"\"", "/\"a\"b")) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> PropertyPath.parse(text));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new PropertyPath(List.of("'/\"")));
    }
}
