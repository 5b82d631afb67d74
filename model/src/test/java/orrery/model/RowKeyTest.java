package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
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
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowKey.ofText("k".repeat(RowKey.MAX_BYTES)));
        assertThatIllegalArgumentException().isThrownBy(() -> new RowKey(Bytes.EMPTY));
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
