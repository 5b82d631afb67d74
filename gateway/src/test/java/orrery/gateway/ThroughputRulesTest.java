package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.gateway.ThroughputHolder.Kind;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;

/** Each limit, and one step past it. */
final class ThroughputRulesTest {
    private static final long GIGABYTE = 1L << 30;
    private static final ContainerDefinition KEYED = EngineFixture.definition("/pk");
    private static final ContainerDefinition KEYLESS = EngineFixture.definition();

    @ParameterizedTest
    @CsvSource({
        "RULES_2017,FIXED,400,10000",
        "RULES_2018,FIXED,400,10000",
        "RULES_2020,FIXED,400,10000",
        "RULES_2017,GROWING,400,100000",
        "RULES_2018,GROWING,400,250000",
        "RULES_2020,GROWING,400,1000000",
        "RULES_2017,UNLIMITED,2500,100000",
        "RULES_2018,UNLIMITED,1000,250000",
        "RULES_2020,UNLIMITED,400,1000000",
        "RULES_2018,DATABASE,400,250000",
        "RULES_2020,DATABASE,400,1000000"
    })
    void manualThroughput(RuleSet ruleSet, Kind kind, int least, int most) {
        ThroughputHolder holder = ThroughputHolder.ofNew(kind);
        assertAllowed(ruleSet, new Throughput.Manual(least), holder);
        assertAllowed(ruleSet, new Throughput.Manual(least + 100), holder);
        assertAllowed(ruleSet, new Throughput.Manual(most), holder);
        String text =
                "The offer should have valid throughput values between "
                        + least
                        + " and "
                        + most
                        + " inclusive in increments of 100.";
        for (int value : new int[] {0, least - 100, least + 50, most + 100}) {
            assertThat(refusal(ruleSet, new Throughput.Manual(value), holder)).startsWith(text);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RULES_2017,GROWING,4000,100000",
        "RULES_2018,UNLIMITED,4000,250000",
        "RULES_2018,DATABASE,4000,250000",
        "RULES_2020,FIXED,1000,10000",
        "RULES_2020,UNLIMITED,1000,1000000",
        "RULES_2020,DATABASE,1000,1000000"
    })
    void autoscaleThroughput(RuleSet ruleSet, Kind kind, int least, int most) {
        ThroughputHolder holder = ThroughputHolder.ofNew(kind);
        assertAllowed(ruleSet, new Throughput.Autoscale(least), holder);
        assertAllowed(ruleSet, new Throughput.Autoscale(most), holder);
        String text =
                "The offer should have valid throughput values between "
                        + least
                        + " and "
                        + most
                        + " inclusive in increments of 1000.";
        for (int value : new int[] {least - 1000, least + 500, most + 1000}) {
            assertThat(refusal(ruleSet, new Throughput.Autoscale(value), holder)).startsWith(text);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RULES_2020,MANUAL,40000,0,400",
        "RULES_2020,MANUAL,40100,0,500",
        "RULES_2020,MANUAL,1000000,0,10000",
        "RULES_2020,AUTOSCALE,10000,0,1000",
        "RULES_2020,AUTOSCALE,11000,0,2000",
        "RULES_2020,AUTOSCALE,1000000,0,100000",
        "RULES_2020,MANUAL,0,400,400",
        "RULES_2020,MANUAL,0,401,500",
        "RULES_2020,AUTOSCALE,0,100,1000",
        "RULES_2020,AUTOSCALE,0,101,2000",
        "RULES_2018,MANUAL,0,100,1000",
        "RULES_2018,MANUAL,0,101,1100",
        "RULES_2017,MANUAL,300000,0,3000",
        "RULES_2018,AUTOSCALE,0,41,5000"
    })
    void historyAndStorageRaiseTheMinimum(
            RuleSet ruleSet, Throughput.Mode mode, int highest, long gigabytes, int minimum) {
        ThroughputHolder holder =
                new ThroughputHolder(Kind.UNLIMITED, highest, gigabytes * GIGABYTE, 0);
        assertThat(rules(ruleSet).minimum(mode, holder)).isEqualTo(minimum);
    }

    @ParameterizedTest
    @CsvSource({
        "RULES_2018,MANUAL,4,400",
        "RULES_2018,MANUAL,5,500",
        "RULES_2020,MANUAL,25,400",
        "RULES_2020,MANUAL,26,500",
        "RULES_2020,MANUAL,30,900",
        "RULES_2020,AUTOSCALE,25,1000",
        "RULES_2020,AUTOSCALE,26,2000"
    })
    void containersThatShareRaiseTheMinimum(
            RuleSet ruleSet, Throughput.Mode mode, int containers, int minimum) {
        ThroughputHolder holder = new ThroughputHolder(Kind.DATABASE, 0, 0, containers);
        assertThat(rules(ruleSet).minimum(mode, holder)).isEqualTo(minimum);
    }

    @Test
    void theWayOutOfAFixedContainerIsNamed() {
        assertThat(
                        refusal(
                                RuleSet.RULES_2018,
                                new Throughput.Manual(10_100),
                                ThroughputHolder.ofNew(Kind.FIXED)))
                .contains(
                        "between 400 and 10000",
                        "fixed container",
                        "migration tool",
                        "change feed",
                        "at least 1000 RU/s");
    }

