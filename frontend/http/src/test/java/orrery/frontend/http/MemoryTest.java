package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.model.memory.MemoryBudget;

/** Checks how bodies, handlers and replies count against the memory of all requests. */
@Tag("timing")
final class MemoryTest {
    private static final int MB = 1 << 20;

    /** 22 MB for bodies of more than some kilobytes, 40 for small ones. */
    private final MemoryBudget memory = new MemoryBudget(40 * MB);

    private HttpServer start(HttpHandler handler) throws IOException {
        return HttpServer.builder(handler)
                .limits(HttpLimits.builder().maxBodyBytes(30 * MB).build())
                .memory(memory)
                .start();
    }

    private static void sendHead(RawClient client, int length) throws IOException {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
    }

    @Test
    void refusesBodiesThatFindNoRoom() throws IOException {
        HttpHandler length =
                request -> HttpReply.json(200, Bytes.ofUtf8("" + request.body().length()));
        try (HttpServer server = start(length);
                RawClient first = new RawClient(server);
                RawClient second = new RawClient(server)) {
            memory.reserve(20 * MB);
            sendHead(first, 3 * MB);
            first.send("x".repeat(3 * MB));
            RawClient.Reply reply = first.read();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("retry-after")).isEqualTo("1");
            sendHead(second, 1000);
            second.send("x".repeat(1000));
            assertThat(second.read().body()).isEqualTo("1000");
            memory.release(20 * MB);
            sendHead(second, 3 * MB);
            second.send("x".repeat(3 * MB));
            assertThat(second.read().body()).isEqualTo("" + 3 * MB);
            Eventually.until("given back", () -> memory.reserved() == 0);
        }
    }

    @Test
    void handlersHoldWhatTheyTakeUntilTheyHaveAnswered() throws IOException {
        Semaphore started = new Semaphore(0);
        Semaphore gate = new Semaphore(0);
        HttpHandler handler =
                _ -> {
                    MemoryAccount.current().take(5 * MB);
                    started.release();
                    gate.acquire();
                    return HttpReply.json(200, Bytes.ofUtf8("{}"));
                };
        try (HttpServer server = start(handler);
                RawClient patient = new RawClient(server);
                RawClient gone = new RawClient(server)) {
            patient.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            gone.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            started.acquireUninterruptibly(2);
            assertThat(memory.reserved()).isEqualTo(10 * MB);
            gone.vanish();
            gate.release(2);
            assertThat(patient.read().status()).isEqualTo(200);
            Eventually.until("given back", () -> memory.reserved() == 0);
        }
    }

    @Test
    void handlersThatFailGiveBackWhatTheyTook() throws IOException {
        HttpHandler handler =
                _ -> {
                    MemoryAccount.current().take(5 * MB);
                    throw new IllegalStateException("a bug");
                };
        try (HttpServer server = start(handler);
                RawClient client = new RawClient(server)) {
            assertThat(client.get("/").status()).isEqualTo(500);
            Eventually.until("given back", () -> memory.reserved() == 0);
        }
    }

    @Test
    void repliesAreHeldUntilASlowReaderHasThemOrIsGone() throws IOException {
        HttpHandler handler = _ -> HttpReply.json(200, Bytes.wrap(new byte[20 * MB]));
        try (HttpServer server = start(handler);
                RawClient slow = new RawClient(server);
                RawClient gone = new RawClient(server)) {
            slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"); // and reads nothing
            Eventually.until("sending", () -> memory.reserved() == 20 * MB);
            gone.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.until("sending", () -> memory.reserved() == 40 * MB);
            gone.vanish();
            Eventually.until("one is gone", () -> memory.reserved() == 20 * MB);
            assertThat(slow.read().body()).hasSize(20 * MB);
            Eventually.until("given back", () -> memory.reserved() == 0);
        }
    }
}
