package orrery.frontend.mongo.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import orrery.model.Bytes;

/** Puts messages together as clients do, right or wrong. */
final class Frames {
    static final int CHECKSUM = 1;
    static final int MORE = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Frames int32(int value) {
        byte[] four = new byte[Integer.BYTES];
        Frame.putInt32(four, 0, value);
        return raw(four);
    }

    Frames int8(int value) {
        out.write(value);
        return this;
    }

    Frames raw(byte... bytes) {
        out.writeBytes(bytes);
        return this;
    }

    Frames cstring(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8)).int8(0);
    }

    /** A section with the document of a command. */
    Frames body(Bytes document) {
        return int8(0).raw(document.unsafeArray());
    }

    Frames sequence(String name, Bytes... documents) {
        Frames inner = new Frames().cstring(name);
        for (Bytes document : documents) {
            inner.raw(document.unsafeArray());
        }
        return int8(1).int32(Integer.BYTES + inner.out.size()).raw(inner.out.toByteArray());
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    /** A whole frame around these bytes. */
    byte[] frame(int requestId, int opCode) {
        return new Frames()
                .int32(Frame.HEADER_BYTES + out.size())
                .int32(requestId)
                .int32(0)
                .int32(opCode)
                .raw(bytes())
                .bytes();
    }

    byte[] msg(int requestId) {
        return frame(requestId, OpCode.MSG);
    }

    /** A frame with the right sum at its end; the flags have to say so. */
    byte[] summedMsg(int requestId) {
        byte[] whole = int32(0).msg(requestId);
        CRC32C sum = new CRC32C();
        sum.update(whole, 0, whole.length - Integer.BYTES);
        Frame.putInt32(whole, whole.length - Integer.BYTES, (int) sum.getValue());
        return whole;
    }

    /** Compresses a frame, and says that its inside has so many bytes. */
    static byte[] compressed(byte[] plain, Compressor compressor, int claimedSize) {
        return new Frames()
                .int32(Frame.opCode(plain))
                .int32(claimedSize)
                .int8(compressor.number())
                .raw(compressor.compress(plain, Frame.HEADER_BYTES))
                .frame(Frame.requestId(plain), OpCode.COMPRESSED);
    }

    static byte[] compressed(byte[] plain, Compressor compressor) {
        return compressed(plain, compressor, plain.length - Frame.HEADER_BYTES);
    }
}
