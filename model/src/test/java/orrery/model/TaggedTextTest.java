package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TaggedTextTest {
    @Test
    void theTagIsACharacterThatNobodyTypes() {
        assertThat(TaggedText.component(Bytes.ofHex("2C0AFF")))
                .isEqualTo(new KeyComponent.Text("\u00002c0aff"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\0x", "\0" + "1", "\0" + "1C", "\0" + "1c6", "\0" + "1c 6"})
    void aTextThatBeginsSoAndStandsForNothingIsRefused(String text) {
        assertThat(TaggedText.canonical(text)).isEmpty();
        assertThatThrownBy(
                        () ->
                                TaggedText.check(
                                        PartitionKey.of(
                                                KeyComponent.NULL, new KeyComponent.Text(text))))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessageContaining("U+0000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1c61", "a\0", "{\"$oid\":1}"})
    void otherTextsAreThemselves(String text) {
        assertThat(TaggedText.isTagged(text)).isFalse();
        TaggedText.check(PartitionKey.ofText(text));
    }
}
