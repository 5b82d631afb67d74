package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

final class RowKeyTest {
    @Test
    void aTextIsItsUtf8BytesBehindTheTagOfTexts() {
        RowKey key = RowKey.ofText("é1");
        assertThat(key.bytes()).isEqualTo(Bytes.ofHex("1CC3A931"));
        assertThat(key.isText()).isTrue();
        assertThat(key.text()).isEqualTo("é1");
        assertThat(key).hasToString("é1");
    }

    @Test
    void otherKindsHaveNoText() {
        RowKey objectId = new RowKey(Bytes.ofHex("2C0102030405060708090A0B0C"));
        assertThat(objectId.isText()).isFalse();
        assertThat(objectId).hasToString("2C0102030405060708090A0B0C");
        assertThatIllegalStateException().isThrownBy(objectId::text);
    }

    @Test
    void keysSortByKindAndThenByBytes() {
        assertThat(RowKey.ofText("Z")).isLessThan(RowKey.ofText("a"));
        assertThat(RowKey.ofText("a")).isLessThan(RowKey.ofText("aa"));
        assertThat(RowKey.ofText("ü")).isLessThan(new RowKey(Bytes.ofHex("2C")));
    }

    @Test
    void aKeyIsNeverCut() {
        assertThat(RowKey.ofText("k".repeat(RowKey.MAX_BYTES - 1)).bytes().length())
                .isEqualTo(RowKey.MAX_BYTES);
        assertThatThrownBy(() -> RowKey.ofText("k".repeat(RowKey.MAX_BYTES)))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> {
                            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
                            assertThat(refused).hasMessageContaining("this one has 2049.");
                        });
        Bytes most = Bytes.wrap(new byte[RowKey.MAX_BYTES]);
        assertThat(RowKey.of(most).bytes()).isEqualTo(most);
        assertThatThrownBy(() -> RowKey.of(Bytes.wrap(new byte[RowKey.MAX_BYTES + 1])))
                .hasMessageContaining("may have 2048 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RowKey(Bytes.wrap(new byte[RowKey.MAX_BYTES + 1])));
        assertThatIllegalArgumentException().isThrownBy(() -> new RowKey(Bytes.EMPTY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD800", "a\uD83D", "\uDE00", "\uDE00\uD83D"})
    void halfAPairIsNoText(String text) {
        assertThatThrownBy(() -> RowKey.ofText(text))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("not well-formed");
        assertThat(RowKey.ofText("\uD83D\uDE00").text()).isEqualTo("\uD83D\uDE00");
    }

    @Test
    void bytesThatAreNoKeyAreMalformed() {
        byte[] empty = new BinaryWriter(1).bytes(Bytes.EMPTY).toArray();
        assertThatThrownBy(() -> RowKey.read(new BinaryReader(empty)))
                .isInstanceOf(MalformedRecordException.class);
        BinaryWriter out = new BinaryWriter(8);
        RowKey.ofText("i1").write(out);
        assertThat(RowKey.read(new BinaryReader(out.toArray()))).isEqualTo(RowKey.ofText("i1"));
    }
}
