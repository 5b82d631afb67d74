package orrery.frontend.http;

import java.time.Duration;
import orrery.model.SizeLimits;

/**
 * The limits of one client, and of all clients together.
 *
 * @param maxHeadBytes request line and headers together; beyond it 431
 * @param maxBodyBytes one request body; beyond it 413
 * @param maxHeldBytes bodies being received, handled or sent, over all connections; beyond it, or
 *     where all requests hold too much memory, 503 with Retry-After
 * @param maxStrangerBytes as much of what clients send that have not shown who they are; beyond it
 *     another of them is cut off
 * @param maxConnections open connections; beyond it one goes that is not in use, and if all are in
 *     use the new one gets 503
 * @param maxRunningHandlers handlers running at one time; further requests wait for one
 * @param receiveTimeout from the first byte of a request to its last; beyond it 408. A TLS
 *     handshake has as long
 * @param idleTimeout a connection without a request
 * @param writeTimeout a client that takes no bytes of its reply
 * @param queueTimeout a request that waits for a handler; beyond it 503 with Retry-After
 * @param lingerTimeout how long a refused client may go on sending before the connection is cut, so
 *     that it gets to read the refusal
 * @param stopGrace how long requests in progress may take when the server stops
 */
public record HttpLimits(
        int maxHeadBytes,
        int maxBodyBytes,
        long maxHeldBytes,
        long maxStrangerBytes,
        int maxConnections,
        int maxRunningHandlers,
        Duration receiveTimeout,
        Duration idleTimeout,
        Duration writeTimeout,
        Duration queueTimeout,
        Duration lingerTimeout,
        Duration stopGrace) {

    public HttpLimits {
        if (maxHeadBytes < 256
                || maxBodyBytes < 0
                || maxHeldBytes < 1
                || maxStrangerBytes < 1
                || maxConnections < 1
                || maxRunningHandlers < 1) {
            throw new IllegalArgumentException("a limit is too small to serve any request");
        }
    }

    public static HttpLimits defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts from the defaults. */
    public static final class Builder {
        private int maxHeadBytes = 64 << 10;
        // The service takes items up to 2 MB; their envelope and a batch of them need a little
        // more.
        private int maxBodyBytes = SizeLimits.DEFAULT.maxRequestBytes();
        private long maxHeldBytes = 256L << 20;
        private long maxStrangerBytes = 32L << 20;
        private int maxConnections = 10_000;
        private int maxRunningHandlers = 1024;
        private Duration receiveTimeout = Duration.ofSeconds(30);
        private Duration idleTimeout = Duration.ofMinutes(2);
        private Duration writeTimeout = Duration.ofSeconds(30);
        private Duration queueTimeout = Duration.ofSeconds(10);
        private Duration lingerTimeout = Duration.ofSeconds(10);
        private Duration stopGrace = Duration.ofSeconds(5);

        private Builder() {}

        public Builder maxHeadBytes(int bytes) {
            maxHeadBytes = bytes;
            return this;
        }

        public Builder maxBodyBytes(int bytes) {
            maxBodyBytes = bytes;
            return this;
        }

        public Builder maxHeldBytes(long bytes) {
            maxHeldBytes = bytes;
            return this;
        }

        public Builder maxStrangerBytes(long bytes) {
            maxStrangerBytes = bytes;
            return this;
        }

        public Builder maxConnections(int connections) {
            maxConnections = connections;
            return this;
        }

        public Builder maxRunningHandlers(int handlers) {
            maxRunningHandlers = handlers;
            return this;
        }

        public Builder receiveTimeout(Duration timeout) {
            receiveTimeout = timeout;
            return this;
        }

        public Builder idleTimeout(Duration timeout) {
            idleTimeout = timeout;
            return this;
        }

        public Builder writeTimeout(Duration timeout) {
            writeTimeout = timeout;
            return this;
        }

        public Builder queueTimeout(Duration timeout) {
            queueTimeout = timeout;
            return this;
        }

        public Builder lingerTimeout(Duration timeout) {
            lingerTimeout = timeout;
            return this;
        }

        public Builder stopGrace(Duration grace) {
            stopGrace = grace;
            return this;
        }

        public HttpLimits build() {
            return new HttpLimits(
                    maxHeadBytes,
                    maxBodyBytes,
                    maxHeldBytes,
                    maxStrangerBytes,
                    maxConnections,
                    maxRunningHandlers,
                    receiveTimeout,
                    idleTimeout,
                    writeTimeout,
                    queueTimeout,
                    lingerTimeout,
                    stopGrace);
        }
    }
}
