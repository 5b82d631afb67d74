package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

class PatchCodecTest {
    private static final Patch PATCH =
            Patch.parse(
                    Bytes.ofUtf8(
                            """
                            [{"op":"add","path":"/a/0","value":[1,2.5,{"x":"\\udfff"}]},
                            {"op":"set","path":"/\\ud800","value":null},
                            {"op":"replace","path":"/d~0~1","value":true},
                            {"op":"remove","path":"/e"},
                            {"op":"incr","path":"/n","value":9007199254740993},
                            {"op":"move","from":"/f","path":"/g"}]"""));

    @Test
    void aPatchComesBackAsItWas() {
        assertThat(PatchCodec.decode(PatchCodec.encode(PATCH))).isEqualTo(PATCH);
    }

    @Test
    void bytesThatEndEarlyAreRefused() {
        Bytes whole = PatchCodec.encode(PATCH);
        for (int length = 0; length < whole.length(); length++) {
            Bytes cut = Bytes.copyOf(whole.unsafeArray(), 0, length);
            assertThat(catchThrowable(() -> PatchCodec.decode(cut)))
                    .as("the first %d bytes", length)
                    .isInstanceOf(MalformedRecordException.class);
        }
    }

    @Test
    void anUnknownOperationIsRefused() {
        Bytes unknown = operation("rename", true);
        assertThatThrownBy(() -> PatchCodec.decode(unknown))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("operation");
    }

    @Test
    void anOperationHasTheArgumentItNeedsAndNoOther() {
        for (Bytes wrong : new Bytes[] {operation("set", false), operation("remove", true)}) {
            assertThatThrownBy(() -> PatchCodec.decode(wrong))
                    .isInstanceOf(MalformedRecordException.class)
                    .hasMessageContaining("argument");
        }
        assertThatThrownBy(() -> PatchCodec.decode(operation("incr", true)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("number");
    }

    @Test
    void theLimitOfOperationsHoldsHereToo() {
        assertThat(PatchCodec.decode(removes(Patch.MAX_OPERATIONS)).operations()).hasSize(10);
        assertThatThrownBy(() -> PatchCodec.decode(removes(Patch.MAX_OPERATIONS + 1)))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("11");
    }

    private static Bytes removes(int count) {
        BinaryWriter out = new BinaryWriter();
        out.list(
                Collections.nCopies(count, "remove"),
                (w, name) -> w.string(name).bytes(text("/a")).bool(false));
        return out.toBytes();
    }

    private static Bytes operation(String name, boolean hasArgument) {
        BinaryWriter out = new BinaryWriter().varint(1);
        out.string(name).bytes(text("/a")).bool(hasArgument);
        return hasArgument ? out.bytes(text("x")).toBytes() : out.toBytes();
    }

    private static Bytes text(String text) {
        return ValueCodec.encode(new Value.Text(text));
    }
}
