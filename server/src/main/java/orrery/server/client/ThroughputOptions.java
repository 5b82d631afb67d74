package orrery.server.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import picocli.CommandLine.Option;

/** Manual or autoscale throughput; at most one of them is set. */
final class ThroughputOptions {
    @Option(
            names = "--throughput",
            paramLabel = "N",
            required = true,
            description = "So many RU/s, at all times.")
    private @Nullable Integer manual;

    @Option(
            names = "--max-throughput",
            paramLabel = "N",
            required = true,
            description = "Autoscale: up to so many RU/s, as load comes.")
    private @Nullable Integer autoscale;

    /** Returns the body for the operator API. */
    Value operatorJson() {
        return new Value.Obj(
                manual != null
                        ? Map.of("manual", Value.of((long) manual))
                        : Map.of(
                                "autoscale",
                                autoscale == null ? Value.Null.NULL : Value.of((long) autoscale)));
    }

    /** Returns the headers of a request that creates something with this throughput. */
    Map<String, String> headers() {
        if (manual != null) {
            return Map.of("x-ms-offer-throughput", Integer.toString(manual));
        }
        return autoscale == null
                ? Map.of()
                : Map.of(
                        "x-ms-cosmos-offer-autopilot-settings",
                        "{\"maxThroughput\":" + autoscale + "}");
    }
}
