package orrery.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PartitionsViewTest {
    private static final String TRAFFIC =
            "\"lastSecond\":{\"ru\":1500,\"requests\":300,\"refused\":0},"
                    + "\"lastMinute\":{\"ru\":60000.25,\"requests\":300,\"refused\":100},"
                    + "\"lastHour\":{\"ru\":60000.25,\"requests\":900,\"refused\":100},";

    private static String partition(int id, long bytes, String key, double share) {
        return ("{\"id\":%d,\"parents\":[0],\"min\":\"\",\"max\":\"FF\",\"items\":1,\"itemBytes\":%d,"
                        + "\"indexBytes\":0,\"budgetRu\":3000,\"sharesBudget\":false,"
                        + TRAFFIC
                        + "\"largestKeys\":[{\"key\":[\"%s\"],\"bytes\":%d,\"shareOfLimit\":%s}],"
                        + "\"hottestKeys\":[]}")
                .formatted(id, bytes, key, bytes, share);
    }

    private static Answer report(String... partitions) {
        return Answer.parse(
                "{\"database\":\"d\",\"container\":\"c\",\"partitions\":["
                        + String.join(",", partitions)
                        + "],\"events\":[]}");
    }

    private static String draw(Answer report, boolean colour) {
        StringWriter text = new StringWriter();
        new PartitionsView(report, 5, new PartitionsView.Style(colour, '#'))
                .print(new PrintWriter(text, true));
        return text.toString();
    }

    @Test
    void barsAreInProportion() {
        String drawn = draw(report(partition(1, 3000, "a", 0), partition(2, 100, "b", 0)), false);
        assertThat(drawn)
                .containsPattern("2\\.9 KB  #{30}\n")
                .containsPattern(" 100 B  #\n")
                .containsPattern("25\\.0% +10\\.0%  #{15}\n")
                .contains("The largest range holds 1.94 times the mean of the ranges.")
                .doesNotContain("\u001b");
    }

    @Test
    void aFailedRangeIsNamedWithItsReason() {
        String failed = partition(1, 3000, "a", 0);
        failed = failed.substring(0, failed.length() - 1) + ",\"failure\":\"It broke\"}";
        assertThat(draw(report(failed, partition(2, 100, "b", 0)), false))
                .contains("Range 1 has failed and takes no writes: It broke. Its items can be read")
                .doesNotContain("Range 2 has failed");
    }

    @ParameterizedTest
    @CsvSource({"0.799,false", "0.8,true", "1.01,true"})
    void nearlyFullKeysAreMarked(double share, boolean marked) {
        String drawn = draw(report(partition(1, 3000, "a", share)), false);
        assertThat(drawn.contains("% ! [\"a\"]")).isEqualTo(marked);
        String coloured = draw(report(partition(1, 3000, "a", share)), true);
        assertThat(coloured.contains("\u001b[31m    1     2.9 KB")).isEqualTo(marked);
    }

    @Test
    void skewIsOfRangesOrOfKeys() {
        Answer even = report(partition(1, 100, "a", 0), partition(2, 100, "b", 0));
        assertThat(Skew.of(even).beyond(1)).isEmpty();
        Answer uneven = report(partition(1, 900, "a", 0), partition(2, 100, "b", 0));
        assertThat(Skew.of(uneven).beyond(1.8)).isEmpty();
        assertThat(Skew.of(uneven).beyond(1.79))
                .contains("Range 1 holds 1.80 times the mean of the ranges, more than 1.79.");
        Answer keys =
                Answer.parse(
                        "{\"partitions\":[{\"id\":7,\"itemBytes\":50,\"indexBytes\":50,"
                                + "\"largestKeys\":[{\"key\":[\"x\",1],\"bytes\":80},"
                                + "{\"key\":[\"y\",2],\"bytes\":10},{\"key\":[null,3],\"bytes\":10}]}]}");
        assertThat(Skew.of(keys).beyond(2))
                .contains(
                        "The key [\"x\",1] holds 2.40 times the mean of the keys, more than 2.0.");
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1023,1023 B", "1024,1.0 KB", "1572864,1.5 MB", "21474836480,20.0 GB"})
    void sizesAreShort(long bytes, String text) {
        assertThat(PartitionsView.size(bytes)).isEqualTo(text);
    }
}
