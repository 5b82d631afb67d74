package orrery.frontend.gremlin.traversal.script;

import java.util.Set;

/**
 * The methods that TinkerPop has and graphs here have not: those that read files or call
 * procedures, run a program over a whole graph, or that the service does not know.
 */
final class UnsupportedSteps {
    static final Set<String> NAMES =
            Set.of(
                    "call",
                    "connectedComponent",
                    "explain",
                    "io",
                    "match",
                    "mergeE",
                    "mergeV",
                    "notRegex",
                    "pageRank",
                    "peerPressure",
                    "profile",
                    "program",
                    "regex",
                    "shortestPath",
                    "subgraph",
                    "toBulkSet",
                    "toSet",
                    "tryNext",
                    "tx",
                    "withComputer",
                    "withoutStrategies");

    private UnsupportedSteps() {}
}
