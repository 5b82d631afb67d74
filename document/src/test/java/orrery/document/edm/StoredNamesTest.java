package orrery.document.edm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StoredNamesTest {
    @ParameterizedTest
    @CsvSource({
        "name, name",
        "pk, pk",
        "Id, Id",
        "_rid, $_rid",
        "_self, $_self",
        "_etag, $_etag",
        "_attachments, $_attachments",
        "_ts, $_ts",
        "ttl, $ttl",
        "id, $$id"
    })
    void everyPropertyHasAPlaceOfItsOwn(String property, String stored) {
        assertThat(StoredNames.stored(property)).isEqualTo(stored);
        assertThat(StoredNames.shown(stored)).isEqualTo(property);
        assertThat(StoredNames.isProperty(stored)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"id", "$id", "$pk", "_rid", "_self", "_etag", "_ts", "ttl", "$name", "$"})
    void whatEveryItemHasIsNoProperty(String stored) {
        assertThat(StoredNames.isProperty(stored)).isFalse();
    }

    @Test
    void keysAreStoredUnderOtherNames() {
        assertThat(StoredNames.STORED_PARTITION_KEY).isEqualTo("$pk");
        assertThat(StoredNames.STORED_ROW_KEY).isEqualTo("$id");
    }
}
