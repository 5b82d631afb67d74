package orrery.query.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ParameterNamesTest {
    @Test
    void namesAreThoseOfTokens() {
        assertThat(
                        ParameterNames.of(
                                "SELECT TOP @top c.n, '@text', \"@quoted\", @größe FROM c -- @comment\n"
                                        + " WHERE c.x = @a AND EXISTS(SELECT 1 WHERE @a = @A)"
                                        + " ORDER BY c.n OFFSET @o LIMIT @l"))
                .containsExactly("@A", "@a", "@größe", "@l", "@o", "@top");
    }

    @Test
    void whatIsNoQueryHasNamesToo() {
        assertThat(ParameterNames.of("SELECT @a FROM WHERE ' @b")).containsExactly("@a");
        assertThat(ParameterNames.of("")).isEmpty();
        assertThat(ParameterNames.of("@ @1 \u0000")).isEmpty();
    }
}
