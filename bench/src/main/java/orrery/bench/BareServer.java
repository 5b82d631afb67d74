package orrery.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import orrery.bench.load.Reply;
import orrery.bench.process.JavaProcess;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpServer;
import orrery.frontend.http.Natives;
import orrery.frontend.http.Transport;
import orrery.model.Bytes;

/**
 * The peer of the point reads: answers every request with the same bytes, headers included, and
 * does nothing else. In a process of its own, like the server.
 */
final class BareServer implements AutoCloseable {
    /** The server under test. */
    enum Kind {
        /** A handler in our HTTP server. */
        HANDLER,
        /** Netty's own codec and nothing between it and the socket. */
        NETTY
    }

    /** The server adds these itself. */
    private static final Set<String> ADDED = Set.of("content-length", "date", "connection");

    private final JavaProcess process;
    private final int port;

    private BareServer(JavaProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    static BareServer start(Kind kind, Path replyFile) throws IOException {
        JavaProcess process =
                JavaProcess.start(BareServer.class.getName(), kind.name(), replyFile.toString());
        String line = process.process().inputReader(StandardCharsets.UTF_8).readLine();
        if (line == null) {
            process.close();
            throw new IOException("the bare server did not start");
        }
        return new BareServer(process, Integer.parseInt(line));
    }

    int port() {
        return port;
    }

    ProcessHandle handle() {
        return process.process().toHandle();
    }

    @Override
    public void close() {
        process.close();
    }

    // ---- inside the process

    public static void main(String[] arguments) throws IOException {
        Reply reply = Reply.parse(Files.readAllBytes(Path.of(arguments[1])));
        List<Reply.Field> fields =
                reply.fields().stream()
                        .filter(field -> !ADDED.contains(field.name().toLowerCase(Locale.ROOT)))
                        .toList();
        Bytes body = Bytes.ofUtf8(reply.body());
        int port =
                switch (Kind.valueOf(arguments[0])) {
                    case HANDLER -> handler(reply.status(), fields, body);
                    case NETTY -> netty(reply.status(), fields, body);
                };
        System.out.println(port);
        // Lives as long as the one who started it.
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    private static int handler(int status, List<Reply.Field> fields, Bytes body)
            throws IOException {
        return HttpServer.builder(
                        _ -> {
                            HttpReply.Builder reply = HttpReply.status(status);
                            for (Reply.Field field : fields) {
                                reply.header(field.name(), field.value());
                            }
                            return reply.body(body).build();
                        })
                .start()
                .port();
    }

    private static int netty(int status, List<Reply.Field> fields, Bytes body) {
        Transport transport = Transport.open(Natives.detect());
        var listener =
                new ServerBootstrap()
                        .group(transport.loops())
                        .channel(transport.listenerType())
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(new HttpServerCodec())
                                                .addLast(new Same(status, fields, body));
                                    }
                                })
                        .bind(InetAddress.getLoopbackAddress(), 0)
                        .syncUninterruptibly()
                        .channel();
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private static final class Same extends SimpleChannelInboundHandler<HttpObject> {
        private final HttpResponseStatus status;
        private final List<Reply.Field> fields;
        private final Bytes body;

        Same(int status, List<Reply.Field> fields, Bytes body) {
            this.status = HttpResponseStatus.valueOf(status);
            this.fields = fields;
            this.body = body;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (!(message instanceof LastHttpContent)) {
                return;
            }
            FullHttpResponse response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            status,
                            Unpooled.wrappedBuffer(body.unsafeArray()));
            for (Reply.Field field : fields) {
                response.headers().add(field.name(), field.value());
            }
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length());
            var _ = ctx.writeAndFlush(response);
        }
    }
}
