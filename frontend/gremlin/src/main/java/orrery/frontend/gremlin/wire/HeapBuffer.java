package orrery.frontend.gremlin.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.tinkerpop.gremlin.structure.io.Buffer;
import orrery.model.memory.MemoryAccount;

/**
 * Bytes on the heap, as TinkerPop's readers and writers take them. One that is written takes its
 * memory from the account of the request as it grows. Used by one thread.
 */
final class HeapBuffer implements Buffer, AutoCloseable {
    private static final int FIRST_BYTES = 4 << 10;

    private final MemoryAccount.Part memory;
    private ByteBuffer bytes;
    private int readAt;
    private int length;
    private int mark;

    private HeapBuffer(MemoryAccount.Part memory, ByteBuffer bytes, int readAt, int length) {
        this.memory = memory;
        this.bytes = bytes;
        this.readAt = readAt;
        this.length = length;
    }

    /** Returns a buffer to read. */
    static HeapBuffer of(byte[] bytes, int from) {
        return new HeapBuffer(
                MemoryAccount.NONE.part(), ByteBuffer.wrap(bytes), from, bytes.length);
    }

    /** Returns a buffer to write, for the request of the calling thread. */
    static HeapBuffer growing() {
        return new HeapBuffer(MemoryAccount.current().part(), ByteBuffer.allocate(0), 0, 0);
    }

    @Override
    public void close() {
        memory.close();
        bytes = ByteBuffer.allocate(0);
        length = 0;
    }

    int length() {
        return length;
    }

    /** Takes away what was written behind a place. */
    byte[] cut(int from) {
        byte[] end = Arrays.copyOfRange(bytes.array(), from, length);
        length = from;
        return end;
    }

    /** Forgets what was written, and keeps the room for more. */
    void clear() {
        length = 0;
        readAt = 0;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes.array(), length);
    }

    void add(HeapBuffer other) {
        writeBytes(other.bytes.array(), 0, other.length);
    }

    /** Returns a stream whose bytes are written to this buffer. */
    OutputStream stream() {
        return new OutputStream() {
            @Override
            public void write(int one) {
                writeByte(one);
            }

            @Override
            public void write(byte[] source, int from, int count) {
                writeBytes(source, from, count);
            }
        };
    }

    /** Makes room for so many bytes and returns where they begin. */
    private int grow(int count) {
        int at = length;
        int needed = Math.addExact(at, count);
        if (needed > bytes.capacity()) {
            int size = Math.max(needed, Math.max(FIRST_BYTES, bytes.capacity() * 2));
            memory.take(size - bytes.capacity());
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), size));
        }
        length = needed;
        return at;
    }

    private int take(int count) {
        if (count < 0 || count > readableBytes()) {
            throw new BufferUnderflowException();
        }
        int at = readAt;
        readAt += count;
        return at;
    }

    @Override
    public int readableBytes() {
        return length - readAt;
    }

    @Override
    public int readerIndex() {
        return readAt;
    }

    @Override
    public Buffer readerIndex(int index) {
        readAt = index;
        return this;
    }

    @Override
    public int writerIndex() {
        return length;
    }

    @Override
    public Buffer writerIndex(int index) {
        if (index > length) {
            grow(index - length);
        }
        length = index;
        return this;
    }

    @Override
    public Buffer markWriterIndex() {
        mark = length;
        return this;
    }

    @Override
    public Buffer resetWriterIndex() {
        length = mark;
        return this;
    }

    @Override
    public int capacity() {
        return bytes.capacity();
    }

    @Override
    public boolean isDirect() {
        return false;
    }

    @Override
    public boolean readBoolean() {
        return readByte() != 0;
    }

    @Override
    public byte readByte() {
        return bytes.get(take(1));
    }

    @Override
    public short readShort() {
        return bytes.getShort(take(Short.BYTES));
    }

    @Override
    public int readInt() {
        return bytes.getInt(take(Integer.BYTES));
    }

    @Override
    public long readLong() {
        return bytes.getLong(take(Long.BYTES));
    }

    @Override
    public float readFloat() {
        return bytes.getFloat(take(Float.BYTES));
    }

    @Override
    public double readDouble() {
        return bytes.getDouble(take(Double.BYTES));
    }

    @Override
    public Buffer readBytes(byte[] destination) {
        return readBytes(destination, 0, destination.length);
    }

    @Override
    public Buffer readBytes(byte[] destination, int index, int count) {
        bytes.get(take(count), destination, index, count);
        return this;
    }

    @Override
    public Buffer readBytes(ByteBuffer destination) {
        int count = destination.remaining();
        destination.put(bytes.array(), take(count), count);
        return this;
    }

    @Override
    public Buffer readBytes(OutputStream out, int count) throws IOException {
        out.write(bytes.array(), take(count), count);
        return this;
    }

    @Override
    public Buffer writeBoolean(boolean value) {
        return writeByte(value ? 1 : 0);
    }

    @Override
    public Buffer writeByte(int value) {
        int at = grow(1);
        bytes.put(at, (byte) value);
        return this;
    }

    @Override
    public Buffer writeShort(int value) {
        int at = grow(Short.BYTES);
        bytes.putShort(at, (short) value);
        return this;
    }

    @Override
    public Buffer writeInt(int value) {
        int at = grow(Integer.BYTES);
        bytes.putInt(at, value);
        return this;
    }

    @Override
    public Buffer writeLong(long value) {
        int at = grow(Long.BYTES);
        bytes.putLong(at, value);
        return this;
    }

    @Override
    public Buffer writeFloat(float value) {
        int at = grow(Float.BYTES);
        bytes.putFloat(at, value);
        return this;
    }

    @Override
    public Buffer writeDouble(double value) {
        int at = grow(Double.BYTES);
        bytes.putDouble(at, value);
        return this;
    }

    @Override
    public Buffer writeBytes(byte[] source) {
        return writeBytes(source, 0, source.length);
    }

    @Override
    public Buffer writeBytes(byte[] source, int index, int count) {
        int at = grow(count);
        bytes.put(at, source, index, count);
        return this;
    }

    @Override
    public Buffer writeBytes(ByteBuffer source) {
        int at = grow(source.remaining());
        bytes.put(at, source, source.position(), source.remaining());
        source.position(source.limit());
        return this;
    }

    /** The collector does it. */
    @Override
    public boolean release() {
        return true;
    }

    @Override
    public Buffer retain() {
        return this;
    }

    @Override
    public int referenceCount() {
        return 1;
    }

    @Override
    public int nioBufferCount() {
        return 1;
    }

    @Override
    public ByteBuffer[] nioBuffers() {
        return new ByteBuffer[] {nioBuffer()};
    }

    @Override
    public ByteBuffer[] nioBuffers(int index, int count) {
        return new ByteBuffer[] {nioBuffer(index, count)};
    }

    @Override
    public ByteBuffer nioBuffer() {
        return nioBuffer(readAt, readableBytes());
    }

    @Override
    public ByteBuffer nioBuffer(int index, int count) {
        return bytes.slice(index, count);
    }

    @Override
    public Buffer getBytes(int index, byte[] destination) {
        bytes.get(index, destination);
        return this;
    }
}
