package orrery.server.client.sample;

import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import orrery.document.Value;

/** A day of hourly readings of fifty devices. The first is XMS-001-FE24C of the device XMS-0001. */
final class Devices {
    private static final long SEED = 20_000;
    private static final int DEVICES = 50;
    private static final int HOURS = 24;
    private static final int FIRST_SERIAL = 0xFE24C;
    private static final LocalDateTime BEGIN = LocalDateTime.of(2026, 3, 1, 0, 0);

    private Devices() {}

    static Stream<Value.Obj> readings() {
        Random random = new Random(SEED);
        return IntStream.range(0, DEVICES * HOURS).mapToObj(number -> reading(random, number));
    }

    private static Value.Obj reading(Random random, int number) {
        int device = number % DEVICES + 1;
        int hour = number / DEVICES;
        int serial = FIRST_SERIAL - 7 * number;
        boolean isWarm = hour > 8 && hour < 20;
        return new Items()
                .put("id", String.format(Locale.ROOT, "XMS-%03d-%05X", device, serial))
                .put("deviceId", String.format(Locale.ROOT, "XMS-%04d", device))
                .put("time", String.format(Locale.ROOT, "%1$tFT%1$tR:00Z", BEGIN.plusHours(hour)))
                .put("temperature", Items.tenths((isWarm ? 210 : 170) + random.nextInt(60)))
                .put("humidity", 30 + random.nextInt(50))
                .put("battery", 100 - hour - random.nextInt(20))
                .put("online", Value.of(random.nextInt(50) > 0))
                .build();
    }
}
