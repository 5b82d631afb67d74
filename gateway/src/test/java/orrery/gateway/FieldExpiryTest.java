package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.BodyFormat;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.NamedIndex;
import orrery.model.NamedIndex.Field;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/** Items that end some time after a date that they hold. */
class FieldExpiryTest {
    private static final long START = 1_800_000_000_000L;

    private final AtomicLong millis = new AtomicLong(START);
    private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        this.directory = directory;
        start();
        container =
                fixture.container(
                        "c",
                        400,
                        NamedIndexes.define(
                                EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB),
                                List.of(expiring("at", 60))));
    }

    private void start() {
        fixture = new EngineFixture(directory, () -> Instant.ofEpochMilli(millis.get()));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static NamedIndex expiring(String path, int seconds) {
        return new NamedIndex(path, List.of(Field.ascending(path)))
                .withExpiry(OptionalInt.of(seconds));
    }

    private static String date(long seconds) {
        return "{\"$date\":{\"$numberLong\":\"" + (START + seconds * 1000) + "\"}}";
    }

    private void insert(String id, String rest) {
        String json = "{\"_id\":\"" + id + "\",\"pk\":\"a\"" + rest + "}";
        Bytes bson = BodyFormat.of(Encoding.BSON).show(Body.json(Bytes.ofUtf8(json)));
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(new Body(Encoding.BSON, bson), Optional.empty()));
    }

    private boolean isThere(String id) {
        OrreryException missing =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                fixture.engine
                                        .items()
                                        .readItem(
                                                EngineFixture.context(),
                                                container,
                                                PartitionKey.ofText("a"),
                                                new ItemRef.Named(id)));
        if (missing != null) {
            assertThat(missing.code()).isEqualTo(ErrorCode.NOT_FOUND);
        }
        return missing == null;
    }

    private List<String> ids() {
        return fixture.all(container, new FeedScope.Everything(), "SELECT VALUE c.id FROM c", 10);
    }

    private void change(NamedIndex... indexes) {
        fixture.engine
                .resources()
                .indexes()
                .change(EngineFixture.context(), container, _ -> List.of(indexes));
    }

    private void awaitPurged(int items) {
        while (fixture.purgedItems() < items) {
            Thread.onSpinWait();
        }
        assertThat(fixture.engine.resources().readUsage(EngineFixture.context(), container).items())
                .isEqualTo(ids().size());
    }

    @Test
    void anItemEndsSomeTimeAfterItsFirstDate() {
        insert("date", ",\"at\":" + date(0));
        insert("later", ",\"at\":" + date(100));
        insert("list", ",\"at\":[\"x\"," + date(100) + "," + date(1) + "]");
        insert("text", ",\"at\":\"2026\"");
        insert("number", ",\"at\":5");
        insert("none", "");
        millis.set(START + 59_999);
        assertThat(ids()).hasSize(6);
        millis.set(START + 60_000);
        assertThat(isThere("date")).isFalse();
        assertThat(isThere("list")).isTrue();
        millis.set(START + 61_000);
        assertThat(ids())
                .containsExactlyInAnyOrder("\"later\"", "\"text\"", "\"number\"", "\"none\"");
        awaitPurged(2);
        insert("date", ",\"at\":" + date(1000)); // its place is free
        assertThat(isThere("date")).isTrue();
    }

    @Test
    void nestedDatesCountThroughArrays() {
        change(expiring("a.b", 0));
        insert("1", ",\"a\":{\"b\":" + date(10) + "}");
        insert("2", ",\"a\":[{\"b\":" + date(20) + "},{\"b\":[" + date(5) + "]}]");
        insert("3", ",\"a\":[" + date(0) + "]");
        assertThat(ids()).hasSize(3);
        millis.set(START + 5_000);
        assertThat(ids()).containsExactly("\"1\"", "\"3\"");
        millis.set(START + 10_000);
        assertThat(ids()).containsExactly("\"3\"");
        awaitPurged(2);
    }

    @Test
    void changedSecondsHoldForItemsThatAreThere() {
        insert("1", ",\"at\":" + date(0));
        change(expiring("at", 3600));
        millis.set(START + 120_000);
        assertThat(isThere("1")).isTrue();
        change(expiring("at", 90));
        assertThat(isThere("1")).isFalse();
        awaitPurged(1);
    }

    @Test
    void anIndexThatComesLaterEndsWhatIsThere() {
        change();
        insert("1", ",\"at\":" + date(0));
        insert("2", ",\"at\":" + date(500));
        millis.set(START + 120_000);
        assertThat(ids()).hasSize(2);
        change(expiring("at", 60), expiring("other", 1));
        awaitPurged(1);
        assertThat(ids()).containsExactly("\"2\"");
    }

    @Test
    void itHoldsAfterARestart() {
        insert("1", ",\"at\":" + date(0));
        fixture.close();
        millis.set(START + 60_000);
        start();
        assertThat(isThere("1")).isFalse();
    }
}
