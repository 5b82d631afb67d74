package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataLevelTest {
    @ParameterizedTest
    @CsvSource({
        "application/json,MINIMAL",
        "application/json;odata=nometadata,NONE",
        "application/json; odata=minimalmetadata,MINIMAL",
        "Application/JSON;OData=FullMetadata;charset=utf-8,FULL",
        "application/json;streaming=true;odata=nometadata,NONE",
        "'application/atom+xml,application/json;odata=fullmetadata',FULL",
        "*/*,MINIMAL",
        "json,MINIMAL",
    })
    void readsTheLevel(String text, MetadataLevel level) {
        assertThat(MetadataLevel.of(Optional.empty(), Optional.of(text))).isEqualTo(level);
        assertThat(MetadataLevel.of(Optional.of(text), Optional.of("application/atom+xml")))
                .isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({
        "application/atom+xml,AtomFormatNotSupported",
        "'application/atom+xml,application/xml',AtomFormatNotSupported",
        "application/xml,MediaTypeNotSupported",
        "application/json;odata=verbose,MediaTypeNotSupported",
        "text/html,MediaTypeNotSupported",
    })
    void refusesOtherFormats(String text, String code) {
        TableException refusal =
                catchThrowableOfType(
                        TableException.class,
                        () -> MetadataLevel.of(Optional.empty(), Optional.of(text)));
        assertThat(refusal.code().text()).isEqualTo(code);
        assertThat(refusal.code().status()).isEqualTo(415);
    }

    @Test
    void noWishIsOneForAtom() {
        TableException refusal =
                catchThrowableOfType(
                        TableException.class,
                        () -> MetadataLevel.of(Optional.empty(), Optional.empty()));
        assertThat(refusal.code()).isEqualTo(TableErrorCode.ATOM_NOT_SUPPORTED);
    }
}
