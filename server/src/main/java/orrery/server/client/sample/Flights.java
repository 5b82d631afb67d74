package orrery.server.client.sample;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import orrery.document.Value;

/** A few days of departures of an airline that nobody knows, between airports that exist. */
final class Flights {
    private static final long SEED = 20_170;
    private static final int COUNT = 1_000;
    private static final LocalDateTime BEGIN = LocalDateTime.of(2026, 3, 1, 5, 0);

    private record Airport(String code, String city, String country, double lon, double lat) {}

    private static final List<Airport> AIRPORTS =
            List.of(
                    new Airport("LAX", "Los Angeles", "USA", -118.41, 33.94),
                    new Airport("AMS", "Amsterdam", "Netherlands", 4.76, 52.31),
                    new Airport("MEL", "Melbourne", "Australia", 144.84, -37.67),
                    new Airport("SEA", "Seattle", "USA", -122.31, 47.45),
                    new Airport("JFK", "New York", "USA", -73.78, 40.64),
                    new Airport("LHR", "London", "United Kingdom", -0.46, 51.47),
                    new Airport("FRA", "Frankfurt", "Germany", 8.57, 50.04),
                    new Airport("CDG", "Paris", "France", 2.55, 49.01),
                    new Airport("ZRH", "Zurich", "Switzerland", 8.55, 47.46),
                    new Airport("GRU", "São Paulo", "Brazil", -46.47, -23.43),
                    new Airport("NRT", "Tokyo", "Japan", 140.39, 35.76),
                    new Airport("SIN", "Singapore", "Singapore", 103.99, 1.36),
                    new Airport("DEL", "Delhi", "India", 77.1, 28.57),
                    new Airport("CPT", "Cape Town", "South Africa", 18.6, -33.97),
                    new Airport("YVR", "Vancouver", "Canada", -123.18, 49.19));

    private static final List<String> AIRCRAFT = List.of("A320", "A350", "B737", "B787", "E190");

    private Flights() {}

    static Stream<Value.Obj> airports() {
        return AIRPORTS.stream()
                .map(
                        airport ->
                                new Items()
                                        .put("id", airport.code())
                                        .put("city", airport.city())
                                        .put("country", airport.country())
                                        .put("location", Items.point(airport.lon(), airport.lat()))
                                        .build());
    }

    static Stream<Value.Obj> departures() {
        Random random = new Random(SEED);
        return IntStream.range(0, COUNT).mapToObj(number -> departure(random, number));
    }

    private static Value.Obj departure(Random random, int number) {
        int from = random.nextInt(AIRPORTS.size());
        int to = (from + 1 + random.nextInt(AIRPORTS.size() - 1)) % AIRPORTS.size();
        LocalDateTime time = BEGIN.plusMinutes(7L * number);
        String flight = "OR" + (100 + random.nextInt(800));
        return new Items()
                .put("id", String.format(Locale.ROOT, "%s-%tF-%04d", flight, time, number))
                .put("airport", AIRPORTS.get(from).code())
                .put("destination", AIRPORTS.get(to).code())
                .put("flight", flight)
                .put("departure", String.format(Locale.ROOT, "%1$tFT%1$tR:00Z", time))
                .put("delayMinutes", random.nextInt(4) == 0 ? random.nextInt(180) : 0)
                .put("aircraft", Items.pick(random, AIRCRAFT))
                .put("passengers", 40 + random.nextInt(260))
                .put(
                        "gate",
                        (char) ('A' + random.nextInt(6)) + Integer.toString(1 + random.nextInt(40)))
                .build();
    }

    /**
     * The graph of the Gremlin API, as the items that it consists of: airports in their countries,
     * and an edge from each to those it has departures to.
     */
    static Stream<Value.Obj> routes() {
        Map<String, Integer> departures = new TreeMap<>();
        departures()
                .forEach(
                        departure ->
                                departures.merge(
                                        text(departure, "airport")
                                                + "-"
                                                + text(departure, "destination"),
                                        1,
                                        Integer::sum));
        List<Value.Obj> elements = new ArrayList<>();
        AIRPORTS.forEach(airport -> elements.add(vertex(airport)));
        departures.forEach(
                (route, flights) -> {
                    String[] ends = route.split("-", 2);
                    elements.add(
                            edge(route, "route", airport(ends[0]), airport(ends[1]))
                                    .put("flights", flights)
                                    .build());
                });
        elements.add(edge("I5", "road", airport("SEA"), airport("LAX")).build());
        return elements.stream();
    }

    private static Airport airport(String code) {
        return AIRPORTS.stream()
                .filter(airport -> airport.code().equals(code))
                .findAny()
                .orElseThrow();
    }

    private static String text(Value.Obj item, String name) {
        if (item.properties().get(name) instanceof Value.Text(String text)) {
            return text;
        }
        throw new IllegalArgumentException("it has no text " + name);
    }

    private static Value.Obj vertex(Airport airport) {
        return new Items()
                .put("id", airport.city())
                .put("label", "airport")
                .put("country", airport.country())
                .put("code", property(airport, "code", Value.of(airport.code())))
                .put("longitude", property(airport, "longitude", Value.of(airport.lon())))
                .put("latitude", property(airport, "latitude", Value.of(airport.lat())))
                .build();
    }

    /** A property of a vertex is a list, and each value in it has an id. */
    private static Value property(Airport airport, String name, Value value) {
        UUID id =
                UUID.nameUUIDFromBytes(
                        (airport.code() + '|' + name).getBytes(StandardCharsets.UTF_8));
        return new Value.Array(
                List.of(new Items().put("id", id.toString()).put("_value", value).build()));
    }

    /** An edge lies in the partition of the vertex that it begins at. */
    private static Items edge(String id, String label, Airport from, Airport to) {
        return new Items()
                .put("id", id)
                .put("label", label)
                .put("country", from.country())
                .put("_isEdge", Value.of(true))
                .put("_vertexId", from.city())
                .put("_vertexLabel", "airport")
                .put("_sink", to.city())
                .put("_sinkLabel", "airport")
                .put("_sinkPartition", to.country());
    }
}
