package orrery.bench.graph;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * People who follow each other. Everybody follows {@value #FOLLOWS} others; who is popular has
 * thousands of followers, and most have few. The same numbers give the same graph.
 */
public final class SocialGraph {
    /** Edges that begin at each vertex. */
    public static final int FOLLOWS = 10;

    /** Vertices with the same value of the property that is filtered. */
    public static final int TEAM = 10;

    /** Vertices with the same partition key. */
    private static final int CITY = 100;

    /** A prime, so that no two ranks fall on one person. */
    private static final long SCATTER = 48_271;

    private final int people;
    private final int[] followed;

    public SocialGraph(int people) {
        this.people = people;
        this.followed = new int[people * FOLLOWS];
        SplittableRandom random = new SplittableRandom(1);
        for (int edge = 0; edge < followed.length; edge++) {
            int source = edge / FOLLOWS;
            // The square makes low numbers likely; those who have them live in all cities.
            double chance = random.nextDouble();
            int rank = (int) (chance * chance * people);
            int sink = (int) (rank * SCATTER % people);
            followed[edge] = sink == source ? (sink + 1) % people : sink;
        }
    }

    public int people() {
        return people;
    }

    public int edges() {
        return followed.length;
    }

    public int source(int edge) {
        return edge / FOLLOWS;
    }

    public int sink(int edge) {
        return followed[edge];
    }

    public static String id(int person) {
        return "v" + person;
    }

    public static String city(int person) {
        return "city-" + person / CITY;
    }

    public static String name(int person) {
        return "name-" + person;
    }

    public static int team(int person) {
        return person / TEAM;
    }

    public static String edgeId(int edge) {
        return "e" + edge;
    }

    public static int since(int edge) {
        return 2000 + edge % 25;
    }

    /** Returns somebody else whom a person finds by as many steps, or by fewer. */
    public int reached(int person, int steps, RandomGenerator random) {
        while (true) {
            int at = person;
            for (int step = 0; step < steps; step++) {
                at = followed[at * FOLLOWS + random.nextInt(FOLLOWS)];
            }
            if (at != person) {
                return at;
            }
        }
    }
}
