package orrery.frontend.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly the bytes it is told to. */
final class RawClient implements AutoCloseable {
    record Reply(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RawClient(HttpServer server) throws IOException {
        this(new Socket(server.address().getAddress(), server.port()));
    }

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(300_000); // ends a test that hangs
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    /**
     * A client that has had an answer. The server may time out one that this machine holds up
     * before it has sent anything; then the next one tries.
     */
    static RawClient used(HttpServer server) throws IOException {
        while (true) {
            var client = new RawClient(server);
            try {
                if (client.get("/").status() == 200) {
                    return client;
                }
            } catch (IOException closed) {
                // The next one tries.
            }
            client.close();
        }
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /** Sends the lines with CRLF between them. */
    RawClient sendLines(String... lines) throws IOException {
        return send(String.join("\r\n", lines));
    }

    /** Sends what the server may refuse to take. */
    void trySend(byte[] bytes) {
        try {
            send(bytes);
        } catch (IOException e) {
            // The server has closed the connection, as it may.
        }
    }

    Reply get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
    }

    /** The next reply, framed by its Content-Length. */
    Reply read() throws IOException {
        return read(true);
    }

    /** The next reply that is final; those about progress are passed over. */
    Reply readFinal() throws IOException {
        Reply reply = read();
        while (reply.status() < 200) {
            reply = read();
        }
        return reply;
    }

    /** The reply to HEAD, which has a length but no body. */
    Reply readHead() throws IOException {
        return read(false);
    }

    private Reply read(boolean hasBody) throws IOException {
        String[] statusLine = line().split(" ", 3);
        if (!statusLine[0].equals("HTTP/1.1")) {
            throw new IOException("not a status line: " + String.join(" ", statusLine));
        }
        int status = Integer.parseInt(statusLine[1]);
        var headers = new TreeMap<String, String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(": ");
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        }
        int length = hasBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("body ended after " + body.length + " of " + length);
        }
        return new Reply(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    /** The next line, without its end. */
    String line() throws IOException {
        var line = new ByteArrayOutputStream();
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("closed after '" + line + "'");
            }
            if (b == '\n') {
                String text = line.toString(StandardCharsets.ISO_8859_1);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(b);
        }
    }

    /** Returns true if the server has ended the connection, by a close or a reset. */
    boolean isEnded() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Everything until the server ends the connection. */
    String drain() throws IOException {
        var all = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                all.write(buffer, 0, n);
            }
        } catch (SocketException e) {
            // A reset ends it as well.
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    /** Says that nothing more comes, unless the server has closed the connection already. */
    void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // Then there is nobody to tell.
        }
    }

    /** Goes away without a word: the peer gets a reset. */
    void vanish() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
