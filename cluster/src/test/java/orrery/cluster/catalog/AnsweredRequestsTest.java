package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.partition.api.SplitAim;
import orrery.storage.format.Keys;

/** A request that is sent again, because its answer was lost. */
final class AnsweredRequestsTest {
    private MachineFixture catalog;

    @BeforeEach
    void open(@TempDir Path directory) {
        catalog = new MachineFixture(directory);
        catalog.apply(
                new ResourceCommand.CreateDatabase("d", Optional.of(new Throughput.Manual(400))));
        catalog.apply(MachineFixture.container("c", 1));
        catalog.apply(new ResourceCommand.ContainerReady(1, 1));
        catalog.apply(new ScriptCommand.CreateScript(1, procedure("p", "1")));
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private static ScriptDefinition procedure(String name, String body) {
        return new ScriptDefinition(ScriptDefinition.Kind.PROCEDURE, name, body);
    }

    /** Commands that succeed once on what {@link #open} made, and whose repetition would show. */
    enum Once {
        CREATE_DATABASE(_ -> new ResourceCommand.CreateDatabase("e", Optional.empty())),
        REPLACE_OFFER(
                c ->
                        new ResourceCommand.ReplaceOffer(
                                1,
                                new Throughput.Manual(500),
                                Optional.empty(),
                                matching(c.state().offer(1).orElseThrow().etag()))),
        DELETE_DATABASE(
                c ->
                        new ResourceCommand.DeleteDatabase(
                                1, matching(c.state().database(1).orElseThrow().etag()))),
        CREATE_CONTAINER(_ -> MachineFixture.container("new", 2)),
        REPLACE_CONTAINER(
                c ->
                        new ResourceCommand.ReplaceContainer(
                                1,
                                CatalogSamples.DEFINITION.withChangeRetention(5),
                                matching(c.state().container(1).orElseThrow().etag()))),
        DELETE_CONTAINER(_ -> new ResourceCommand.DeleteContainer(1, Precondition.NONE)),
        TAKE_NAME(_ -> new ResourceCommand.TakeName(1, "other", Precondition.NONE)),
        BEGIN_SPLIT(_ -> new RangeCommand.BeginSplit(1, 0, SplitAim.OPERATOR)),
        REDISTRIBUTE(
                c ->
                        new RangeCommand.Redistribute(
                                1, c.state().partitionMap(1).orElseThrow().epoch(), List.of(1.0))),
        CREATE_SCRIPT(_ -> new ScriptCommand.CreateScript(1, procedure("q", "1"))),
        REPLACE_SCRIPT(
                c ->
                        new ScriptCommand.ReplaceScript(
                                1,
                                procedure("p", "2"),
                                matching(c.state().scripts().find(1).orElseThrow().etag()))),
        DELETE_SCRIPT(_ -> new ScriptCommand.DeleteScript(1, Precondition.NONE)),
        CHANGE_SETTINGS(
                c ->
                        new AccountCommand.ChangeSettings(
                                c.state().account().settings(),
                                c.state().account().settings().withPartitionMaxThroughput(5000)));

        @SuppressWarnings("ImmutableEnumChecker")
        private final Function<MachineFixture, CatalogCommand> command;

        Once(Function<MachineFixture, CatalogCommand> command) {
            this.command = command;
        }

        private static Precondition matching(Etag etag) {
            return new Precondition.Matches(etag);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResendHasTheFirstOutcomeAndNoSecondEffect(Once once) {
        CatalogRequest request = catalog.request(once.command.apply(catalog));
        CatalogOutcome first = catalog.apply(request);
        List<String> rows = rows();
        assertThat(first).isNotInstanceOf(CatalogOutcome.Rejected.class);

        assertThat(catalog.resend(request)).isEqualTo(first);
        assertThat(rows()).isEqualTo(rows);

        catalog.restart();
        catalog.pass(CatalogLevel.FIRST.requestMillis() - 1);

        assertThat(catalog.resend(request)).isEqualTo(first);
        assertThat(rows()).isEqualTo(rows);
    }

    @ParameterizedTest
    @EnumSource
    void pastTheWindowItIsJudgedAnew(Once once) {
        CatalogRequest request = catalog.request(once.command.apply(catalog));
        catalog.apply(request);
        catalog.pass(CatalogLevel.FIRST.requestMillis());

        assertThat(catalog.resend(request)).isInstanceOf(CatalogOutcome.Rejected.class);
    }

    /** The children of a published split must not be made twice. */
    @Test
    void aResentPublicationIsTheFirst() {
        catalog.apply(new RangeCommand.BeginSplit(1, 0, SplitAim.OPERATOR));
        Reshape split = catalog.state().reshape(1).orElseThrow();
        CatalogRequest publish =
                catalog.request(
                        new RangeCommand.PublishReshape(
                                1, split, Optional.of(EffectiveKey.ofHex("1FFF")), 3));
        catalog.apply(publish);
        List<String> rows = rows();

        assertThat(catalog.resend(publish)).isEqualTo(new CatalogOutcome.Done());
        assertThat(rows()).isEqualTo(rows);
    }

    /** Else a client would hear of a success that it was told had failed. */
    @Test
    void aRefusalStaysARefusal() {
        CatalogRequest request =
                catalog.request(new ScriptCommand.CreateScript(1, procedure("p", "other")));
        CatalogOutcome refused = catalog.apply(request);
        catalog.apply(new ScriptCommand.DeleteScript(1, Precondition.NONE));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        CatalogOutcome.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(ErrorCode.CONFLICT));
        assertThat(catalog.resend(request)).isEqualTo(refused);
        assertThat(catalog.state().scripts().count(1, ScriptDefinition.Kind.PROCEDURE)).isZero();
    }

    /** A clock that goes back does not bring back a window that was over. */
    @Test
    void timeIsTheHighestStamp() {
        CatalogRequest request =
                catalog.request(new ResourceCommand.CreateDatabase("e", Optional.empty()));
        catalog.apply(request);
        catalog.pass(CatalogLevel.FIRST.requestMillis());
        catalog.apply(new ResourceCommand.CreateDatabase("f", Optional.empty()));
        catalog.pass(-CatalogLevel.FIRST.requestMillis());

        assertThat(catalog.resend(request)).isInstanceOf(CatalogOutcome.Rejected.class);
    }

    @Test
    void recordsAreGoneSoonAfterTheirWindow() {
        for (int i = 0; i < 40; i++) {
            catalog.apply(new ResourceCommand.ForgetContainer(99));
        }
        catalog.pass(CatalogLevel.FIRST.requestMillis());
        int before = requestRows();
        assertThat(before).isGreaterThan(40);

        for (int i = 0; i < before; i++) {
            catalog.apply(new ResourceCommand.ForgetContainer(99));
        }

        assertThat(requestRows()).isEqualTo(before);
        assertThat(catalog.state().requests().size()).isEqualTo(before);
        catalog.pass(CatalogLevel.FIRST.requestMillis());
        for (int i = 0; i < before; i++) {
            catalog.pass(CatalogLevel.FIRST.requestMillis());
            catalog.apply(new ResourceCommand.ForgetContainer(99));
        }
        assertThat(requestRows()).isEqualTo(1);
        assertThat(catalog.state().requests().size()).isEqualTo(1);
    }

    /** Stamps of a clock that stands behind the log make no time pass. */
    @Test
    void thereIsALimitOfRequests() {
        CatalogRequest first =
                catalog.request(new ResourceCommand.CreateDatabase("e", Optional.empty()));
        catalog.apply(first);
        for (int i = 1; i < CatalogLevel.FIRST.maxRequests(); i++) {
            catalog.apply(new ResourceCommand.ForgetContainer(99));
        }
        assertThat(requestRows()).isEqualTo(CatalogLevel.FIRST.maxRequests());
        assertThat(catalog.resend(first)).isInstanceOf(CatalogOutcome.OfDatabase.class);

        for (int i = 0; i < 8; i++) {
            catalog.apply(new ResourceCommand.ForgetContainer(99));
        }

        assertThat(requestRows()).isEqualTo(CatalogLevel.FIRST.maxRequests());
        assertThat(catalog.state().requests().size()).isEqualTo(CatalogLevel.FIRST.maxRequests());
        assertThat(catalog.resend(first)).isInstanceOf(CatalogOutcome.Rejected.class);
    }

    /** All rows but the applied position, which moves with each entry. */
    private List<String> rows() {
        return catalog.rows(Keys.catalog());
    }

    private int requestRows() {
        byte[] some = Change.Kind.REQUEST.key(0);
        return catalog.rows(new byte[] {some[0], some[1]}).size();
    }
}
