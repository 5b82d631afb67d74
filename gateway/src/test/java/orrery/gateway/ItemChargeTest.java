package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.ByteSink;
import orrery.document.SystemProperties;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;

/** Checks what requests cost, from door to disk. */
final class ItemChargeTest {
    private static final PartitionKey KEY = PartitionKey.ofText("a");
    private static final ItemRef ITEM = new ItemRef.Named("1");

    @TempDir Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sizesAreOfWhatClientsSee() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        ItemAnswer created = fixture.create(container, item(4000));
        Item item = created.item().orElseThrow();
        ByteSink seen = new ByteSink();
        new SystemProperties(created.container().rid()).splice(seen, item, OptionalLong.empty());
        int length = seen.toBytes().length();

        assertThat(created.charge().billedBytes()).isEqualTo(length);
        assertThat(read(container).billedBytes()).isEqualTo(length);
        assertThat(page(container, EngineFixture.context()).charge().billedBytes())
                .isEqualTo(length);
    }

    @Test
    void everyWriteByTheFormula() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        int small = RequestCharge.itemBytes(50);
        String before = "{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"tags\":[\"x\",\"y\"]}";
        String after = "{\"id\":\"1\",\"pk\":\"a\",\"n\":2,\"tags\":[\"x\",\"y\"]}";

        assertThat(fixture.create(container, before).charge())
                .isEqualTo(RequestCharge.create(small, 5));
        assertThat(failure(() -> fixture.create(container, before)).charge())
                .isEqualTo(RequestCharge.refusedWrite(small));
        assertThat(upsert(container, after)).isEqualTo(RequestCharge.replace(small, 1, 1));
        assertThat(replace(container, after)).isEqualTo(RequestCharge.replace(small, 0, 0));
        assertThat(patch(container, "{\"op\":\"set\",\"path\":\"/n\",\"value\":2}"))
                .isEqualTo(RequestCharge.patch(small, 0, 0));
        assertThat(patch(container, "{\"op\":\"set\",\"path\":\"/n\",\"value\":3}"))
                .isEqualTo(RequestCharge.patch(small, 1, 1));
        assertThat(
                        failure(() -> delete(container, new Precondition.Matches(new Etag(7, 7))))
                                .charge())
                .isEqualTo(RequestCharge.refusedWrite(small));
        assertThat(delete(container, Precondition.NONE)).isEqualTo(RequestCharge.delete(small, 5));
        assertThat(failure(() -> delete(container, Precondition.NONE)).charge())
                .isEqualTo(RequestCharge.NOT_FOUND);
        assertThat(upsert(container, before)).isEqualTo(RequestCharge.create(small, 5));
    }

    @ParameterizedTest
    @CsvSource({
        "STRONG,2",
        "BOUNDED_STALENESS,2",
        "SESSION,1",
        "CONSISTENT_PREFIX,1",
        "EVENTUAL,1"
    })
    void readsThatNeedAQuorumCostTwiceAndWritesDoNot(ConsistencyLevel level, int factor) {
        ContainerRef container = fixture.container("c", 400, "/pk");
        RequestContext context = at(level);
        double once = RequestCharge.read(RequestCharge.itemBytes(4000)).ru();

        ItemAnswer created =
                fixture.engine
                        .items()
                        .writeItem(
                                context,
                                container,
                                new ItemWrite.Create(Bytes.ofUtf8(item(4000)), Optional.empty()));
        OrreryException conflict =
                failure(
                        () ->
                                fixture.engine
                                        .items()
                                        .writeItem(
                                                context,
                                                container,
                                                new ItemWrite.Create(
                                                        Bytes.ofUtf8(item(4000)),
                                                        Optional.empty())));

        assertThat(created.charge().consistencyFactor()).isEqualTo(1);
        assertThat(conflict.charge().ru()).isEqualTo(once + 0.24);
        assertThat(fixture.engine.items().readItem(context, container, KEY, ITEM).charge().ru())
                .isEqualTo(factor * once);
        assertThat(page(container, context).charge().ru())
                .isEqualTo(factor * RequestCharge.feedPage(1, RequestCharge.itemBytes(4000)).ru());
        assertThat(
                        failure(
                                        () ->
                                                fixture.engine
                                                        .items()
                                                        .readItem(
                                                                context,
                                                                container,
                                                                KEY,
                                                                new ItemRef.Named("none")))
                                .charge()
                                .ru())
                .isEqualTo(factor);
    }

    /** Neither the data around an item, nor what came before, nor the number of ranges counts. */
    @Test
    void theSameWorkCostsTheSameAnywhere() {
        ContainerRef empty = fixture.container("empty", 400, "/pk");
        ContainerRef filled = fixture.container("filled", 400, "/pk");
        ContainerRef wide = fixture.container("wide", 50_000, "/pk");
        for (int i = 0; i < 300; i++) {
            fixture.create(filled, "{\"id\":\"o" + i + "\",\"pk\":\"a\",\"n\":" + i + "}");
            fixture.create(wide, "{\"id\":\"o" + i + "\",\"pk\":\"k" + i + "\",\"n\":" + i + "}");
        }

        List<Charge> charges = lifeOfAnItem(empty);

        assertThat(charges).hasSize(6).doesNotContain(Charge.NONE);
        assertThat(lifeOfAnItem(empty)).isEqualTo(charges);
        assertThat(lifeOfAnItem(filled)).isEqualTo(charges);
        assertThat(lifeOfAnItem(filled)).isEqualTo(charges);
        assertThat(lifeOfAnItem(wide)).isEqualTo(charges);
    }

    private List<Charge> lifeOfAnItem(ContainerRef container) {
        List<Charge> charges = new ArrayList<>();
        charges.add(fixture.create(container, item(3000)).charge());
        charges.add(read(container));
        charges.add(replace(container, item(5000)));
        charges.add(patch(container, "{\"op\":\"set\",\"path\":\"/n\",\"value\":3}"));
        charges.add(delete(container, Precondition.NONE));
        charges.add(failure(() -> read(container)).charge());
        return charges;
    }

    @Test
    void aPagePaysForEachRangeItVisits() {
        ContainerRef container = fixture.container("wide", 50_000, "/pk");

        Charge nothing = page(container, EngineFixture.context()).charge();
        fixture.create(container, item(100));
        String other = "{\"id\":\"2\",\"pk\":\"a\"}";
        fixture.create(container, other);
        int bytes = RequestCharge.itemBytes(100) + RequestCharge.itemBytes(other.length());
        Charge two = page(container, EngineFixture.context()).charge();

        assertThat(nothing.ranges()).isEqualTo(5);
        assertThat(nothing.documents()).isZero();
        assertThat(nothing).isEqualTo(RequestCharge.query(5, 0, 0));
        assertThat(two.ranges()).isEqualTo(5);
        assertThat(two.documents()).isEqualTo(2);
        assertThat(two.billedBytes()).isEqualTo(bytes);
        assertThat(two.ru()).isEqualTo(RequestCharge.query(5, 2, bytes).ru(), within(1e-9));
    }

    private static String item(int bytes) {
        String json = "{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"text\":\"\"}";
        return json.replace("\"\"}", "\"" + "x".repeat(bytes - json.length()) + "\"}");
    }

    private static RequestContext at(ConsistencyLevel level) {
        return new RequestContext(
                UUID.randomUUID(),
                new RequestContext.Principal.Account(false),
                Optional.empty(),
                Optional.of(level),
                System.nanoTime() + Duration.ofMinutes(5).toNanos());
    }

    private Charge read(ContainerRef container) {
        return fixture.engine
                .items()
                .readItem(EngineFixture.context(), container, KEY, ITEM)
                .charge();
    }

    private ItemPage page(ContainerRef container, RequestContext context) {
        return fixture.engine
                .items()
                .readItems(context, container, new FeedScope.Everything(), PageRequest.FIRST);
    }

    private Charge upsert(ContainerRef container, String json) {
        return write(
                container,
                new ItemWrite.Upsert(Bytes.ofUtf8(json), Optional.empty(), Precondition.NONE));
    }

    private Charge replace(ContainerRef container, String json) {
        return write(
                container,
                new ItemWrite.Replace(
                        ITEM, Optional.of(KEY), Bytes.ofUtf8(json), Precondition.NONE));
    }

    private Charge patch(ContainerRef container, String operation) {
        return write(
                container,
                new ItemWrite.Evaluate(
                        ITEM, KEY, EngineFixture.patch("[" + operation + "]"), Precondition.NONE));
    }

    private Charge delete(ContainerRef container, Precondition precondition) {
        return write(container, new ItemWrite.Delete(ITEM, KEY, precondition));
    }

    private Charge write(ContainerRef container, ItemWrite write) {
        return fixture.engine.items().writeItem(EngineFixture.context(), container, write).charge();
    }

    private static OrreryException failure(ThrowingCallable call) {
        OrreryException failure = catchThrowableOfType(OrreryException.class, call);
        assertThat(failure).isNotNull();
        return failure;
    }
}
