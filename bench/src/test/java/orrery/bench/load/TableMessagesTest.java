package orrery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class TableMessagesTest {
    private final TableMessages messages = new TableMessages(4711);

    private static String text(LongFunction<byte[]> made, long number) {
        return new String(made.apply(number), StandardCharsets.US_ASCII);
    }

    private static String body(String message) {
        return message.substring(message.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void anInsertHasTheKeysOfItsNumber() {
        String insert = text(messages.inserts(), 1234);
        assertThat(insert)
                .startsWith("POST /devstoreaccount1/Bench HTTP/1.1\r\n")
                .contains("\r\nContent-Length: " + body(insert).length() + "\r\n");
        assertThat(body(insert))
                .startsWith(
                        "{\"PartitionKey\":\"p0000012\",\"RowKey\":\"r34\",\"Score\":134,"
                                + "\"Ratio\":1000001234.5,")
                .contains("\"Total\":\"1000001234\"");
    }

    @Test
    void aBatchHasEntitiesOfOneKeyThatFollowEachOther() {
        String batch = text(messages.batches(20), 1240);
        assertThat(batch).contains("\r\nContent-Length: " + body(batch).length() + "\r\n");
        assertThat(body(batch).split("\"PartitionKey\":\"p0000012\"", -1)).hasSize(21);
        assertThat(body(batch))
                .contains("\"RowKey\":\"r40\",\"Score\":140,\"Ratio\":1000001240.5")
                .contains("\"RowKey\":\"r59\",\"Score\":159,\"Ratio\":1000001259.5");
    }

    @Test
    void readsAndQueriesGoRoundWhatIsThere() {
        assertThat(text(messages.reads(1000), 150))
                .startsWith(
                        "GET /devstoreaccount1/Bench(PartitionKey='p0000000',RowKey='r50')"
                                + " HTTP/1.1\r\n");
        assertThat(text(messages.queries(1000), 13))
                .startsWith(
                        "GET /devstoreaccount1/Bench()?$filter=PartitionKey%20eq%20%27p0000003%27"
                                + "%20and%20Score%20ge%20190 HTTP/1.1\r\n");
    }
}
