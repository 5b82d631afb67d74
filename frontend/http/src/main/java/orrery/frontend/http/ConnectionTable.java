package orrery.frontend.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The open connections of a server, and the rule of who goes when there are too many: first the
 * oldest stranger of the address that has the most strangers, then the longest idle connection of
 * the address that has the most connections. So nobody is kept out by connections that only sit
 * there, and a program with many connections of its own loses one that it does not use.
 * Thread-safe.
 */
public final class ConnectionTable<C extends ConnectionTable.Member> {
    /** The facts that the table needs about a connection. Any thread may ask. */
    public interface Member {
        /** The addresses that it is counted with, see {@link #neighbourhood(SocketAddress)}. */
        InetAddress neighbourhood();

        boolean isIdle();

        /** When it became idle, by {@link System#nanoTime}. */
        long idleSince();

        /** Makes room for others. */
        void evict();
    }

    /** An IPv6 client owns a whole network of this many bytes of prefix. */
    private static final int IPV6_PREFIX_BYTES = 8;

    /** Connections of one address, each kind in the order of arrival. */
    private static final class Neighbours<C> {
        final Set<C> strangers = new LinkedHashSet<>();
        final Set<C> known = new LinkedHashSet<>();

        int size() {
            return strangers.size() + known.size();
        }
    }

    private final int limit;
    private final Set<C> open = new LinkedHashSet<>();

    /** Those that have been told to go are no longer here. */
    private final Map<InetAddress, Neighbours<C>> byAddress = new HashMap<>();

    ConnectionTable(int limit) {
        this.limit = limit;
    }

    /** The addresses that count as one. */
    static InetAddress neighbourhood(SocketAddress remote) {
        InetAddress address =
                remote instanceof InetSocketAddress known && known.getAddress() != null
                        ? known.getAddress()
                        : InetAddress.getLoopbackAddress();
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] prefix = address.getAddress();
        Arrays.fill(prefix, IPV6_PREFIX_BYTES, prefix.length, (byte) 0);
        try {
            return InetAddress.getByAddress(prefix);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address has lost its length", impossible);
        }
    }

    /** Makes room for one more if there is none. Returns false if nobody can go. */
    synchronized boolean makeRoom() {
        return open.size() < limit || tell(stranger(_ -> true).or(this::longestIdle));
    }

    /** Has a stranger go for which this holds. Returns false if there is none. */
    synchronized boolean evictStranger(Predicate<C> condition) {
        return tell(stranger(condition));
    }

    synchronized int add(C connection) {
        open.add(connection);
        byAddress
                .computeIfAbsent(connection.neighbourhood(), _ -> new Neighbours<>())
                .strangers
                .add(connection);
        return open.size();
    }

    /** It is a stranger no more. */
    synchronized void recognize(C connection) {
        Neighbours<C> neighbours = byAddress.get(connection.neighbourhood());
        if (neighbours != null && neighbours.strangers.remove(connection)) {
            neighbours.known.add(connection);
        }
    }

    synchronized void remove(C connection) {
        open.remove(connection);
        forget(connection);
    }

    synchronized int size() {
        return open.size();
    }

    synchronized List<C> all() {
        return List.copyOf(open);
    }

    private boolean tell(Optional<C> victim) {
        victim.ifPresent(
                connection -> {
                    forget(connection);
                    connection.evict();
                });
        return victim.isPresent();
    }

    private void forget(C connection) {
        Neighbours<C> neighbours = byAddress.get(connection.neighbourhood());
        if (neighbours != null) {
            neighbours.strangers.remove(connection);
            neighbours.known.remove(connection);
            if (neighbours.size() == 0) {
                byAddress.remove(connection.neighbourhood());
            }
        }
    }

    private Optional<C> stranger(Predicate<C> condition) {
        return mostFirst(neighbours -> neighbours.strangers.size())
                .flatMap(neighbours -> neighbours.strangers.stream().filter(condition).limit(1))
                .findFirst();
    }

    private Optional<C> longestIdle() {
        return mostFirst(Neighbours::size)
                .flatMap(
                        neighbours ->
                                neighbours.known.stream()
                                        .filter(Member::isIdle)
                                        .min(Comparator.comparingLong(Member::idleSince))
                                        .stream())
                .findFirst();
    }

    private Stream<Neighbours<C>> mostFirst(ToIntFunction<Neighbours<C>> count) {
        return byAddress.values().stream().sorted(Comparator.comparingInt(count).reversed());
    }
}
