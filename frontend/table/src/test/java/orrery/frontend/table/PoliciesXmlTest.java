package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.resource.StoredAccessPolicy;

class PoliciesXmlTest {
    private static final String ONE =
            "<SignedIdentifier><Id>%s</Id><AccessPolicy><Permission>r</Permission></AccessPolicy>"
                    + "</SignedIdentifier>";

    private static Bytes document(String content) {
        return Bytes.ofUtf8("<SignedIdentifiers>" + content + "</SignedIdentifiers>");
    }

    private static String policies(int count) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            all.append(ONE.formatted("p" + i));
        }
        return all.toString();
    }

    @Test
    void readsUpToFivePolicies() {
        assertThat(PoliciesXml.read(document(policies(5))))
                .hasSize(5)
                .first()
                .isEqualTo(
                        new StoredAccessPolicy(
                                "p0", Optional.empty(), Optional.empty(), Optional.of("r")));
        assertThat(PoliciesXml.read(document(ONE.formatted("i".repeat(64))))).hasSize(1);
        assertThat(PoliciesXml.read(document(""))).isEmpty();
    }

    /** A document that is damaged does not pass for one without policies. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "p0 r",
                "<Id>p0</Id>",
                "<SignedIdentifier>p0</SignedIdentifier>",
                "<SignedIdentifier><Id>p0</Id><AccessPolicy>r</AccessPolicy></SignedIdentifier>",
                "<SignedIdentifier><Id>p0</Id>r<AccessPolicy/></SignedIdentifier>",
                "<SignedIdentifier><Id><Text>p0</Text></Id></SignedIdentifier>",
                "<SignedIdentifier><Id>p0</Id><AccessPolicy><Permission>r<Also>u</Also></Permission>"
                        + "</AccessPolicy></SignedIdentifier>",
                "<SignedIdentifier><Id>p0</Id><AccessPolicy><Expiry><At/></Expiry></AccessPolicy>"
                        + "</SignedIdentifier>",
            })
    void refusesWhatIsNoListOfPolicies(String content) {
        assertThat(refusal(content)).isEqualTo(TableErrorCode.INVALID_XML);
    }

    @Test
    void refusesWhatIsBeyondTheLimits() {
        assertThat(refusal(policies(6))).isEqualTo(TableErrorCode.INVALID_XML);
        assertThat(refusal(ONE.formatted("i".repeat(65)))).isEqualTo(TableErrorCode.INVALID_XML);
        assertThat(refusal(ONE.formatted(""))).isEqualTo(TableErrorCode.INVALID_XML);
        assertThat(refusal(policies(1) + policies(1))).isEqualTo(TableErrorCode.INVALID_XML);
    }

    private static TableErrorCode refusal(String content) {
        return catchThrowableOfType(TableException.class, () -> PoliciesXml.read(document(content)))
                .code();
    }
}
