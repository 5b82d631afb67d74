package orrery.frontend.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.Throughput;

final class ThroughputJsonTest {
    private static final Throughput PER_MINUTE = new Throughput.Manual(1000, true);

    private static Throughput parse(String json, Throughput present) {
        return ThroughputJson.parse(Bytes.ofUtf8(json), present);
    }

    @Test
    void eitherModeMayFollowEither() {
        Throughput manual = new Throughput.Manual(400);
        Throughput autoscale = new Throughput.Autoscale(1000);
        assertThat(parse("{\"manual\":500}", autoscale)).isEqualTo(new Throughput.Manual(500));
        assertThat(parse("{\"autoscale\":2000}", manual)).isEqualTo(new Throughput.Autoscale(2000));
    }

    @Test
    void theBudgetPerMinuteStaysUnlessItCannot() {
        assertThat(parse("{\"manual\":2000}", PER_MINUTE))
                .isEqualTo(new Throughput.Manual(2000, true));
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> parse("{\"autoscale\":2000}", PER_MINUTE))
                .withMessageContaining("no budget per minute");
    }

    @Test
    void writesWhatIsKnown() {
        assertThat(JsonText.write(ThroughputJson.write(PER_MINUTE, true, 400, false)))
                .isEqualTo(
                        "{\"manual\":1000,\"perMinute\":true,\"of\":\"database\",\"minimum\":400,"
                                + "\"pending\":false}");
        assertThat(
                        JsonText.write(
                                ThroughputJson.write(
                                        new Throughput.Autoscale(4000), false, 1000, true)))
                .isEqualTo(
                        "{\"autoscale\":4000,\"of\":\"container\",\"minimum\":1000,\"pending\":true}");
    }
}
