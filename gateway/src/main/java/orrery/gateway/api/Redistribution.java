package orrery.gateway.api;

import java.util.Map;

/** The wanted division of a container's throughput over its ranges. */
public sealed interface Redistribution {
    /** The least throughput of a range that gives some away, unless it is told to keep more. */
    int LEAST_RU = 100;

    /** Each range has the same. */
    record Equal() implements Redistribution {}

    /**
     * Some ranges get what they need, others give it.
     *
     * @param targets how many RU/s each of these ranges is to have
     * @param sources how many RU/s each of these ranges keeps at least; where there are none, all
     *     that are no targets give
     */
    record Custom(Map<Integer, Integer> targets, Map<Integer, Integer> sources)
            implements Redistribution {
        public Custom {
            targets = Map.copyOf(targets);
            sources = Map.copyOf(sources);
        }
    }
}
