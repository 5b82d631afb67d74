package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.TriggerOperation;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Script;

@Timeout(900)
final class ScriptCatalogTest {
    private static final ScriptDefinition PROCEDURE =
            new ScriptDefinition(Kind.PROCEDURE, "s", "function () {}");
    private static final ScriptDefinition FUNCTION =
            new ScriptDefinition(Kind.FUNCTION, "s", "function (x) { return x; }");
    private static final ScriptDefinition TRIGGER =
            new ScriptDefinition(
                    Kind.TRIGGER,
                    "s",
                    "function () { getContext(); }",
                    Optional.of(new Trigger(ScriptDefinition.When.POST, TriggerOperation.ALL)));

    @TempDir Path directory;
    private CatalogFixture fixture;

    @BeforeEach
    void open() {
        fixture = new CatalogFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void survivesARestart() {
        Script procedure;
        Script replaced;
        int dropped;
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Container container = container(catalog);
            procedure = catalog.createScript(context(), container, PROCEDURE);
            Script function = catalog.createScript(context(), container, FUNCTION);
            replaced =
                    catalog.replaceScript(
                            context(),
                            function,
                            new ScriptDefinition(Kind.FUNCTION, "s", "x => 2 * x"),
                            new Precondition.Matches(function.etag()));
            Script trigger = catalog.createScript(context(), container, TRIGGER);
            dropped = trigger.number();
            catalog.deleteScript(context(), trigger, Precondition.NONE);
            assertThat(replaced.number()).isEqualTo(function.number());
            assertThat(replaced.etag()).isNotEqualTo(function.etag());
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Container container = found(catalog);
            assertThat(catalog.findScript(container, Kind.PROCEDURE, "s")).hasValue(procedure);
            assertThat(catalog.findScript(container, Kind.FUNCTION, "s")).hasValue(replaced);
            assertThat(catalog.findScript(container, Kind.FUNCTION, replaced.number()))
                    .hasValue(replaced);
            assertThat(catalog.findScript(container, Kind.PROCEDURE, replaced.number())).isEmpty();
            assertThat(catalog.findScript(container, Kind.TRIGGER, "s")).isEmpty();
            assertThat(catalog.scripts(container, Kind.TRIGGER, 0, 10)).isEmpty();
            Script again = catalog.createScript(context(), container, TRIGGER);
            assertThat(again.number()).isGreaterThan(dropped);
        }
    }

    @Test
    void namesAreTakenOncePerKind() {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Container container = container(catalog);
            catalog.createScript(context(), container, PROCEDURE);
            catalog.createScript(context(), container, TRIGGER);

            assertThat(code(() -> catalog.createScript(context(), container, PROCEDURE)))
                    .isEqualTo(ErrorCode.CONFLICT);
            assertThat(catalog.scripts(container, Kind.PROCEDURE, 0, 10)).hasSize(1);
            assertThat(catalog.countScripts(container, Kind.FUNCTION)).isZero();
        }
    }

    @Test
    void replacesAndDeletesObservePreconditionsAndNames() {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Container container = container(catalog);
            Script first = catalog.createScript(context(), container, PROCEDURE);
            Precondition ofFirst = new Precondition.Matches(first.etag());
            catalog.replaceScript(context(), first, PROCEDURE, ofFirst);

            assertThat(code(() -> catalog.replaceScript(context(), first, PROCEDURE, ofFirst)))
                    .isEqualTo(ErrorCode.PRECONDITION_FAILED);
            assertThat(code(() -> catalog.deleteScript(context(), first, ofFirst)))
                    .isEqualTo(ErrorCode.PRECONDITION_FAILED);
            ScriptDefinition renamed = new ScriptDefinition(Kind.PROCEDURE, "other", "() => 1");
            assertThat(
                            code(
                                    () ->
                                            catalog.replaceScript(
                                                    context(), first, renamed, Precondition.NONE)))
                    .isEqualTo(ErrorCode.BAD_REQUEST);
            catalog.deleteScript(context(), first, Precondition.NONE);
            assertThat(code(() -> catalog.deleteScript(context(), first, Precondition.NONE)))
                    .isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    @Test
    void goWithTheirContainer() {
        Script script;
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Container container = container(catalog);
            script = catalog.createScript(context(), container, PROCEDURE);
            catalog.deleteContainer(context(), container, Precondition.NONE);
            assertThat(code(() -> catalog.createScript(context(), container, FUNCTION)))
                    .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
            while (catalog.findScript(container, Kind.PROCEDURE, script.number()).isPresent()) {
                Thread.onSpinWait();
            }
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container next = CatalogFixture.create(catalog, database);
            assertThat(catalog.scripts(next, Kind.PROCEDURE, 0, 10)).isEmpty();
            assertThat(catalog.createScript(context(), next, PROCEDURE).rid())
                    .isNotEqualTo(script.rid());
        }
    }

    @Test
    void quotasOfTheServiceHoldWhereTheyAreAskedFor() {
        AccountSettings withQuotas = AccountSettings.DEFAULT.withServiceQuotas(true);
        try (ControlPlane catalog = fixture.catalog(fixture.host(), withQuotas)) {
            Container container = container(catalog);
            for (int i = 0; i < 25; i++) {
                catalog.createScript(context(), container, trigger("t" + i));
            }
            assertThat(code(() -> catalog.createScript(context(), container, trigger("one more"))))
                    .isEqualTo(ErrorCode.FORBIDDEN);
            catalog.createScript(context(), container, FUNCTION);
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            catalog.changeSettings(settings -> settings.withServiceQuotas(false));
            catalog.createScript(context(), found(catalog), trigger("one more"));
        }
    }

    private static ScriptDefinition trigger(String name) {
        return new ScriptDefinition(Kind.TRIGGER, name, "() => {}", TRIGGER.trigger());
    }

    private static Container container(ControlPlane catalog) {
        return CatalogFixture.create(
                catalog, catalog.createDatabase(context(), "d", Optional.empty()));
    }

    private static Container found(ControlPlane catalog) {
        return catalog.findContainer(catalog.findDatabase("d").orElseThrow().number(), "c")
                .orElseThrow();
    }

    private static ErrorCode code(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }
}
