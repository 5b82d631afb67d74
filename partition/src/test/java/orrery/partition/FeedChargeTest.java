package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.HostFixture.PARTITION;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ChangeStart;
import orrery.model.KeyRange;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.query.sql.SqlStatement;

/** The same items cost the same whichever way they are listed. */
class FeedChargeTest {
    private static final int ITEMS = 100;
    private static final int ITEM_BYTES = 348;
    private static final int MANY = 1000;

    @TempDir Path directory;
    private HostFixture fixture;

    @BeforeEach
    void open() {
        fixture = new HostFixture(directory, HostFixture.ONE_PATH);
        fixture.redefine(2, definition -> definition.withChangeRetention(10));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aPageOfAFeedCostsWhatTheSamePageOfAQueryDoes() {
        long before = head();
        for (int i = 0; i < ITEMS; i++) {
            String body = "{\"id\":\"%02d\",\"pk\":\"k%02d\",\"fill\":\"\"}".formatted(i, i);
            String fill = "x".repeat(ITEM_BYTES - RequestCharge.itemBytes(body.length()));
            fixture.create(
                    fixture.key("%02d".formatted(i), "k%02d".formatted(i)),
                    body.replace("\"\"", "\"" + fill + "\""));
        }

        assertThat(feed(MANY)).isEqualTo(query(MANY));
        assertThat(feed(MANY)).isEqualTo(changes(before)).isEqualTo(versions(before));
        assertThat(feed(MANY)).isEqualTo(RequestCharge.query(1, ITEMS, ITEMS * ITEM_BYTES));
        assertThat(feed(MANY).ru()).isBetween(15.0, 15.1);
        // An item that does not fit on the page any more costs nothing.
        assertThat(feed(7)).isEqualTo(RequestCharge.query(1, 7, 7 * ITEM_BYTES));
    }

    @Test
    void aPageWithoutItemsCostsWhatAQueryThatFindsNoneDoes() {
        assertThat(feed(MANY)).isEqualTo(query(MANY)).isEqualTo(RequestCharge.query(1, 0, 0));
        assertThat(changes(head())).isEqualTo(RequestCharge.query(1, 0, 0));
        assertThat(versions(head())).isEqualTo(RequestCharge.query(1, 0, 0));
    }

    private long head() {
        return fixture.replica().find(PARTITION).orElseThrow().record().headLsn();
    }

    private Charge feed(int maxItems) {
        return charge(
                new ReadRequest.ReadFeed(
                        PARTITION,
                        KeyRange.FULL,
                        Optional.empty(),
                        Optional.empty(),
                        maxItems,
                        HostFixture.MB,
                        0));
    }

    private Charge changes(long after) {
        return charge(
                new ReadRequest.ReadChanges(
                        PARTITION,
                        KeyRange.FULL,
                        Optional.empty(),
                        new ChangeStart(after, 0),
                        MANY,
                        HostFixture.MB,
                        0));
    }

    private Charge versions(long after) {
        return charge(
                new ReadRequest.ReadVersions(
                        PARTITION,
                        KeyRange.FULL,
                        Optional.empty(),
                        VersionPlace.after(after),
                        MANY,
                        HostFixture.MB,
                        0));
    }

    private Charge query(int maxItems) {
        return charge(
                new ReadRequest.Query(
                        PARTITION,
                        HostFixture.DATABASE,
                        SqlStatement.parse("SELECT * FROM c", Map.of()).encoded(),
                        KeyRange.FULL,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        maxItems,
                        HostFixture.MB,
                        0,
                        List.of()));
    }

    private Charge charge(PartitionRequest request) {
        return ((PartitionResponse.Charged) fixture.call(request)).charge();
    }
}
