package orrery.frontend.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.ByteSink;
import orrery.model.Bytes;

class PageEnvelopeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|{\"_rid\":\"r\",\"Documents\":[],\"_count\":0}",
                "1|{\"_rid\":\"r\",\"Documents\":[1],\"_count\":1}",
                "1;{};3|{\"_rid\":\"r\",\"Documents\":[1,{},3],\"_count\":3}"
            })
    void rowsStandBetweenCommas(String given, String page) {
        List<Bytes> rows =
                given.isEmpty()
                        ? List.of()
                        : List.of(given.split(";")).stream().map(Bytes::ofUtf8).toList();
        // A guess that is too small must not matter.
        Bytes written =
                PageEnvelope.counted("r", "Documents", rows.size())
                        .around(rows, _ -> 0, ByteSink::put);
        assertThat(written.toUtf8()).isEqualTo(page);
    }
}
