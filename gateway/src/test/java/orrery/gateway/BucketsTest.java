package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.ThroughputBuckets.Bucket;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.Offer;

/** Throughput buckets from the offer to the partition. */
class BucketsTest {
    private static final ThroughputBuckets TENTH =
            new ThroughputBuckets(List.of(new Bucket(1, 10, false)));

    @TempDir Path directory;

    /** Budgets fill up only when a test lets time pass. */
    private final AtomicLong nanos = new AtomicLong();

    @SuppressWarnings("NullAway.Init") // made before each test
    private EngineFixture fixture;

    @SuppressWarnings("NullAway.Init")
    private Gateway engine;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory, AccountSettings.DEFAULT, nanos::get);
        engine = fixture.engine;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static RequestContext context(int bucket) {
        RequestContext plain = EngineFixture.context();
        return new RequestContext(
                UUID.randomUUID(),
                plain.principal(),
                Optional.empty(),
                Optional.empty(),
                new RequestTerms(
                        RequestTerms.Priority.HIGH, true, 1, new Precondition.Impossible(), bucket),
                plain.deadlineNanos());
    }

    private double write(ContainerRef container, int bucket) {
        String json = "{\"id\":\"1\",\"pk\":\"k\"}";
        return engine.items()
                .writeItem(
                        context(bucket),
                        container,
                        new ItemWrite.Upsert(
                                Bytes.ofUtf8(json), Optional.empty(), Precondition.NONE))
                .charge()
                .ru();
    }

    /** Writes until one is refused, and returns what the others used. */
    private double drive(ContainerRef container, int bucket, ErrorCode refusal) {
        double used = 0;
        while (used < 100_000) {
            try {
                used += write(container, bucket);
            } catch (OrreryException refused) {
                assertThat(refused.code()).isEqualTo(refusal);
                assertThat(refused.retryAfter().orElseThrow()).isPositive();
                return used;
            }
        }
        throw new AssertionError("nobody was refused");
    }

    private Offer offer(ContainerRef container) {
        return engine.resources()
                .findOffer(
                        EngineFixture.context(),
                        engine.resources().readContainer(EngineFixture.context(), container).rid())
                .orElseThrow();
    }

    private Offer set(ContainerRef container, ThroughputBuckets buckets) {
        Offer present = offer(container);
        return engine.resources()
                .replaceOffer(
                        EngineFixture.context(),
                        present.rid(),
                        present.throughput(),
                        Optional.of(buckets),
                        new Precondition.Matches(present.etag()));
    }

    @Test
    void aBucketIsHeldToItsPartAndOthersHaveTheRest() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, TENTH);

        double ofBucket = drive(container, 1, ErrorCode.BUCKET_USED_UP);
        double ofOthers = drive(container, 0, ErrorCode.TOO_MANY_REQUESTS);

        // Each is post-paid, so that its last request may go beyond by its own charge.
        double one = 12;
        assertThat(ofBucket).isBetween(40.0, 40 + one);
        assertThat(ofBucket + ofOthers).isBetween(400.0, 400 + one);
    }

    @Test
    void theTimeToComeBackIsEnough() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, TENTH);
        drive(container, 1, ErrorCode.BUCKET_USED_UP);

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> write(container, 1))
                .satisfies(
                        refused -> {
                            Duration wait = refused.retryAfter().orElseThrow();
                            nanos.addAndGet(wait.minusMillis(1).toNanos());
                        });
        assertThatExceptionOfType(OrreryException.class).isThrownBy(() -> write(container, 1));
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(write(container, 1)).isPositive();
    }

    @Test
    void aBucketThatNobodySetLimitsNothing() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, TENTH);

        assertThat(drive(container, 2, ErrorCode.TOO_MANY_REQUESTS)).isGreaterThanOrEqualTo(400);
    }

    @Test
    void theDefaultBucketHasRequestsThatNameNone() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, new ThroughputBuckets(List.of(new Bucket(1, 10, true))));

        assertThat(drive(container, 0, ErrorCode.BUCKET_USED_UP)).isLessThan(60);
        assertThat(drive(container, 2, ErrorCode.TOO_MANY_REQUESTS)).isGreaterThan(300);
    }

    @Test
    void eachPartitionHoldsItsPart() {
        ContainerRef container = fixture.container("c", 20_000, "/pk");
        set(container, TENTH);

        assertThat(drive(container, 1, ErrorCode.BUCKET_USED_UP)).isBetween(1000.0, 1012.0);
    }

    @Test
    void withAutoscaleItIsAPartOfTheMost() {
        engine.resources().createDatabase(EngineFixture.context(), "d", Optional.empty());
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        "auto",
                        EngineFixture.definition("/pk"),
                        Optional.of(new Throughput.Autoscale(4000)));
        ContainerRef container = EngineFixture.ref("auto");
        set(container, TENTH);

        assertThat(drive(container, 1, ErrorCode.BUCKET_USED_UP)).isBetween(400.0, 412.0);
    }

    @Test
    void aSplitDoesNotFillThemAgain() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, TENTH);
        drive(container, 1, ErrorCode.BUCKET_USED_UP);

        engine.operations().splitPartition(EngineFixture.context(), container, 0);

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> write(container, 1))
                .matches(refused -> refused.code() == ErrorCode.BUCKET_USED_UP);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(drive(container, 1, ErrorCode.BUCKET_USED_UP)).isBetween(20.0, 32.0);
    }

    @Test
    void theyStayWithTheOfferUntilTheyAreTakenAway() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        Offer before = offer(container);
        assertThat(before.buckets()).isEqualTo(ThroughputBuckets.NONE);
        Offer after = set(container, TENTH);
        assertThat(after.buckets()).isEqualTo(TENTH);
        assertThat(after.etag()).isNotEqualTo(before.etag());

        engine.resources()
                .replaceOffer(EngineFixture.context(), after.rid(), new Throughput.Manual(1000));
        assertThat(offer(container).buckets()).isEqualTo(TENTH);
        engine.resources()
                .migrateOffer(EngineFixture.context(), after.rid(), Throughput.Mode.AUTOSCALE);
        assertThat(offer(container).buckets()).isEqualTo(TENTH);

        fixture.close();
        open();
        assertThat(offer(container).buckets()).isEqualTo(TENTH);
        assertThat(drive(container, 1, ErrorCode.BUCKET_USED_UP)).isLessThan(150);

        assertThat(set(container, ThroughputBuckets.NONE).buckets().isEmpty()).isTrue();
        assertThat(write(container, 1)).isPositive();
    }

    /** The throughput may change meanwhile, and buckets may be sent back as they are. */
    @Test
    void withQuotasOfTheServiceTheyChangeOnceInTenMinutes() {
        fixture.close();
        fixture =
                new EngineFixture(
                        directory.resolve("quotas"),
                        AccountSettings.DEFAULT.withServiceQuotas(true),
                        nanos::get);
        engine = fixture.engine;
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, TENTH);
        set(container, TENTH);
        engine.resources()
                .replaceOffer(
                        EngineFixture.context(),
                        offer(container).rid(),
                        new Throughput.Manual(500));

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> set(container, ThroughputBuckets.NONE))
                .matches(refused -> refused.code() == ErrorCode.BUCKETS_JUST_CHANGED);
        assertThat(offer(container).buckets()).isEqualTo(TENTH);

        nanos.addAndGet(Duration.ofMinutes(10).toNanos());
        assertThat(set(container, ThroughputBuckets.NONE).buckets().isEmpty()).isTrue();
    }

    @Test
    void aBatchIsRefusedAsAWhole() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        set(container, TENTH);
        drive(container, 1, ErrorCode.BUCKET_USED_UP);

        PartitionKey key = PartitionKey.ofText("k");
        ItemBatch reads =
                new ItemBatch.Atomic(
                        key,
                        List.of(new BatchOperation.Read("1", key, new Precondition.Impossible())));

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> engine.items().batch(context(1), container, reads))
                .matches(refused -> refused.code() == ErrorCode.BUCKET_USED_UP);
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(
                        () ->
                                engine.items()
                                        .readItem(
                                                context(1), container, key, new ItemRef.Named("1")))
                .matches(refused -> refused.code() == ErrorCode.BUCKET_USED_UP);
    }

    @Test
    void aDatabaseHasNone() {
        engine.resources()
                .createDatabase(
                        EngineFixture.context(), "shared", Optional.of(new Throughput.Manual(400)));
        Offer offer =
                engine.resources()
                        .findOffer(
                                EngineFixture.context(),
                                engine.resources()
                                        .readDatabase(
                                                EngineFixture.context(),
                                                new ResourceRef.Named("shared"))
                                        .rid())
                        .orElseThrow();

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(
                        () ->
                                engine.resources()
                                        .replaceOffer(
                                                EngineFixture.context(),
                                                offer.rid(),
                                                offer.throughput(),
                                                Optional.of(TENTH),
                                                Precondition.NONE))
                .matches(refused -> refused.code() == ErrorCode.BAD_REQUEST)
                .withMessageContaining("container that has throughput of its own");
    }
}
