package orrery.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import orrery.bench.graph.GremlinAnswer;
import orrery.bench.graph.SocialGraph;
import orrery.bench.process.ProcessFigures;

/**
 * The Gremlin API against TinkerPop's server with a TinkerGraph, which has the whole graph as
 * objects in its memory: the same client sends both the same scripts with the same bindings.
 */
final class Traversals implements Measurement {
    private static final int PEOPLE = 100_000;
    private static final double NEAR = 1.0 / 3;
    private static final double FAR = 1.0 / 15;

    /** Requests of each kind that both must answer alike before anything is measured. */
    private static final int CHECKS = 20;

    /** Steps between the ends of a path, at most. */
    private static final int PATH = 2;

    private static final String START = "g.V(v).has('pk',p)";

    /** Comes once for each request to the engine in the answer of executionProfile(). */
    private static final Pattern READ = Pattern.compile("\"fanoutFactor\"");

    /** One kind of requests. */
    private enum Kind {
        POINT("point reads", START, Optional.of(NEAR)),
        ONE_HOP(
                "1 hop, names of " + SocialGraph.FOLLOWS + " neighbours",
                START + ".out('follows').values('name')",
                Optional.of(NEAR)),
        TWO_HOPS(
                "2 hops, distinct vertices counted",
                START + ".out('follows').out('follows').dedup().count()",
                Optional.of(FAR)),
        THREE_HOPS(
                "3 hops, distinct vertices counted",
                START + ".out('follows').out('follows').out('follows').dedup().count()",
                Optional.of(FAR)),
        PATHS(
                "shortest paths of at most " + PATH + " steps",
                START
                        + ".repeat(out('follows').simplePath()).until(hasId(w)).limit(1)"
                        + ".path().count(local)",
                Optional.empty()),
        FILTER(
                "filters by a property, names of " + SocialGraph.TEAM + " vertices",
                "g.V().has('team',n).values('name')",
                Optional.empty());

        private final String title;
        private final String script;
        private final Optional<Double> target;

        Kind(String title, String script, Optional<Double> target) {
            this.title = title;
            this.script = script;
            this.target = target;
        }

        /** The bindings of a request about somebody. */
        String bindings(SocialGraph graph, RandomGenerator random) {
            int person = random.nextInt(graph.people());
            String start =
                    "\"v\":\""
                            + SocialGraph.id(person)
                            + "\",\"p\":\""
                            + SocialGraph.city(person)
                            + "\"";
            return switch (this) {
                case POINT, ONE_HOP, TWO_HOPS, THREE_HOPS -> "{" + start + "}";
                case PATHS -> {
                    String end = SocialGraph.id(graph.reached(person, PATH, random));
                    yield "{" + start + ",\"w\":\"" + end + "\"}";
                }
                case FILTER -> "{\"n\":" + SocialGraph.team(person) + "}";
            };
        }
    }

    @Override
    public String name() {
        return "gremlin";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        SocialGraph graph = new SocialGraph(bench.isQuick() ? PEOPLE / 10 : PEOPLE);
        Progress progress = new Progress(name());
        List<Row> rows = new ArrayList<>();
        try (BenchServer server = new BenchServer(bench, name());
                GremlinPeer gremlinServer = GremlinPeer.start(bench)) {
            server.createContainer(GraphHandle.GRAPH, BenchServer.FULL_INDEX);
            try (GraphHandle own = GraphHandle.of(server);
                    GraphHandle peer = GraphHandle.of(gremlinServer)) {
                progress.say("load of " + own.name());
                double ownSeconds = GraphLoad.bulks(graph, server);
                progress.say("load of " + peer.name());
                double peerSeconds = GraphLoad.scripts(graph, peer);
                rows.add(load(graph, ownSeconds, peerSeconds));
                rows.add(memory(own, peer));
                for (Kind kind : Kind.values()) {
                    check(kind, graph, own, peer);
                }
                for (Kind kind : Kind.values()) {
                    rows.add(compare(bench, kind, graph, own, peer));
                }
            }
        }
        return rows;
    }

    private Row load(SocialGraph graph, double ownSeconds, double peerSeconds) {
        int elements = graph.people() + graph.edges();
        return new Row(
                name(),
                String.format(Locale.ROOT, "load of %,d elements", elements),
                elements / ownSeconds,
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer("TinkerGraph", elements / peerSeconds)),
                Optional.empty(),
                "Orrery by bulks of items in the stored form, durable; TinkerGraph by scripts of"
                        + " 1,000 rows, in memory");
    }

    private Row memory(GraphHandle own, GraphHandle peer) throws IOException {
        return new Row(
                name(),
                "resident memory after the load",
                ProcessFigures.residentMegabytes(own.process()),
                Row.Unit.MEGABYTES,
                Optional.of(
                        new Row.Peer(
                                peer.name(), ProcessFigures.residentMegabytes(peer.process()))),
                Optional.empty(),
                "with what either heap has not given back yet");
    }

    /** Throws unless both give the same results. */
    private static void check(Kind kind, SocialGraph graph, GraphHandle own, GraphHandle peer) {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < CHECKS; i++) {
            String bindings = kind.bindings(graph, random);
            GremlinAnswer found = own.call(kind.script, bindings);
            GremlinAnswer expected = peer.call(kind.script, bindings);
            if (found.results() == 0
                    || found.results() != expected.results()
                    || !sorted(found).equals(sorted(expected))) {
                throw new IllegalStateException(
                        kind.script + " with " + bindings + ": " + found + ", not " + expected);
            }
        }
    }

    private static List<String> sorted(GremlinAnswer answer) {
        return answer.scalars().stream().sorted().toList();
    }

    private Row compare(
            Bench bench, Kind kind, SocialGraph graph, GraphHandle own, GraphHandle peer)
            throws Exception {
        List<Rounds.Score> scores =
                bench.rounds()
                        .run(
                                List.of(new Load(own, kind, graph), new Load(peer, kind, graph)),
                                new Progress(name() + ", " + kind.title));
        Rounds.Score first = scores.getFirst();
        Rounds.Score second = scores.getLast();
        return new Row(
                name(),
                kind.title,
                first.perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(second.name(), second.perSecond())),
                kind.target.map(Row.Target.RatioAtLeast::new),
                String.format(
                        Locale.ROOT,
                        "%s; %s; %.1f reads each",
                        first,
                        second,
                        reads(kind, graph, own)));
    }

    /** Returns how often a traversal of Orrery asks the engine, as its profile tells. */
    private static double reads(Kind kind, SocialGraph graph, GraphHandle own) {
        SplittableRandom random = new SplittableRandom(1);
        long reads = 0;
        for (int i = 0; i < CHECKS; i++) {
            String profile =
                    own.callForText(
                            kind.script + ".executionProfile()", kind.bindings(graph, random));
            reads += READ.matcher(profile).results().count();
        }
        return (double) reads / CHECKS;
    }

    private record Load(GraphHandle server, Kind kind, SocialGraph graph)
            implements Rounds.Contestant {
        @Override
        public String name() {
            return server.name();
        }

        @Override
        public ProcessHandle process() {
            return server.process();
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            return Clients.run(
                    GraphHandle.CLIENTS, Thread.ofPlatform().factory(), seconds, this::request);
        }

        private void request() {
            GremlinAnswer answer =
                    server.call(kind.script, kind.bindings(graph, ThreadLocalRandom.current()));
            if (answer.results() == 0) {
                throw new IllegalStateException(server.name() + " finds nothing");
            }
        }
    }
}
