package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks the settings of an account beyond request units a second: burst capacity, throughput per
 * minute, priority levels. Each is compared with the same container without it. How much a client
 * gets before its first refusal is compared with what time has granted, so a slow machine changes
 * nothing.
 */
@Tag("client")
@Timeout(900)
final class ThroughputExtrasTest {
    private static final int BUDGET = 400;
    private static final String DATABASE = "db";
    private static final String CONTAINER = "c";
    private static final Map<String, String> LOW = Map.of("x-ms-cosmos-priority-level", "Low");
    private static final Map<String, String> HIGH = Map.of("x-ms-cosmos-priority-level", "High");

    /** An item that costs about 500 request units to write, more than there are in a second. */
    private static final int LARGE = 500_000;

    /** One that costs about 150: less than what low priority leaves to high. */
    private static final int MEDIUM = 150_000;

    /** One that costs seconds of the budget. */
    private static final int HUGE = 1_900_000;

    /** Bursts are not faster than this. */
    private static final int BURST_PACE = 3000;

    @Test
    void burstCapacitySavesWhatWasNotUsed() {
        Duration idle = Duration.ofSeconds(4);
        try (Account saving = new Account("--burst-capacity");
                Account spending = new Account()) {
            saving.create(Map.of());
            spending.create(Map.of());
            // Time is what is saved: there is nothing else to wait for.
            long end = System.nanoTime() + idle.toNanos();
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }

            Spent ofSaving = saving.spend(Map.of());
            Spent ofSpending = spending.spend(Map.of());

            assertThat(ofSaving.ru())
                    .isGreaterThan(BUDGET * (1.0 + idle.toSeconds()))
                    .isGreaterThanOrEqualTo(
                            Math.min(BURST_PACE, BUDGET * (1 + ofSaving.secondsAtLeast())));
            assertThat(ofSpending.ru())
                    .isLessThanOrEqualTo(
                            BUDGET * (1 + ofSpending.spendingSeconds()) + ofSpending.largest());
        }
    }

    @Test
    void throughputPerMinutePaysWhatExceedsTheSecond() {
        try (Account account = new Account("--limits", "2017")) {
            account.create(Map.of("x-ms-offer-is-ru-per-minute-throughput-enabled", "true"));
            Map<String, String> without =
                    Map.of("x-ms-documentdb-disable-ru-per-minute-usage", "true");

            // Requests that do without it are refused when the second is used up; others are not.
            Instant start = Instant.now();
            Spent second = account.spend(without);
            assertThat(second.ru())
                    .isLessThanOrEqualTo(
                            BUDGET * (1 + second.spendingSeconds()) + second.largest());
            Spent minute = account.spend(Map.of());

            assertThat(minute.ru()).isGreaterThanOrEqualTo(BUDGET * 10);
            // A minute that begins meanwhile brings another one.
            long minutes = 1 + minuteOf(Instant.now()) - minuteOf(start);
            assertThat(minute.ru())
                    .isLessThanOrEqualTo(
                            BUDGET * (10 * minutes + 1 + minute.spendingSeconds())
                                    + minute.largest());
        }
    }

    private static long minuteOf(Instant instant) {
        return Math.floorDiv(instant.getEpochSecond(), 60);
    }

    @Test
    void throughputPerMinuteHasToBeAskedFor() {
        try (Account account = new Account("--limits", "2017")) {
            account.create(Map.of());

            Spent spent = account.spend(Map.of());

            assertThat(spent.ru())
                    .isLessThanOrEqualTo(BUDGET * (1 + spent.spendingSeconds()) + spent.largest());
        }
    }

    @Test
    void lowPriorityIsRefusedWhileHighIsServed() {
        try (Account account = new Account("--priority-levels")) {
            account.create(Map.of());
            account.writeReadable();

            Spent low = account.spend(LOW, MEDIUM);

            // Low priority ends at the half second that it leaves to high, less its last write.
            double reserved = BUDGET / 2.0 - low.largest();
            int left = (int) (reserved / account.readCharge());
            assertThat(left).isGreaterThan(10);
            for (int i = 0; i < left - 1; i++) {
                Map<String, String> high = i % 2 == 0 ? HIGH : Map.of();
                assertThat(account.read(high).statusCode()).isEqualTo(200);
            }
            HttpResponse<String> none =
                    account.read(Map.of("x-ms-cosmos-priority-level", "Middling"));
            assertThat(none.statusCode()).isEqualTo(400);
        }
    }

    private static double charge(HttpResponse<String> answer) {
        return Double.parseDouble(answer.headers().firstValue("x-ms-request-charge").orElseThrow());
    }

    private static long retryAfterNanos(HttpResponse<String> answer) {
        String millis = answer.headers().firstValue("x-ms-retry-after-ms").orElseThrow();
        return Duration.ofMillis(Long.parseLong(millis)).toNanos();
    }

    @Test
    void withoutPriorityLevelsAllAreEqual() {
        try (Account account = new Account()) {
            account.create(Map.of());
            account.writeReadable();
            // Again where the answers were too late to know whether there still was a debt.
            while (!account.isRefusedAfterAHugeWrite(HIGH, LOW)) {
                account.awaitReadable();
            }
        }
    }

    /**
     * The units that a client got until it was refused.
     *
     * @param ru the sum of its charges
     * @param largest of its charges: the last may have been admitted with next to nothing left
     * @param secondsAtLeast from the answer that the container is there to the last request
     * @param spendingSeconds from the first request to the refusal
     */
    private record Spent(
            double ru, double largest, double secondsAtLeast, double spendingSeconds) {}

    /** A server with one container, and a client that hears of every refusal. */
    private static final class Account implements AutoCloseable {
        private final RunningServer server;
        private final Rest rest;
        private long createdNanos;

        Account(String... flags) {
            server = RunningServer.start(flags);
            rest = Rest.of(server);
        }

        void create(Map<String, String> headers) {
            expect(201, rest.post(Rest.Target.databases(), Map.of(), "{\"id\":\"db\"}"));
            Map<String, String> all = new HashMap<>(headers);
            all.put("x-ms-offer-throughput", Integer.toString(BUDGET));
            String body =
                    "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"},"
                            + "\"indexingPolicy\":{\"indexingMode\":\"none\",\"automatic\":false}}";
            expect(201, rest.post(Rest.Target.containers(DATABASE), all, body));
            createdNanos = System.nanoTime();
        }

        /** The item that {@link #read} reads. */
        void writeReadable() {
            expect(201, write(Map.of(), "readable", 10));
        }

        HttpResponse<String> read(Map<String, String> headers) {
            return rest.get(Rest.Target.item(DATABASE, CONTAINER, "readable"), withKey(headers));
        }

        /** Returns the cost of each read. */
        double readCharge() {
            HttpResponse<String> answer = read(HIGH);
            expect(200, answer);
            return charge(answer);
        }

        void awaitReadable() {
            HttpResponse<String> answer = read(Map.of());
            while (answer.statusCode() == 429) {
                LockSupport.parkNanos(retryAfterNanos(answer));
                answer = read(Map.of());
            }
            expect(200, answer);
        }

        /**
         * Writes what takes seconds to pay, and reads with each of these headers. False where the
         * answers came so late that it may have been paid already.
         */
        @SafeVarargs
        final boolean isRefusedAfterAHugeWrite(Map<String, String>... headers) {
            long start = System.nanoTime();
            HttpResponse<String> written = write(Map.of(), "huge", HUGE);
            assertThat(written.statusCode()).as(written.body()).isIn(200, 201);
            for (Map<String, String> each : headers) {
                HttpResponse<String> read = read(each);
                double seconds = (System.nanoTime() - start) / 1e9;
                // There was a second's budget at the most, and time has granted the rest.
                if (BUDGET * (1 + seconds) >= charge(written)) {
                    return false;
                }
                expect(429, read);
            }
            return true;
        }

        private HttpResponse<String> write(Map<String, String> headers, String id, int bytes) {
            Map<String, String> all = withKey(headers);
            all.put("x-ms-documentdb-is-upsert", "true");
            String body =
                    "{\"id\":\"%s\",\"pk\":\"k\",\"fill\":\"%s\"}".formatted(id, "f".repeat(bytes));
            return rest.post(Rest.Target.items(DATABASE, CONTAINER), all, body);
        }

        private static Map<String, String> withKey(Map<String, String> headers) {
            Map<String, String> all = new HashMap<>(headers);
            all.put("x-ms-documentdb-partitionkey", "[\"k\"]");
            return all;
        }

        /** Writes large items until one is refused. */
        Spent spend(Map<String, String> headers) {
            return spend(headers, LARGE);
        }

        Spent spend(Map<String, String> headers, int bytes) {
            double ru = 0;
            double largest = 0;
            long start = System.nanoTime();
            long lastSent = start;
            HttpResponse<String> answer = write(headers, "large", bytes);
            while (answer.statusCode() < 300) {
                double charge = charge(answer);
                ru += charge;
                largest = Math.max(largest, charge);
                assertThat(ru).as("used, and never refused").isLessThan(200_000);
                lastSent = System.nanoTime();
                answer = write(headers, "large", bytes);
            }
            expect(429, answer);
            assertThat(answer.headers().firstValue("x-ms-substatus")).contains("3200");
            long end = System.nanoTime();
            return new Spent(ru, largest, (lastSent - createdNanos) / 1e9, (end - start) / 1e9);
        }

        private static void expect(int status, HttpResponse<String> answer) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        }

        @Override
        public void close() {
            rest.close();
            server.close();
        }
    }
}
