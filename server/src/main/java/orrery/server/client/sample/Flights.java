package orrery.server.client.sample;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Random;
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
}
