package orrery.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import orrery.bench.load.LoadSpec;
import orrery.bench.load.Reply;

/** Point reads of a 1 KB item over plain HTTP against handlers that only return the same bytes. */
final class PointReads implements Measurement {
    private static final double TARGET = 0.50;
    private static final int ITEMS = 256;
    private static final String CONTAINER = "reads";

    @Override
    public String name() {
        return "reads";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Path reply = bench.fresh("reply");
        try (BenchServer server = new BenchServer(bench, "reads")) {
            server.createContainer(CONTAINER, BenchServer.FULL_INDEX);
            server.createItems(CONTAINER, ITEMS);
            Reply sample = server.readItem(CONTAINER);
            if (sample.status() != 200) {
                throw new IllegalStateException("an item could not be read: " + sample);
            }
            Files.write(reply, sample.toBytes());
            try (BareServer handler = BareServer.start(BareServer.Kind.HANDLER, reply);
                    BareServer netty = BareServer.start(BareServer.Kind.NETTY, reply)) {
                return measure(bench, server, handler, netty);
            }
        } finally {
            Bench.delete(reply);
        }
    }

    private List<Row> measure(Bench bench, BenchServer server, BareServer handler, BareServer netty)
            throws Exception {
        List<Rounds.Score> scores =
                bench.rounds()
                        .run(
                                List.of(
                                        reader(bench, "Orrery", server.handle(), server.port()),
                                        reader(
                                                bench,
                                                "bare handler",
                                                handler.handle(),
                                                handler.port()),
                                        reader(bench, "bare Netty", netty.handle(), netty.port())),
                                new Progress(name()));
        Rounds.Score own = scores.getFirst();
        return List.of(
                row(
                        "point reads, HTTP",
                        own,
                        scores.get(1),
                        Optional.of(new Row.Target.RatioAtLeast(TARGET))),
                row("point reads, HTTP, stricter peer", own, scores.get(2), Optional.empty()));
    }

    private static LoadedServer reader(Bench bench, String name, ProcessHandle process, int port) {
        return new LoadedServer(
                name, process, bench.load(), LoadSpec.Kind.READ, port, CONTAINER, ITEMS);
    }

    private Row row(
            String title, Rounds.Score own, Rounds.Score peer, Optional<Row.Target> target) {
        return new Row(
                name(),
                title,
                own.perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(peer.name(), peer.perSecond())),
                target,
                own + "; " + peer);
    }
}
