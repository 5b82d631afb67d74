package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.http.Headers;
import orrery.frontend.rest.ChargeText;
import orrery.frontend.rest.ThroughputHeaders;
import orrery.gateway.api.FeedScope;
import orrery.model.ConsistencyLevel;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.Throughput;
import orrery.model.metering.Charge;

class SqlRequestTest {
    @Test
    void echoesTheActivityIdOrMakesOne() {
        UUID given = UUID.fromString("11111111-2222-4333-8444-555555555555");
        assertThat(with("x-ms-activity-id", given.toString()).activityId()).isEqualTo(given);
        assertThat(with("x-ms-activity-id", "not one").activityId().version()).isEqualTo(4);
        assertThat(with().activityId()).isNotEqualTo(with().activityId());
    }

    @ParameterizedTest
    @CsvSource({"true,true", "True,true", "TRUE,true", "false,false", "1,false", "'',false"})
    void flagsIgnoreTheCaseOfTrue(String value, boolean expected) {
        assertThat(with("x-ms-documentdb-is-upsert", value).flag(SqlHeaders.IS_UPSERT))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"maybe", "1", "yes", "truetrue"})
    void someFlagsAreTrueOrFalseAndNothingElse(String value) {
        for (String name :
                List.of(SqlHeaders.OFFER_RU_PER_MINUTE, SqlHeaders.DISABLE_RU_PER_MINUTE)) {
            OrreryException refusal = refusal(() -> with(name, value).strictFlag(name));
            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            assertThat(refusal.text())
                    .isEqualTo("The header " + name + " is true or false, not '" + value + "'.");
        }
        assertThat(
                        refusal(
                                        () ->
                                                throughput(
                                                        with(
                                                                "x-ms-offer-throughput",
                                                                "400",
                                                                SqlHeaders.OFFER_RU_PER_MINUTE,
                                                                value)))
                                .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(
                        with(SqlHeaders.OFFER_RU_PER_MINUTE, "TRUE")
                                .strictFlag(SqlHeaders.OFFER_RU_PER_MINUTE))
                .isTrue();
        assertThat(
                        with(SqlHeaders.OFFER_RU_PER_MINUTE, "False")
                                .strictFlag(SqlHeaders.OFFER_RU_PER_MINUTE))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1,1", "100,100", "0,1000", "2147483647,2147483647"})
    void readsThePageSize(String text, int expected) {
        assertThat(with("x-ms-max-item-count", text).page().maxItems())
                .isEqualTo(OptionalInt.of(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "x-ms-max-item-count",
        "x-ms-documentdb-partitionkeyrangeid",
        "x-ms-offer-throughput"
    })
    void readsNumbersOfAsciiDigitsOnly(String header) {
        for (String text : List.of("+5", "-5", "\u0665", "\uff15", "4\u0660\u0660")) {
            // HTTP hands the value on with one character for each byte of the UTF-8.
            String sent =
                    new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            assertThat(
                            refusal(
                                            () -> {
                                                SqlRequest request = with(header, sent);
                                                request.page();
                                                request.rangeId();
                                                throughput(request);
                                            })
                                    .code())
                    .isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Test
    void minusOneLeavesThePageSizeToUs() {
        assertThat(with("x-ms-max-item-count", "-1").page().maxItems()).isEmpty();
        assertThat(with().page().maxItems()).hasValue(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-2", "1.5", "99999999999", "1 2"})
    void refusesOtherPageSizes(String text) {
        assertThat(refusal(() -> with("x-ms-max-item-count", text).page()).text())
                .isEqualTo(
                        "The input PageSize "
                                + text
                                + " is invalid. Ensure to pass a valid page size which must be a"
                                + " positive integer or -1 for a dynamic page size");
    }

    @Test
    void anEmptyContinuationIsNone() {
        assertThat(with("x-ms-continuation", "").page().continuation()).isEmpty();
        assertThat(with("x-ms-continuation", "t").page().continuation()).hasValue("t");
    }

    @Test
    void readsPreconditions() {
        Etag etag = new Etag(1, 2);
        assertThat(with().ifMatch()).isEqualTo(Precondition.NONE);
        assertThat(with("If-Match", "*").ifMatch()).isEqualTo(new Precondition.Exists());
        assertThat(with("If-Match", etag.quoted()).ifMatch())
                .isEqualTo(new Precondition.Matches(etag));
        assertThat(with("If-Match", "\"other\"").ifMatch())
                .isEqualTo(new Precondition.Impossible());
        assertThat(with("If-None-Match", etag.quoted()).alreadyHas(etag.quoted())).isTrue();
        assertThat(with("If-None-Match", "*").alreadyHas(etag.quoted())).isTrue();
        assertThat(with("If-None-Match", "\"x\"").alreadyHas(etag.quoted())).isFalse();
    }

    @Test
    void findsOutWhichPartIsMeant() {
        KeyRange clip = new KeyRange(EffectiveKey.ofHex("0A"), EffectiveKey.ofHex("0B"));
        assertThat(with().scope()).isEqualTo(new FeedScope.Everything());
        assertThat(with("x-ms-documentdb-partitionkey", "[\"a\"]").scope())
                .isEqualTo(new FeedScope.Key(PartitionKey.ofText("a")));
        assertThat(with("x-ms-documentdb-partitionkeyrangeid", "3").scope())
                .isEqualTo(new FeedScope.Range(3, Optional.empty()));
        assertThat(
                        with(
                                        "x-ms-documentdb-partitionkeyrangeid",
                                        "AQAAAIAAAAE=,3",
                                        "x-ms-start-epk",
                                        "0A",
                                        "x-ms-end-epk",
                                        "0b")
                                .scope())
                .isEqualTo(new FeedScope.Range(3, Optional.of(clip)));
        assertThat(with("x-ms-start-epk", "0A", "x-ms-end-epk", "0B").scope())
                .isEqualTo(new FeedScope.Keys(clip));
        assertThat(with("x-ms-start-epk", "0A").scope())
                .isEqualTo(
                        new FeedScope.Keys(
                                new KeyRange(EffectiveKey.ofHex("0A"), EffectiveKey.MAX)));
    }

    @ParameterizedTest
    @CsvSource({
        "x-ms-documentdb-partitionkeyrangeid,M",
        "x-ms-documentdb-partitionkeyrangeid,-1",
        "x-ms-start-epk,0",
        "x-ms-start-epk,zz",
        "x-ms-start-epk,FF",
        "x-ms-documentdb-partitionkey,a"
    })
    void refusesPartsThatAreNone(String header, String value) {
        assertThat(refusal(() -> with(header, value).scope()).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void knowsTheContainerThatIsMeant() {
        ResourceId rid = ResourceId.ofContainer(1, 1);
        assertThat(with("x-ms-cosmos-intended-collection-rid", rid.toString()).intendedContainer())
                .hasValue(rid);
        assertThat(with("x-ms-documentdb-partitionkeyrangeid", rid + ",0").intendedContainer())
                .hasValue(rid);
        assertThat(with("x-ms-documentdb-partitionkeyrangeid", "0").intendedContainer()).isEmpty();
        assertThat(
                        refusal(
                                        () ->
                                                with("x-ms-cosmos-intended-collection-rid", "x")
                                                        .intendedContainer())
                                .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void carriesSessionConsistencyAndDeadline() {
        var context =
                context("x-ms-session-token", "0:-1#5,1:7", "x-ms-consistency-level", "eventual");
        assertThat(context.sessionToken()).hasValue(SessionToken.parse("0:-1#5,1:-1#7"));
        assertThat(context.consistency()).hasValue(ConsistencyLevel.EVENTUAL);
        assertThat(context.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(30)).isPositive();
    }

    @Test
    void consistencyMayBeWeakenedOnly() {
        assertThat(context().consistency()).hasValue(ConsistencyLevel.SESSION);
        assertThat(context("x-ms-consistency-level", "Session").consistency())
                .hasValue(ConsistencyLevel.SESSION);
        assertThat(refusal(() -> context("x-ms-consistency-level", "Strong")).text())
                .startsWith("ConsistencyLevel Strong specified in the request is invalid");
        assertThat(refusal(() -> context("x-ms-consistency-level", "Best")).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(
                        context("x-ms-cosmos-read-consistency-strategy", "LatestCommitted")
                                .consistency())
                .hasValue(ConsistencyLevel.STRONG);
        assertThat(
                        refusal(
                                        () ->
                                                context(
                                                        "x-ms-cosmos-read-consistency-strategy",
                                                        "GlobalStrong"))
                                .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(
                        refusal(
                                        () ->
                                                context(
                                                        "x-ms-cosmos-read-consistency-strategy",
                                                        "Eventual",
                                                        "x-ms-consistency-level",
                                                        "Eventual"))
                                .text())
                .contains("not both");
    }

    @Test
    void recognisesQueriesHoweverTheyAreMarked() {
        assertThat(with("x-ms-documentdb-isquery", "True").isQuery()).isTrue();
        assertThat(with("x-ms-documentdb-query", "True").isQuery()).isTrue();
        assertThat(with("Content-Type", "application/query+json; charset=utf-8").isQuery())
                .isTrue();
        assertThat(with("Content-Type", "application/json").isQuery()).isFalse();
    }

    @Test
    void oldVersionsDifferInTokensAndKeys() {
        assertThat(with("x-ms-version", "2018-06-18").knowsVectorTokens()).isTrue();
        assertThat(with("x-ms-version", "2017-11-15").knowsVectorTokens()).isFalse();
        assertThat(with().knowsVectorTokens()).isTrue();
        assertThat(with("x-ms-version", "2018-06-18").allowsFixedContainers()).isTrue();
        assertThat(with("x-ms-version", "2020-07-15").allowsFixedContainers()).isFalse();
    }

    @Test
    void readsTheThroughputWanted() {
        assertThat(throughput(with())).isEmpty();
        assertThat(throughput(with("x-ms-offer-throughput", "20000")))
                .hasValue(new Throughput.Manual(20_000));
        assertThat(
                        throughput(
                                with(
                                        "x-ms-cosmos-offer-autopilot-settings",
                                        "{\"maxThroughput\":4000,\"autoUpgradePolicy\":"
                                                + "{\"throughputPolicy\":"
                                                + "{\"incrementPercent\":0}}}")))
                .hasValue(new Throughput.Autoscale(4000, OptionalInt.of(0)));
        assertThat(
                        throughput(
                                with(
                                        "x-ms-cosmos-offer-autopilot-settings",
                                        "{\"maxThroughput\":-200}")))
                .hasValue(new Throughput.Autoscale(-200));
        assertThat(
                        throughput(
                                with(
                                        "x-ms-offer-throughput",
                                        "5000",
                                        "x-ms-offer-is-ru-per-minute-throughput-enabled",
                                        "true")))
                .hasValue(new Throughput.Manual(5000, true));
        assertThat(throughput(with("x-ms-offer-type", "S2"))).hasValue(new Throughput.Manual(1000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x-ms-offer-throughput|many",
                "x-ms-offer-throughput|-400",
                "x-ms-offer-type|S9",
                "x-ms-cosmos-offer-autopilot-settings|4000",
                "x-ms-cosmos-offer-autopilot-settings|{}",
                "x-ms-cosmos-offer-autopilot-settings|{\"maxThroughput\":4000,\"minThroughput\":1}",
                "x-ms-cosmos-offer-autopilot-settings|{\"maxThroughput\":4000,"
                        + "\"autoUpgradePolicy\":{\"throughputPolicy\":{\"incrementPercent\":101}}}",
                "x-ms-offer-is-ru-per-minute-throughput-enabled|true"
            })
    void refusesThroughputThatCannotBe(String header, String value) {
        assertThat(refusal(() -> throughput(with(header, value))).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void throughputIsWantedInOneWayOnly() {
        assertThat(
                        refusal(
                                        () ->
                                                throughput(
                                                        with(
                                                                "x-ms-offer-throughput",
                                                                "400",
                                                                "x-ms-cosmos-offer-autopilot-settings",
                                                                "{\"maxThroughput\":4000}")))
                                .text())
                .contains("exclude each other");
        assertThat(
                        refusal(
                                        () ->
                                                throughput(
                                                        with(
                                                                "x-ms-offer-throughput",
                                                                "400",
                                                                "x-ms-offer-type",
                                                                "S1")))
                                .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1,1",
        "5.714,5.71",
        "1.005,1",
        "10.07,10.07",
        "0.1,0.1",
        "123456.789,123456.79"
    })
    void chargesHaveTwoDecimalsAtMost(double ru, double expected) {
        Charge charge = new Charge(1, 0, 0, 0, 0, 1, ru, 0, 0);
        String told = ChargeText.of(charge);
        assertThat(Double.parseDouble(told)).isEqualTo(expected);
        assertThat(told).matches("[0-9]+(\\.[0-9][0-9])?");
    }

    /** Whatever stands in the headers, they are understood or refused, never a bug. */
    @Property
    void anyHeadersAreReadOrRefused(
            @ForAll("headerNames") String first,
            @ForAll("headerValues") String value,
            @ForAll("headerNames") String second,
            @ForAll("headerValues") String other) {
        SqlRequest request = with(first, value, second, other);
        try {
            request.context(new Principal.Account(false), SqlConfig.standard());
            request.page();
            request.scope();
            request.intendedContainer();
            request.ifMatch();
            request.alreadyHas("\"x\"");
            request.prefersMinimal();
            request.isQuery();
            throughput(request);
        } catch (OrreryException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Provide
    Arbitrary<String> headerNames() {
        return Arbitraries.of(
                "x-ms-activity-id",
                "x-ms-session-token",
                "x-ms-consistency-level",
                "x-ms-max-item-count",
                "x-ms-continuation",
                "x-ms-documentdb-partitionkey",
                "x-ms-documentdb-partitionkeyrangeid",
                "x-ms-start-epk",
                "x-ms-end-epk",
                "x-ms-cosmos-intended-collection-rid",
                "If-Match",
                "If-None-Match",
                "Prefer",
                "x-ms-version",
                "x-ms-offer-throughput",
                "x-ms-offer-type",
                "x-ms-cosmos-offer-autopilot-settings",
                "x-ms-cosmos-read-consistency-strategy");
    }

    @Provide
    Arbitrary<String> headerValues() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(12),
                Arbitraries.strings().withCharRange('\u00a0', '\u00ff').ofMaxLength(5),
                Arbitraries.of(
                        "[]",
                        "[{}]",
                        "[null]",
                        "[[1]]",
                        "[1e999]",
                        "[\"\\ud800\"]",
                        ",",
                        "0,1",
                        "AQAAAIAAAAE=,x",
                        "0:-1#",
                        "0:1#2#3",
                        "9999999999:1",
                        "{",
                        "{\"maxThroughput\":1e99}",
                        "-1",
                        "FFFF",
                        "\"\"",
                        "*"));
    }

    private static orrery.model.RequestContext context(String... headers) {
        return with(headers).context(new Principal.Account(false), SqlConfig.standard());
    }

    private static SqlRequest with(String... headers) {
        return new SqlRequest(TestClient.request("GET", "/", Headers.of(headers), ""));
    }

    private static OrreryException refusal(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }

    private static Optional<Throughput> throughput(SqlRequest request) {
        return ThroughputHeaders.parse(request.http().headers());
    }
}
