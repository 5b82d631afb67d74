package orrery.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.TableMessages;

/**
 * The Table API against Azurite: the same bytes go to both. The SDK for JavaScript would be the
 * slowest part of it, so the requests are made here.
 */
final class Entities implements Measurement {
    private static final double TARGET = 10;
    private static final int CLIENTS = 16;
    private static final int BATCH = 20;

    /** Entities before anything is measured. */
    private static final int LOADED = 10_000;

    private static final ThreadFactory CALLERS = Thread.ofVirtual().factory();

    @Override
    public String name() {
        return "table";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (BenchServer server = new BenchServer(bench, name());
                Azurite azurite = Azurite.start(bench);
                Server own = new Server("Orrery", server.handle(), server.tablePort());
                Server peer = new Server("Azurite", azurite.handle(), azurite.port())) {
            own.call(201, own.messages.createTable());
            for (Server each : List.of(own, peer)) {
                for (int i = 0; i < LOADED; i += TableMessages.ROWS) {
                    each.call(202, each.messages.batch(i, TableMessages.ROWS));
                }
            }
            rows.add(compare(bench, "point reads", own, peer, Server::reads));
            rows.add(
                    compare(
                            bench,
                            "filter queries, 10 of 100 entities",
                            own,
                            peer,
                            Server::queries));
            rows.add(compare(bench, "inserts", own, peer, Server::inserts));
            rows.add(compare(bench, "inserts in batches of " + BATCH, own, peer, Server::batches));
        }
        return rows;
    }

    private Row compare(
            Bench bench, String what, Server own, Server peer, Function<Server, Load> load)
            throws Exception {
        List<Rounds.Score> scores =
                bench.rounds()
                        .run(
                                List.of(load.apply(own), load.apply(peer)),
                                new Progress(name() + ", " + what));
        return new Row(
                name(),
                what,
                scores.getFirst().perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer("Azurite", scores.getLast().perSecond())),
                Optional.of(new Row.Target.RatioAtLeast(TARGET)),
                String.format(Locale.ROOT, "%s; %s", scores.getFirst(), scores.getLast()));
    }

    /** One of the two, with connections that stay open during a round. */
    private static final class Server implements AutoCloseable {
        private final String name;
        private final ProcessHandle process;
        private final int port;
        private final ConcurrentLinkedQueue<SqlCaller> idle = new ConcurrentLinkedQueue<>();
        private final AtomicLong next = new AtomicLong(LOADED);
        private TableMessages messages;

        Server(String name, ProcessHandle process, int port) {
            this.name = name;
            this.process = process;
            this.port = port;
            this.messages = new TableMessages(port);
        }

        Load reads() {
            AtomicLong turn = new AtomicLong();
            return load(1, 200, () -> messages.read(turn.getAndIncrement() * 7 % LOADED));
        }

        Load queries() {
            AtomicLong turn = new AtomicLong();
            long keys = LOADED / TableMessages.ROWS;
            return load(1, 200, () -> messages.query(turn.getAndIncrement() % keys));
        }

        Load inserts() {
            return load(1, 204, () -> messages.insert(next.getAndIncrement()));
        }

        /** From a multiple of their number on, so that all have one partition key. */
        Load batches() {
            next.updateAndGet(
                    at -> (at + TableMessages.ROWS) / TableMessages.ROWS * TableMessages.ROWS);
            return load(BATCH, 202, () -> messages.batch(next.getAndAdd(BATCH), BATCH));
        }

        private Load load(int entities, int status, Supplier<byte[]> message) {
            return new Load(this, entities, status, message);
        }

        void call(int status, byte[] message) {
            SqlCaller caller = idle.poll();
            try {
                if (caller == null) {
                    caller = new SqlCaller(port);
                }
                caller.expect(status, message);
                idle.add(caller);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Azurite closes connections that nobody used while it was the other one's turn. */
        void beginRound() {
            close();
            messages = new TableMessages(port);
        }

        @Override
        public void close() {
            idle.forEach(SqlCaller::close);
            idle.clear();
        }
    }

    private record Load(Server server, int entities, int status, Supplier<byte[]> message)
            implements Rounds.Contestant {
        @Override
        public String name() {
            return server.name;
        }

        @Override
        public ProcessHandle process() {
            return server.process;
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            server.beginRound();
            return entities
                    * Clients.run(
                            CLIENTS, CALLERS, seconds, () -> server.call(status, message.get()));
        }
    }
}
