package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.Natives;
import orrery.frontend.http.Transport;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.MessageWriter;
import orrery.gateway.EngineFixture;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryBudget;
import orrery.model.security.AccountKeys;
import orrery.query.mongo.Documents;

/** Messages over sockets, however they arrive, with native libraries and without. */
final class MongoConnectionTest {
    private static final Bytes PING = Documents.bson("{'ping':1,'$db':'d'}");
    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir private static Path directory;

    private static EngineFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static Transport transport(boolean hasNatives) {
        return Transport.open(hasNatives ? Natives.detect() : Natives.none(), 1);
    }

    private static MongoServer start(Transport transport, CommandListener listener)
            throws IOException {
        AccountKeys keys = AccountKeys.generate(new SecureRandom());
        return MongoServer.start(
                MongoClient.endpoint(
                        fixture.engine, () -> keys, MongoClient.config(false, false), listener),
                "127.0.0.1",
                0,
                transport,
                () -> {
                    throw new IllegalStateException("nobody here speaks TLS");
                },
                HttpLimits.defaults(),
                MemoryBudget.UNLIMITED);
    }

    private static Socket connect(MongoServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static byte[] ping(int id) {
        return MessageWriter.msg(id, 0, PING, false, Compressor.NONE);
    }

    /** Returns the id of the message that the next reply answers. */
    private static int answered(DataInputStream in) throws IOException {
        byte[] head = new byte[16];
        in.readFully(head);
        ByteBuffer header = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        in.skipNBytes(header.getInt(0) - head.length);
        return header.getInt(8);
    }

    /** They come behind each other while the first is answered, so the connection stops reading. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesThatComeTogetherAreAnsweredInTurn(boolean hasNatives) throws Exception {
        int count = 5000;
        try (Transport transport = transport(hasNatives);
                MongoServer server = start(transport, CommandListener.NONE);
                Socket socket = connect(server)) {
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            OutputStream out = socket.getOutputStream();
                                            for (int id = 1; id <= count; id++) {
                                                out.write(ping(id));
                                            }
                                        } catch (IOException e) {
                                            // The reader hears of it as well, and fails.
                                        }
                                    });
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int id = 1; id <= count; id++) {
                assertThat(answered(in)).isEqualTo(id);
            }
            writer.join();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageMayComeInPieces(boolean hasNatives) throws Exception {
        try (Transport transport = transport(hasNatives);
                MongoServer server = start(transport, CommandListener.NONE);
                Socket socket = connect(server)) {
            OutputStream out = socket.getOutputStream();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int id = 1; id <= 3; id++) {
                for (byte each : ping(id)) {
                    out.write(each);
                    out.flush();
                }
                assertThat(answered(in)).isEqualTo(id);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatLeavesEndsItsCommand(boolean hasNatives) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CommandListener endless =
                _ -> {
                    begun.countDown();
                    try {
                        Cancellation.current().waiting(() -> waitFor(never));
                    } catch (OrreryException cancelled) {
                        ended.countDown();
                    } catch (InterruptedException stopping) {
                        Thread.currentThread().interrupt();
                    }
                };
        try (Transport transport = transport(hasNatives);
                MongoServer server = start(transport, endless)) {
            try (Socket socket = connect(server)) {
                socket.getOutputStream().write(ping(1));
                assertThat(begun.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            }
            assertThat(ended.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        }
    }

    private static boolean waitFor(CountDownLatch latch) throws InterruptedException {
        latch.await();
        return true;
    }
}
