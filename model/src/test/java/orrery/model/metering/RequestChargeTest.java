package orrery.model.metering;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class RequestChargeTest {
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/charges/point-operations.csv", numLinesToSkip = 1)
    void chargesAsPublished(String name, String operation, long bytes, int leaves, double ru) {
        double charge =
                switch (operation) {
                    case "read" -> RequestCharge.readRu(bytes);
                    case "create" -> RequestCharge.createRu(bytes, leaves);
                    case "delete" -> RequestCharge.deleteRu(bytes, leaves);
                    case "replace" -> RequestCharge.replaceRu(bytes, leaves / 2, leaves / 2);
                    case "refused" -> RequestCharge.refusedWriteRu(bytes);
                    default -> throw new IllegalArgumentException(operation);
                };

        assertThat(RequestCharge.round(charge)).as(name).isEqualTo(ru);
    }

    @Test
    void replacingEverythingCostsTwoInserts() {
        assertThat(RequestCharge.replaceRu(5_000, 9, 9))
                .isEqualTo(2 * RequestCharge.createRu(5_000, 9));
    }

    @Test
    void emptyPageStillCosts() {
        assertThat(RequestCharge.feedPageRu(0)).isEqualTo(1);
        assertThat(RequestCharge.feedPageRu(RequestCharge.readRu(4096) * 3))
                .isEqualTo(3 * RequestCharge.readRu(4096));
        assertThat(RequestCharge.NOT_FOUND_RU).isEqualTo(1);
    }

    @Test
    void roundsToTwoDecimals() {
        assertThat(RequestCharge.round(30 * 4.0 / 21)).isEqualTo(5.71);
        assertThat(RequestCharge.round(0)).isZero();
    }

    @Test
    void chargeNeverFallsAsItemsGrow() {
        double read = 0;
        double write = 0;
        for (long bytes = 0; bytes <= 2_200_000; bytes += 997) {
            assertThat(RequestCharge.readRu(bytes)).isGreaterThanOrEqualTo(read);
            assertThat(RequestCharge.createRu(bytes, 3)).isGreaterThanOrEqualTo(write);
            read = RequestCharge.readRu(bytes);
            write = RequestCharge.createRu(bytes, 3);
        }
    }
}
