package orrery.frontend.gremlin.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPipeline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.frontend.http.ConnectionBytes;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.Natives;
import orrery.frontend.http.SocketServer;
import orrery.frontend.http.Transport;
import orrery.model.memory.MemoryBudget;

/** Messages come out as they went in, however they are cut; other bytes are refused. */
final class FrameReaderProperties {
    private static final int LIMIT = 1000;

    /** A connection that does nothing, for its memory. */
    private static final class Nobody implements SocketServer.Client {
        @Override
        public boolean holdsAsStranger() {
            return false;
        }

        @Override
        public void stop() {}

        @Override
        public void abort() {}

        @Override
        public void install(ChannelPipeline pipeline) {}

        @Override
        public InetAddress neighbourhood() {
            return InetAddress.getLoopbackAddress();
        }

        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public long idleSince() {
            return 0;
        }

        @Override
        public void evict() {}
    }

    private interface Reading {
        void with(ConnectionBytes<Nobody> memory) throws FrameException;
    }

    private static void reading(Reading test) throws IOException, FrameException {
        try (Transport transport = Transport.open(Natives.none(), 1);
                SocketServer<Nobody> server =
                        SocketServer.start(
                                new SocketServer.Settings(
                                        HttpLimits.defaults(),
                                        null,
                                        transport,
                                        Thread.ofVirtual().factory(),
                                        MemoryBudget.UNLIMITED),
                                (_, _, _) -> new Nobody(),
                                "127.0.0.1",
                                0)) {
            test.with(new ConnectionBytes<>(new Nobody(), server));
            assertThat(server.counters().heldBytes()).isZero();
        }
    }

    private static void frame(
            ByteArrayOutputStream out, int opcode, boolean isFinal, byte[] payload, int mask) {
        out.write((isFinal ? Frames.FINAL : 0) | opcode);
        if (payload.length < 126) {
            out.write(Frames.MASKED | payload.length);
        } else {
            out.write(Frames.MASKED | 126);
            out.writeBytes(ByteBuffer.allocate(2).putShort((short) payload.length).array());
        }
        byte[] key = ByteBuffer.allocate(4).putInt(mask).array();
        out.writeBytes(key);
        for (int i = 0; i < payload.length; i++) {
            out.write(payload[i] ^ key[i & 3]);
        }
    }

    @Property(tries = 40)
    void messagesComeOutAsTheyWentIn(
            @ForAll @Size(max = 5) List<@Size(max = 900) byte[]> messages,
            @ForAll @IntRange(min = 1, max = 300) int frameBytes,
            @ForAll @IntRange(min = 1, max = 200) int readBytes,
            @ForAll int mask)
            throws Exception {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            for (int at = 0; at == 0 || at < message.length; at += frameBytes) {
                int end = Math.min(message.length, at + frameBytes);
                frame(
                        sent,
                        at == 0 ? Frames.BINARY : Frames.CONTINUATION,
                        end == message.length,
                        Arrays.copyOfRange(message, at, end),
                        mask);
                if (end < message.length) {
                    frame(sent, Frames.PING, true, new byte[] {7}, mask);
                }
            }
        }
        reading(
                memory -> {
                    FrameReader reader = new FrameReader(memory);
                    List<byte[]> received = new ArrayList<>();
                    ByteBuf all = Unpooled.wrappedBuffer(sent.toByteArray());
                    while (all.isReadable()) {
                        ByteBuf part = all.readSlice(Math.min(readBytes, all.readableBytes()));
                        while (part.isReadable()) {
                            Optional<Received> next = reader.next(part, LIMIT);
                            if (next.isPresent()
                                    && next.get() instanceof Received.Message message) {
                                received.add(message.payload().unsafeArray());
                                memory.release(message.held());
                            }
                        }
                    }
                    assertThat(reader.hasBegun()).isFalse();
                    assertThat(received).hasSize(messages.size());
                    for (int i = 0; i < received.size(); i++) {
                        assertThat(received.get(i)).isEqualTo(messages.get(i));
                    }
                });
    }

    @Property(tries = 40)
    void otherBytesAreReadOrRefused(@ForAll @Size(max = 400) byte[] bytes) throws Exception {
        reading(
                memory -> {
                    FrameReader reader = new FrameReader(memory);
                    ByteBuf in = Unpooled.wrappedBuffer(bytes);
                    try {
                        while (in.isReadable()) {
                            reader.next(in, LIMIT);
                        }
                    } catch (FrameException refused) {
                        assertThat(refused.closeCode()).isIn(Frames.PROTOCOL_ERROR, Frames.TOO_BIG);
                    } finally {
                        memory.release();
                    }
                });
    }
}
