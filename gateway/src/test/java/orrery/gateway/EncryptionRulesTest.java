package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.ClientEncryptionPolicy;
import orrery.model.ClientEncryptionPolicy.IncludedPath;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class EncryptionRulesTest {
    @Test
    void propertiesMayBeEncryptedEitherWay() {
        accepts(1, path("/a", "Randomized"), path("/b", "Deterministic"));
        accepts(2, path("/a", "Randomized"));
        accepts(1);
    }

    @Test
    void idAndKeyNeedTheSecondVersionAndOneText() {
        accepts(2, path("/id", "Deterministic"), path("/pk", "Deterministic"));
        refuses("version 2", 1, path("/id", "Deterministic"));
        refuses("version 2", 1, path("/pk", "Deterministic"));
        refuses("Deterministic", 2, path("/id", "Randomized"));
        refuses("Deterministic", 2, path("/pk", "Randomized"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    void otherVersionsAreRefused(int version) {
        refuses("versions of client encryption policy", version, path("/a", "Randomized"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a", "/a/b", "/a/"})
    void onlyPropertiesAtTheTopAreEncrypted(String path) {
        refuses("at the top", 2, path(path, "Randomized"));
    }

    @Test
    void otherWordsAreRefused() {
        refuses("Duplicate path", 1, path("/a", "Randomized"), path("/a", "Deterministic"));
        refuses("EncryptionType", 1, path("/a", "randomized"));
        refuses(
                "EncryptionAlgorithm",
                1,
                new IncludedPath("/a", "k", "Randomized", "LegacyAeadAes256CbcHmac256"));
    }

    private static IncludedPath path(String path, String type) {
        return new IncludedPath(path, "k", type, EncryptionRules.ALGORITHM);
    }

    private static void accepts(int version, IncludedPath... paths) {
        assertThatCode(() -> EncryptionRules.check(definition(version, paths)))
                .doesNotThrowAnyException();
    }

    private static void refuses(String text, int version, IncludedPath... paths) {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> EncryptionRules.check(definition(version, paths)));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.text()).contains(text);
    }

    private static ContainerDefinition definition(int version, IncludedPath... paths) {
        return EngineFixture.definition("/pk")
                .withEncryption(Optional.of(new ClientEncryptionPolicy(List.of(paths), version)));
    }
}
