package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** LIKE agrees with the regular expression that says the same. */
final class LikePatternProperties {
    @Property(tries = 5000)
    void agreesWithRegex(@ForAll("texts") String text, @ForAll("patterns") String pattern) {
        String regex = pattern.replace("%", ".*").replace("_", ".");
        assertThat(LikePattern.compile(pattern, Optional.empty()).matches(text))
                .isEqualTo(Pattern.matches(regex, text));
    }

    @Property(tries = 1000)
    void escapedTextMatchesItself(@ForAll String text) {
        String escaped = text.replaceAll("([%_\\[\\]!])", "!$1");
        assertThat(LikePattern.compile(escaped, Optional.of('!')).matches(text)).isTrue();
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("abc").ofMaxLength(8);
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.of("a", "b", "c", "%", "_", "[ab]", "[^a]", "[a-b]")
                .list()
                .ofMaxSize(6)
                .map(parts -> String.join("", parts));
    }
}
