package orrery.model.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import orrery.model.ConsistencyLevel;

final class RequestChargeTest {
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/charges/published.csv", numLinesToSkip = 1)
    void chargesByTheFormula(String name, String work, @Nullable Double published, double ru) {
        Charge charge = parse(work);

        assertThat(Receipt.hundredths(charge) / 100.0).as(name).isEqualTo(ru, within(0.005));
    }

    /** The little language at the head of the file. */
    private static Charge parse(String work) {
        String[] head = work.split(" ", 2);
        String rest = head.length == 1 ? "" : head[1];
        Queue<String> words = new ArrayDeque<>(Arrays.asList(rest.split(" ")));
        return switch (head[0]) {
            case "read" -> level(RequestCharge.read(number(words)), words);
            case "missing" -> level(RequestCharge.NOT_FOUND, words);
            case "unchanged" -> {
                number(words); // its size does not matter
                yield level(RequestCharge.notModified(), words);
            }
            case "page" -> RequestCharge.feedPage(number(words), number(words));
            case "create" -> RequestCharge.create(number(words), number(words));
            case "delete" -> RequestCharge.delete(number(words), number(words));
            case "replace" -> RequestCharge.replace(number(words), number(words), number(words));
            case "patch" -> RequestCharge.patch(number(words), number(words), number(words));
            case "refused" -> RequestCharge.refusedWrite(number(words));
            case "query" -> RequestCharge.query(number(words), number(words), number(words));
            case "script" -> RequestCharge.script(sum(rest));
            case "batch" -> sum(rest);
            default -> throw new IllegalArgumentException(work);
        };
    }

    private static Charge sum(String works) {
        return Arrays.stream(works.split("; "))
                .map(RequestChargeTest::parse)
                .reduce(Charge.NONE, Charge::plus);
    }

    private static Charge level(Charge charge, Queue<String> words) {
        return Arrays.stream(ConsistencyLevel.values())
                .filter(level -> level.wireName().equals(words.peek()))
                .findAny()
                .map(charge::readAt)
                .orElse(charge);
    }

    private static int number(Queue<String> words) {
        return Integer.parseInt(words.remove());
    }

    @Test
    void shortQueriesPayNothingForTheirText() {
        assertThat(RequestCharge.queryText(4096, 256).ru()).isZero();
        assertThat(RequestCharge.queryText(100, 10).ru()).isZero();
    }

    @Test
    void longQueriesPayForCharactersAndExpressions() {
        // An IN list of a thousand keys of 36 characters.
        assertThat(RequestCharge.queryText(39_000, 1_005).ru()).isCloseTo(12.98, within(0.005));
        // 48,000 comparisons.
        assertThat(RequestCharge.queryText(432_018, 192_003).ru()).isCloseTo(2897.6, within(0.05));
        // One long text.
        assertThat(RequestCharge.queryText(404_096, 10).ru()).isCloseTo(20, within(0.005));
    }

    @Test
    void whatIsComputedForADocumentIsInItsPriceUpToALimit() {
        assertThat(RequestCharge.queryEvaluation(200_000, 0).ru()).isZero();
        assertThat(RequestCharge.queryEvaluation(2_200_000, 100).ru()).isZero();
        assertThat(RequestCharge.queryEvaluation(2_400_000, 100).ru()).isEqualTo(1);
        assertThat(RequestCharge.queryEvaluation(Long.MAX_VALUE, Integer.MAX_VALUE).ru())
                .isFinite();
    }

    @Test
    void replacingEverythingCostsTwoInserts() {
        assertThat(RequestCharge.replace(5_000, 9, 9).ru())
                .isEqualTo(2 * RequestCharge.create(5_000, 9).ru());
    }

    @Test
    void chargeNeverFallsAsItemsGrow() {
        double read = 0;
        double write = 0;
        for (long bytes = 0; bytes <= 2_200_000; bytes += 997) {
            assertThat(RequestCharge.read(bytes).ru()).isGreaterThanOrEqualTo(read);
            assertThat(RequestCharge.create(bytes, 3).ru()).isGreaterThanOrEqualTo(write);
            read = RequestCharge.read(bytes).ru();
            write = RequestCharge.create(bytes, 3).ru();
        }
    }
}
