package orrery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final List<Row> ROWS =
            List.of(
                    new Row(
                            "reads",
                            "point reads",
                            12345,
                            Row.Unit.PER_SECOND,
                            Optional.of(new Row.Peer("bare", 20000)),
                            Optional.of(new Row.Target.RatioAtLeast(0.5)),
                            "quiet"),
                    Row.alone("startup", "start", 1.75, Row.Unit.SECONDS, 1.5, ""));

    @Test
    void textLinesUp() {
        assertThat(Table.text(ROWS))
                .isEqualTo(
                        """
                        name           figure  peer figure    ratio  target         verdict
                        -----------  --------  -------------  -----  -------------  -------
                        point reads  12,345/s  20,000/s bare   0.62  ratio >= 0.50  met
                        start          1.75 s  -                  -  <= 1.50 s      MISSED

                        point reads: quiet
                        """);
    }

    @Test
    void jsonHasAnObjectPerLine() {
        assertThat(Table.json(ROWS).lines())
                .containsExactly(
                        "{\"measurement\":\"reads\",\"name\":\"point reads\",\"figure\":12345.0000,"
                                + "\"unit\":\"/s\",\"peer\":\"bare\",\"peerFigure\":20000.0000,"
                                + "\"ratio\":0.6173,\"target\":\"ratio >= 0.50\","
                                + "\"verdict\":\"met\",\"note\":\"quiet\"}",
                        "{\"measurement\":\"startup\",\"name\":\"start\",\"figure\":1.7500,"
                                + "\"unit\":\"s\",\"peer\":null,\"peerFigure\":null,"
                                + "\"ratio\":null,\"target\":\"<= 1.50 s\","
                                + "\"verdict\":\"missed\",\"note\":\"\"}");
    }
}
