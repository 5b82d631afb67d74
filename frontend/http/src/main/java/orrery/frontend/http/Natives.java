package orrery.frontend.http;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.kqueue.KQueue;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/**
 * The optional native libraries that this process uses. Each has a pure Java fallback that serves
 * the same requests.
 *
 * <p>{@code -Dorrery.natives=off} switches all of them off, {@code -Dorrery.native.epoll=false} the
 * transports, {@code -Dorrery.native.boringssl=false} TLS.
 */
public record Natives(Kind transport, boolean boringSsl) {
    /** The way in which sockets are polled. */
    public enum Kind {
        EPOLL,
        KQUEUE,
        NIO
    }

    /**
     * Asks the system properties first, so that a library that is switched off is not even loaded.
     */
    public static Natives detect() {
        boolean off = "off".equals(System.getProperty("orrery.natives"));
        return new Natives(
                off || isFalse("orrery.native.epoll") ? Kind.NIO : availableTransport(),
                !off && !isFalse("orrery.native.boringssl") && OpenSsl.isAvailable());
    }

    /** Pure Java only. */
    public static Natives none() {
        return new Natives(Kind.NIO, false);
    }

    public SslProvider sslProvider() {
        // Not OPENSSL_REFCNT: a renewed certificate leaves the old context to the garbage
        // collector.
        return boringSsl ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    private static boolean isFalse(String property) {
        return "false".equals(System.getProperty(property));
    }

    private static Kind availableTransport() {
        String system = System.getProperty("os.name", "");
        if (system.startsWith("Linux") && Epoll.isAvailable()) {
            return Kind.EPOLL;
        }
        if (system.startsWith("Mac") && KQueue.isAvailable()) {
            return Kind.KQUEUE;
        }
        return Kind.NIO;
    }

    /** Returns the text for the log: {@code epoll, BoringSSL}. */
    @Override
    public String toString() {
        var name =
                switch (transport) {
                    case EPOLL -> "epoll";
                    case KQUEUE -> "kqueue";
                    case NIO -> "NIO";
                };
        return name + ", " + (boringSsl ? "BoringSSL" : "JDK TLS");
    }
}
