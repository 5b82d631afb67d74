package orrery.server.client.sample;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import orrery.document.Value;

/** The samples, with the containers that each creates. */
enum Sample {
    FOOD("Food items under a bad key and a good one, to see even and uneven partitions."),
    FLIGHTS("Departures by airport, the airports with their places, and a graph of routes."),
    DEVICES("Readings of devices by device, a key that spreads well.");

    /**
     * A container with its items.
     *
     * @param filledWith the RU/s at first, which decide on the partitions
     * @param throughput the RU/s in the end
     */
    record Contents(
            String container,
            String key,
            int filledWith,
            int throughput,
            Supplier<Stream<Value.Obj>> items) {}

    private final String description;

    Sample(String description) {
        this.description = description;
    }

    String description() {
        return description;
    }

    List<Contents> contents() {
        return switch (this) {
            case FOOD ->
                    List.of(
                            // Three ranges of 10,000 RU/s, which then have 6,000 each.
                            new Contents("items", "/foodGroup", 30_000, 18_000, Food::items),
                            new Contents("items-by-id", "/id", 30_000, 18_000, Food::items));
            case FLIGHTS ->
                    List.of(
                            new Contents(
                                    "departures", "/airport", 4_000, 4_000, Flights::departures),
                            // The least that the rules of any year allow.
                            new Contents("airports", "/id", 2_500, 2_500, Flights::airports),
                            new Contents("routes", "/country", 2_500, 2_500, Flights::routes));
            case DEVICES ->
                    List.of(
                            new Contents(
                                    "telemetry", "/deviceId", 20_000, 20_000, Devices::readings));
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
