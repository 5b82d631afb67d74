package orrery.frontend.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The event loops that listeners of one process share. Closing it ends their threads. */
public final class Transport implements AutoCloseable {
    private final Natives natives;
    private final EventLoopGroup loops;

    private Transport(Natives natives, EventLoopGroup loops) {
        this.natives = natives;
        this.loops = loops;
    }

    /** One event loop per core. */
    public static Transport open(Natives natives) {
        return open(natives, Runtime.getRuntime().availableProcessors());
    }

    public static Transport open(Natives natives, int threads) {
        IoHandlerFactory polling =
                switch (natives.transport()) {
                    case EPOLL -> EpollIoHandler.newFactory();
                    case KQUEUE -> KQueueIoHandler.newFactory();
                    case NIO -> NioIoHandler.newFactory();
                };
        return new Transport(
                natives,
                new MultiThreadIoEventLoopGroup(
                        threads, new DefaultThreadFactory("network", true), polling));
    }

    public Natives natives() {
        return natives;
    }

    public EventLoopGroup loops() {
        return loops;
    }

    public Class<? extends ServerSocketChannel> listenerType() {
        return switch (natives.transport()) {
            case EPOLL -> EpollServerSocketChannel.class;
            case KQUEUE -> KQueueServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