    @Test
    void aFixedContainerHasNoMoreThanOnePartitionDelivers() {
        ThroughputRules small =
                new ThroughputRules(AccountSettings.DEFAULT.withPartitionMaxThroughput(6000));
        ThroughputHolder holder = ThroughputHolder.ofNew(Kind.FIXED);
        small.check(new Throughput.Manual(6000), holder);
        assertThat(text(() -> small.check(new Throughput.Manual(6100), holder)))
                .contains("between 400 and 6000");
        ThroughputRules large =
                new ThroughputRules(AccountSettings.DEFAULT.withPartitionMaxThroughput(20_000));
        assertThat(text(() -> large.check(new Throughput.Manual(10_100), holder)))
                .contains("between 400 and 10000");
    }

    @ParameterizedTest
    @CsvSource({
        "RULES_2017,900,true",
        "RULES_2017,1000,false",
        "RULES_2018,800,true",
        "RULES_2018,900,true",
        "RULES_2018,1000,false",
        "RULES_2020,400,false"
    })
    void littleThroughputKeepsAContainerFixedUnderOldRules(
            RuleSet ruleSet, int requestUnits, boolean fixed) {
        AccountSettings settings = AccountSettings.of(ruleSet);
        Optional<Throughput> own = Optional.of(new Throughput.Manual(requestUnits));
        assertThat(settings.makesFixed(KEYED, own)).isEqualTo(fixed);
        assertThat(settings.makesFixed(KEYED, Optional.empty())).as("sharing").isFalse();
        assertThat(settings.makesFixed(KEYLESS, Optional.of(new Throughput.Manual(10_000))))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"RULES_2017,2500", "RULES_2018,1000", "RULES_2020,400"})
    void whoAsksForNothingGetsTheLeastOfItsKind(RuleSet ruleSet, int keyed) {
        assertThat(rules(ruleSet).defaultFor(KEYED)).isEqualTo(new Throughput.Manual(keyed));
        assertThat(rules(ruleSet).defaultFor(KEYLESS)).isEqualTo(new Throughput.Manual(400));
    }

    @Test
    void databasesHaveThroughputSince2018() {
        Throughput throughput = new Throughput.Manual(400);
        assertThat(text(() -> rules(RuleSet.RULES_2017).checkNewDatabase(throughput)))
                .contains("2017", "--limits 2018");
        rules(RuleSet.RULES_2018).checkNewDatabase(throughput);
        rules(RuleSet.RULES_2020).checkNewDatabase(throughput);
    }

    @Test
    void throughputPerMinuteBelongsTo2017AndToSmallPartitions() {
        ThroughputRules rules = rules(RuleSet.RULES_2017);
        rules.checkPerMinute(new Throughput.Manual(5000, true), 1);
        rules.checkPerMinute(new Throughput.Manual(10_000, true), 2);
        rules.checkPerMinute(new Throughput.Manual(10_000, false), 1);
        assertThat(text(() -> rules.checkPerMinute(new Throughput.Manual(5100, true), 1)))
                .contains("5000 RU/s", "5100 RU/s in each of 1");
        assertThat(text(() -> rules.checkPerMinute(new Throughput.Manual(10_100, true), 2)))
                .contains("at most 10000 RU/s");
        for (RuleSet later : new RuleSet[] {RuleSet.RULES_2018, RuleSet.RULES_2020}) {
            assertThat(text(() -> rules(later).checkPerMinute(new Throughput.Manual(400, true), 1)))
                    .contains("2017", Integer.toString(later.year()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400,400,0,1000",
        "1000,1000,0,1000",
        "1100,1100,0,2000",
        "400,50000,0,5000",
        "400,400,301,4000",
        "20000,20000,0,20000"
    })
    void switchingToAutoscaleKeepsWhatIsDelivered(
            int present, int highest, long gigabytes, int ceiling) {
        ThroughputHolder holder =
                new ThroughputHolder(Kind.UNLIMITED, highest, gigabytes * GIGABYTE, 0);
        assertThat(
                        rules(RuleSet.RULES_2020)
                                .migrated(
                                        new Throughput.Manual(present),
                                        Throughput.Mode.AUTOSCALE,
                                        holder))
                .isEqualTo(new Throughput.Autoscale(ceiling));
        assertThat(
                        rules(RuleSet.RULES_2020)
                                .migrated(
                                        new Throughput.Autoscale(ceiling),
                                        Throughput.Mode.MANUAL,
                                        holder))
                .isEqualTo(new Throughput.Manual(ceiling));
    }

    @Test
    void tooLittleIsToldWithTheMinimum() {
        ThroughputHolder container = ThroughputHolder.ofNew(Kind.GROWING);
        assertThat(refusal(RuleSet.RULES_2020, new Throughput.Autoscale(-200), container))
                .endsWith(
                        " Requested throughput -200 is less than required minimum throughput 1000.");
        assertThat(refusal(RuleSet.RULES_2020, new Throughput.Manual(100), container))
                .contains("between 400 and 1000000")
                .endsWith(
                        " Requested throughput 100 is less than required minimum throughput 400.");
        assertThat(refusal(RuleSet.RULES_2020, new Throughput.Manual(450), container))
                .doesNotContain("Requested");
    }

    private static ThroughputRules rules(RuleSet ruleSet) {
        return new ThroughputRules(AccountSettings.of(ruleSet));
    }

    private static void assertAllowed(
            RuleSet ruleSet, Throughput throughput, ThroughputHolder holder) {
        assertThatCode(() -> rules(ruleSet).check(throughput, holder)).doesNotThrowAnyException();
    }

    private static String refusal(RuleSet ruleSet, Throughput throughput, ThroughputHolder holder) {
        return text(() -> rules(ruleSet).check(throughput, holder));
    }

    private static String text(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        OrreryException refusal = catchThrowableOfType(OrreryException.class, call);
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return refusal.text();
    }
}
