package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.gateway.api.TriggerNames;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.ScriptDefinition.When;
import orrery.model.TriggerOperation;
import orrery.model.resource.Script;

/** Scripts as resources, and what is refused before any of them runs. */
final class ScriptResourceTest {
    private static final ResourceRef NAMED = new ResourceRef.Named("s");
    private static final ScriptDefinition PROCEDURE =
            new ScriptDefinition(Kind.PROCEDURE, "s", "function () {}");

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;
    private Scripts scripts;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, "/pk");
        scripts = fixture.engine.resources().scripts();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void areFoundByNameAndByRid() {
        Script script = scripts.create(EngineFixture.context(), container, PROCEDURE);
        ResourceRef identified = new ResourceRef.Identified(script.rid());
        ResourceRef other =
                new ResourceRef.Identified(
                        ResourceId.ofScript(
                                script.database(), 99, script.number(), Kind.PROCEDURE));

        assertThat(read(NAMED)).isEqualTo(script);
        assertThat(read(identified)).isEqualTo(script);
        assertThat(code(() -> read(other))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(
                        code(
                                () ->
                                        scripts.read(
                                                EngineFixture.context(),
                                                container,
                                                Kind.FUNCTION,
                                                NAMED)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        scripts.delete(
                EngineFixture.context(), container, Kind.PROCEDURE, identified, Precondition.NONE);
        assertThat(code(() -> read(NAMED))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    /** Forty bodies of 200 KB are 8 MB: two pages, whatever number was asked for. */
    @Test
    void pagesAreBoundedInBytes() {
        String large = "function () { /* " + "x".repeat(200 << 10) + " */ }";
        for (int i = 0; i < 40; i++) {
            scripts.create(
                    EngineFixture.context(),
                    container,
                    new ScriptDefinition(Kind.FUNCTION, "f" + i, large));
        }
        Page<Script> first = list(new PageRequest(OptionalInt.of(1000), Optional.empty()));
        Page<Script> second = list(new PageRequest(OptionalInt.of(1000), first.continuation()));

        assertThat(first.resources()).hasSizeBetween(15, 20);
        assertThat(second.resources()).isNotEmpty();
        assertThat(second.resources().getFirst().name()).isEqualTo("f" + first.resources().size());
    }

    /** One that never was, one of another kind by that name, and one that was deleted. */
    @Test
    void whatIsNotThereCannotBeExecuted() {
        assertThat(code(() -> execute("[]", false))).isEqualTo(ErrorCode.NOT_FOUND);
        scripts.create(
                EngineFixture.context(),
                container,
                new ScriptDefinition(Kind.FUNCTION, PROCEDURE.name(), "function () {}"));
        assertThat(code(() -> execute("[]", false))).isEqualTo(ErrorCode.NOT_FOUND);

        scripts.create(EngineFixture.context(), container, PROCEDURE);
        assertThat(execute("[]", false)).isNotNull();
        scripts.delete(
                EngineFixture.context(), container, Kind.PROCEDURE, NAMED, Precondition.NONE);
        assertThat(code(() -> execute("[]", false))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void bodiesThatAreNoJavaScriptFailWhenTheyRun() {
        scripts.create(
                EngineFixture.context(),
                container,
                new ScriptDefinition(Kind.PROCEDURE, PROCEDURE.name(), "function ( {"));

        assertThat(code(() -> execute("[]", false))).isEqualTo(ErrorCode.SCRIPT_NOT_COMPILED);
    }

    @Test
    void bodiesHaveALimitedSize() {
        ScriptDefinition large =
                new ScriptDefinition(
                        Kind.FUNCTION, "f", "function () { /*" + "x".repeat(256 << 10) + "*/ }");

        assertThat(code(() -> scripts.create(EngineFixture.context(), container, large)))
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void readOnlyKeysChangeAndRunNothing() {
        scripts.create(EngineFixture.context(), container, PROCEDURE);

        assertThat(code(() -> scripts.create(EngineFixture.readOnly(), container, PROCEDURE)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(code(() -> execute("[]", true))).isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void argumentsAreAnArray() {
        scripts.create(EngineFixture.context(), container, PROCEDURE);

        assertThat(code(() -> execute("{\"a\":1}", false))).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(code(() -> execute("[1", false))).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void triggersMustExistAndFitTheWrite() {
        trigger("pre", When.PRE, TriggerOperation.CREATE);
        trigger("post", When.POST, TriggerOperation.ALL);
        ItemWrite.Create create =
                new ItemWrite.Create(Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}"), Optional.empty());
        ItemWrite.Delete delete =
                new ItemWrite.Delete(
                        new ItemRef.Named("1"), PartitionKey.ofText("a"), Precondition.NONE);

        assertRefused(create, names("none", ""), "'none'");
        assertRefused(create, names("post", ""), "POST");
        assertRefused(create, names("", "pre"), "PRE");
        assertRefused(delete, names("pre", ""), "CREATE");
        assertRefused(create, names("pre,pre", ""), "one pre-trigger");
    }

    private void assertRefused(ItemWrite write, TriggerNames names, String complaint) {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                fixture.engine
                                        .items()
                                        .writeItem(
                                                EngineFixture.context(), container, write, names));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.text()).contains(complaint);
    }

    private static TriggerNames names(String before, String after) {
        return new TriggerNames(list(before), list(after), false);
    }

    private static List<String> list(String names) {
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    private void trigger(String name, When when, TriggerOperation operation) {
        scripts.create(
                EngineFixture.context(),
                container,
                new ScriptDefinition(
                        Kind.TRIGGER,
                        name,
                        "function () {}",
                        Optional.of(new Trigger(when, operation))));
    }

    private ProcedureAnswer execute(String arguments, boolean isReadOnly) {
        return fixture.engine
                .items()
                .execute(
                        isReadOnly ? EngineFixture.readOnly() : EngineFixture.context(),
                        container,
                        PartitionKey.ofText("a"),
                        NAMED,
                        Bytes.ofUtf8(arguments),
                        false);
    }

    private Script read(ResourceRef ref) {
        return scripts.read(EngineFixture.context(), container, Kind.PROCEDURE, ref);
    }

    private Page<Script> list(PageRequest page) {
        return scripts.list(EngineFixture.context(), container, Kind.FUNCTION, page);
    }

    private static ErrorCode code(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }
}
