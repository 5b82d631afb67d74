package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.gateway.EngineFixture.context;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;

/** Fixed and unlimited containers under each rule set, and throughput by those rules. */
final class FixedContainerTest {
    private static final long LIMIT = 1L << 20;

    @TempDir Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    /** Starts anew on what is there. */
    private Gateway start(AccountSettings settings) {
        fixture.close();
        fixture = new EngineFixture(directory, settings.withMetering(false, false, false));
        return fixture.engine;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource
    void aContainerWithoutAKeyIsFixed(RuleSet ruleSet) {
        start(AccountSettings.of(ruleSet));
        fixture.container("c", 10_000);
        assertThat(container("c").fixed()).isTrue();
        assertThat(ranges("c")).isEqualTo(1);
        assertThat(failure(() -> fixture.container("d", 10_100)).text())
                .contains("between 400 and 10000", "migration tool");
        assertThat(failure(() -> replace("c", new Throughput.Manual(10_100))).text())
                .contains("between 400 and 10000", "change feed");
        assertThat(replace("c", new Throughput.Manual(400)).throughput().ceiling()).isEqualTo(400);
    }

    /**
     * Items without a key stay where they were before the container had a key; items with a key lie
     * beside them.
     */
    @Test
    void aContainerWithoutAKeyIsGivenOne() {
        Gateway engine = start(AccountSettings.DEFAULT);
        ContainerRef keyless = fixture.container("c", 400);
        assertThat(container("c").definition().partitionKey())
                .isEqualTo(PartitionKeyDefinition.OF_THE_SYSTEM);
        assertThat(container("c").isKeyless()).isTrue();
        fixture.create(keyless, "{\"id\":\"1\"}");
        fixture.create(keyless, "{\"id\":\"1\",\"_partitionKey\":\"a\"}");

        for (PartitionKey none :
                List.of(PartitionKey.EMPTY, PartitionKey.of(KeyComponent.UNDEFINED))) {
            assertThat(read(keyless, none)).isEqualTo("{\"id\":\"1\"}");
        }
        assertThat(read(keyless, PartitionKey.ofText("a"))).contains("_partitionKey");
        assertThat(
                        engine.resources()
                                .createContainer(
                                        context(),
                                        named("d"),
                                        "named",
                                        EngineFixture.definition("/pk")
                                                .withPartitionKey(
                                                        PartitionKeyDefinition.OF_THE_SYSTEM),
                                        Optional.of(new Throughput.Manual(20_000)))
                                .isKeyless())
                .isFalse();
        assertThat(ranges("named")).isEqualTo(2);
    }

    private String read(ContainerRef container, PartitionKey key) {
        return fixture.engine
                .items()
                .readItem(context(), container, key, new ItemRef.Named("1"))
                .item()
                .orElseThrow()
                .body()
                .toUtf8();
    }

    @ParameterizedTest
    @CsvSource({
        "RULES_2017,700,true,400",
        "RULES_2017,900,true,400",
        "RULES_2017,1000,false,400",
        "RULES_2017,2400,false,400",
        "RULES_2017,2500,false,2500",
        "RULES_2018,800,true,400",
        "RULES_2018,900,true,400",
        "RULES_2018,1000,false,1000",
        "RULES_2020,400,false,400"
    })
    void whatAContainerIsCreatedWithDecides(
            RuleSet ruleSet, int requestUnits, boolean fixed, int minimum) {
        Gateway engine = start(AccountSettings.of(ruleSet));
        fixture.container("c", requestUnits, "/pk");
        assertThat(container("c").fixed()).isEqualTo(fixed);
        assertThat(engine.resources().minimumThroughput(context(), offer("c"))).isEqualTo(minimum);
        replace("c", new Throughput.Manual(minimum));
        assertThat(failure(() -> replace("c", new Throughput.Manual(minimum - 100))).text())
                .contains("between " + minimum + " and ");
        replace("c", new Throughput.Manual(10_000));
        if (fixed) {
            assertThat(failure(() -> replace("c", new Throughput.Manual(10_100))).text())
                    .contains("between 400 and 10000", "fixed container");
        } else {
            replace("c", new Throughput.Manual(10_100));
            while (engine.resources().isReplacePending(context(), offer("c"))) {
                Thread.onSpinWait();
            }
            assertThat(
                            engine.resources()
                                    .readPartitionMap(context(), EngineFixture.ref("c"))
                                    .partitions())
                    .hasSize(2);
        }
    }

    @Test
    void aGrowingContainerThatWasScaledIsUnlimited() {
        Gateway engine = start(AccountSettings.of(RuleSet.RULES_2017));
        fixture.container("c", 1000, "/pk");
        replace("c", new Throughput.Manual(2400));
        assertThat(engine.resources().minimumThroughput(context(), offer("c"))).isEqualTo(400);
        replace("c", new Throughput.Manual(2500));
        assertThat(engine.resources().minimumThroughput(context(), offer("c"))).isEqualTo(2500);
    }

    @Test
    void aFixedContainerStaysFixedUnderOtherRules() {
        start(AccountSettings.of(RuleSet.RULES_2018));
        fixture.container("c", 800, "/pk");
        start(AccountSettings.DEFAULT);
        assertThat(container("c").fixed()).isTrue();
        assertThat(failure(() -> replace("c", new Throughput.Manual(10_100))).text())
                .contains("between 400 and 10000");
    }

    @Test
    void aFixedContainerIsFullAtItsLimit() {
        start(AccountSettings.DEFAULT.withStorage(LIMIT, LIMIT));
        ContainerRef fixed = fixture.container("fixed", 400);
        OrreryException full = failure(() -> fill(fixed, ""));
        assertThat(full.code()).isEqualTo(ErrorCode.FIXED_CONTAINER_FULL);
        assertThat(full.text()).contains("1 MB", "migration tool", "change feed");
        ContainerRef keyed = fixture.container("keyed", 400, "/pk");
        OrreryException key = failure(() -> fill(keyed, ",\"pk\":\"a\""));
        assertThat(key.code()).isEqualTo(ErrorCode.LOGICAL_PARTITION_FULL);
        assertThat(key.text()).contains("1 MB");
        fixture.create(keyed, "{\"id\":\"1\",\"pk\":\"b\"}");
    }

    @Test
    void keysOfAFixedContainerShareItsLimit() {
        start(AccountSettings.of(RuleSet.RULES_2018).withStorage(LIMIT, LIMIT));
        ContainerRef fixed = fixture.container("c", 800, "/pk");
        String pad = "x".repeat(400_000);
        fixture.create(fixed, "{\"id\":\"1\",\"pk\":\"a\",\"pad\":\"" + pad + "\"}");
        fixture.create(fixed, "{\"id\":\"1\",\"pk\":\"b\",\"pad\":\"" + pad + "\"}");
        OrreryException full =
                failure(
                        () ->
                                fixture.create(
                                        fixed,
                                        "{\"id\":\"1\",\"pk\":\"c\",\"pad\":\"" + pad + "\"}"));
        assertThat(full.code()).isEqualTo(ErrorCode.FIXED_CONTAINER_FULL);
    }

    @Test
    void changedLimitsReachContainersThatExist() {
        start(AccountSettings.DEFAULT);
        ContainerRef keyed = fixture.container("keyed", 20_000, "/pk");
        ContainerRef fixed = fixture.container("fixed", 400);
        fixture.create(keyed, "{\"id\":\"0\",\"pk\":\"a\"}");
        Container before = container("keyed");

        start(AccountSettings.DEFAULT.withStorage(4 * LIMIT, LIMIT));
        assertThat(failure(() -> fill(keyed, ",\"pk\":\"a\"")).text()).contains("1 MB");
        assertThat(failure(() -> fill(fixed, "")).text()).contains("4 MB");
        assertThat(container("keyed").etag()).isEqualTo(before.etag());
        assertThat(container("keyed").state()).isEqualTo(Container.State.ONLINE);

        start(AccountSettings.DEFAULT);
        fixture.create(keyed, "{\"id\":\"more\",\"pk\":\"a\",\"pad\":\"" + pad() + "\"}");
        fixture.create(fixed, "{\"id\":\"more\",\"pad\":\"" + pad() + "\"}");
    }

    @Test
    void aContainerMayHaveItsOwnThroughputInASharingDatabase() {
        Gateway engine = start(AccountSettings.DEFAULT);
        engine.resources().createDatabase(context(), "d", Optional.of(new Throughput.Manual(400)));
        for (int i = 0; i < 26; i++) {
            create("c" + i, Optional.empty());
        }
        create("own", Optional.of(new Throughput.Manual(20_000)));
        assertThat(ranges("own")).isEqualTo(2);
        assertThat(engine.resources().findOffer(context(), container("c0").rid())).isEmpty();
        assertThat(container("c0").fixed()).isFalse();
        Offer shared =
                engine.resources()
                        .findOffer(
                                context(),
                                engine.resources().readDatabase(context(), named("d")).rid())
                        .orElseThrow();
        assertThat(engine.resources().minimumThroughput(context(), shared))
                .as("26 share it, one has its own")
                .isEqualTo(500);
        assertThat(
                        failure(
                                        () ->
                                                engine.resources()
                                                        .replaceOffer(
                                                                context(),
                                                                shared.rid(),
                                                                new Throughput.Manual(400)))
                                .text())
                .contains("between 500 and 1000000");
    }

    @Test
    void aDatabaseGrowsPastOnePartitionWithAContainerOnly() {
        Gateway engine = start(AccountSettings.DEFAULT);
        engine.resources().createDatabase(context(), "d", Optional.of(new Throughput.Manual(400)));
        Offer shared =
                engine.resources()
                        .findOffer(
                                context(),
                                engine.resources().readDatabase(context(), named("d")).rid())
                        .orElseThrow();
        engine.resources().replaceOffer(context(), shared.rid(), new Throughput.Manual(10_000));
        assertThat(
                        failure(
                                        () ->
                                                engine.resources()
                                                        .replaceOffer(
                                                                context(),
                                                                shared.rid(),
                                                                new Throughput.Manual(10_100)))
                                .text())
                .contains("at least one container");
    }

    @Test
    void throughputPerMinuteIsKeptAndRefusedWhereItDoesNotFit() {
        Gateway engine = start(AccountSettings.of(RuleSet.RULES_2017));
        fixture.container("c", 2500, "/pk");
        Throughput perMinute = new Throughput.Manual(5000, true);
        assertThat(replace("c", perMinute).throughput()).isEqualTo(perMinute);
        assertThat(offer("c").throughput()).isEqualTo(perMinute);
        assertThat(failure(() -> replace("c", new Throughput.Manual(5100, true))).text())
                .contains("5000 RU/s");
        assertThat(
                        failure(
                                        () ->
                                                engine.resources()
                                                        .migrateOffer(
                                                                context(),
                                                                offer("c").rid(),
                                                                Throughput.Mode.AUTOSCALE))
                                .text())
                .contains("per minute");
        start(AccountSettings.DEFAULT);
        assertThat(offer("c").throughput()).isEqualTo(perMinute);
        assertThat(failure(() -> replace("c", perMinute)).text()).contains("2017");
        replace("c", new Throughput.Manual(5000));
    }

    @Test
    void anOfferIsSwitchedToAutoscaleAndBack() {
        Gateway engine = start(AccountSettings.DEFAULT);
        fixture.container("c", 20_000, "/pk");
        replace("c", new Throughput.Manual(400));
        Offer scaling =
                engine.resources()
                        .migrateOffer(context(), offer("c").rid(), Throughput.Mode.AUTOSCALE);
        assertThat(scaling.throughput())
                .as("a tenth of the most it has had")
                .isEqualTo(new Throughput.Autoscale(2000));
        assertThat(engine.resources().minimumThroughput(context(), scaling)).isEqualTo(2000);
        assertThat(
                        engine.resources()
                                .migrateOffer(context(), scaling.rid(), Throughput.Mode.AUTOSCALE)
                                .etag())
                .as("nothing to do")
                .isEqualTo(scaling.etag());
        Offer manual =
                engine.resources().migrateOffer(context(), scaling.rid(), Throughput.Mode.MANUAL);
        assertThat(manual.throughput()).isEqualTo(new Throughput.Manual(2000));
        assertThat(engine.resources().minimumThroughput(context(), manual)).isEqualTo(400);
    }

    private void fill(ContainerRef container, String members) {
        for (int i = 1; i <= 10; i++) {
            fixture.create(
                    container, "{\"id\":\"" + i + "\"" + members + ",\"pad\":\"" + pad() + "\"}");
        }
    }

    private static String pad() {
        return "x".repeat(500_000);
    }

    private void create(String name, Optional<Throughput> throughput) {
        fixture.engine
                .resources()
                .createContainer(
                        context(), named("d"), name, EngineFixture.definition("/pk"), throughput);
    }

    private Container container(String name) {
        return fixture.engine.resources().readContainer(context(), EngineFixture.ref(name));
    }

    private Offer offer(String name) {
        return fixture.engine.resources().findOffer(context(), container(name).rid()).orElseThrow();
    }

    private Offer replace(String name, Throughput throughput) {
        return fixture.engine.resources().replaceOffer(context(), offer(name).rid(), throughput);
    }

    private int ranges(String name) {
        return fixture.engine
                .resources()
                .readPartitionMap(context(), EngineFixture.ref(name))
                .partitions()
                .size();
    }

    private static ResourceRef named(String name) {
        return new ResourceRef.Named(name);
    }

    private static OrreryException failure(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }
}
