package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class SessionTokenProperties {
    @Provide
    Arbitrary<SessionToken> tokens() {
        return Arbitraries.maps(Arbitraries.integers().greaterOrEqual(0), Arbitraries.longs())
                .ofMaxSize(20)
                .map(lsns -> new SessionToken(new TreeMap<>(lsns)));
    }

    @Provide
    Arbitrary<String> nearlyTokens() {
        return Arbitraries.strings().withChars("0129:#=,- ").ofMaxLength(25);
    }

    @Property
    void bothFormsReadBack(@ForAll("tokens") SessionToken token) {
        assertThat(SessionToken.parse(token.format())).isEqualTo(token);
        assertThat(SessionToken.parse(token.formatLegacy())).isEqualTo(token);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void joinedTokensKeepTheHigherLsn(
            @ForAll("tokens") SessionToken a, @ForAll("tokens") SessionToken b) {
        SessionToken joined =
                SessionToken.parse(
                        a.lsnByRange().isEmpty() || b.lsnByRange().isEmpty()
                                ? a.format() + b.format()
                                : a.format() + "," + b.formatLegacy());

        TreeMap<Integer, Long> expected = new TreeMap<>(a.lsnByRange());
        b.lsnByRange().forEach((range, lsn) -> expected.merge(range, lsn, Math::max));
        assertThat(joined).isEqualTo(new SessionToken(expected));
    }

    @Property
    void anyTextIsReadOrRefused(@ForAll String text) {
        assertReadOrRefused(text);
    }

    @Property
    void nearMissesAreReadOrRefused(@ForAll("nearlyTokens") String text) {
        assertReadOrRefused(text);
    }

    private static void assertReadOrRefused(String text) {
        SessionToken token;
        try {
            token = SessionToken.parse(text);
        } catch (OrreryException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            return;
        }
        assertThat(SessionToken.parse(token.format())).isEqualTo(token);
    }
}
