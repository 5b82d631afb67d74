package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Fault;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Redistribution;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TriggerNames;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.RowKey;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.query.QueryCall;
import orrery.query.Statement;
import orrery.query.sql.SqlStatement;

/** The rights of keys, and that every call at the door asks for them. */
final class AuthorizerTest {
    private static final RequestContext READER = EngineFixture.readOnly();
    private static final PartitionKey KEY = PartitionKey.ofText("a");
    private static final ItemRef ITEM = new ItemRef.Named("1");
    private static final Bytes BODY = Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}");
    private static final ItemWrite WRITE = new ItemWrite.Create(BODY, Optional.empty());
    private static final ResourceRef DATABASE = new ResourceRef.Named("d");
    private static final ScriptDefinition PROCEDURE =
            new ScriptDefinition(ScriptDefinition.Kind.PROCEDURE, "p", "function p() {}");
    private static final ResourceRef P = new ResourceRef.Named("p");

    private static final Statement ALL = SqlStatement.parse("SELECT * FROM c", Map.of());

    @TempDir private Path directory;

    @ParameterizedTest
    @EnumSource
    void aReadWriteKeyMayDoEverything(Action action) {
        assertThatCode(
                        () ->
                                new Authorizer()
                                        .check(
                                                new Principal.Account(false),
                                                action,
                                                Authorizer.Reach.ACCOUNT))
                .doesNotThrowAnyException();
    }

    private static void assertRefused(ThrowingCallable call) {
        OrreryException refusal = catchThrowableOfType(OrreryException.class, call);
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refusal.text())
                .startsWith("A read-only key cannot ")
                .endsWith(". Use a read-write key of the account.");
    }

    @TestFactory
    Stream<DynamicTest> aReadOnlyKeyChangesNothing() {
        EngineFixture fixture = new EngineFixture(directory);
        Gateway engine = fixture.engine;
        ContainerRef c = fixture.container("c", 400, "/pk");
        fixture.create(c, BODY.toUtf8());
        engine.resources().scripts().create(EngineFixture.context(), c, PROCEDURE);
        Container container = engine.resources().readContainer(READER, c);
        ResourceId offer =
                engine.resources().findOffer(READER, container.rid()).orElseThrow().rid();
        Fault fault = new Fault(ErrorCode.TIMEOUT, new Fault.Extent.Next(1));
        Map<String, ThrowingCallable> changes =
                Map.ofEntries(
                        Map.entry(
                                "createDatabase",
                                () ->
                                        engine.resources()
                                                .createDatabase(READER, "x", Optional.empty())),
                        Map.entry(
                                "deleteDatabase",
                                () ->
                                        engine.resources()
                                                .deleteDatabase(
                                                        READER, DATABASE, Precondition.NONE)),
                        Map.entry(
                                "createContainer",
                                () ->
                                        engine.resources()
                                                .createContainer(
                                                        READER,
                                                        DATABASE,
                                                        "x",
                                                        container.definition(),
                                                        Optional.empty())),
                        Map.entry(
                                "replaceContainer",
                                () ->
                                        engine.resources()
                                                .replaceContainer(
                                                        READER,
                                                        c,
                                                        container.definition(),
                                                        Precondition.NONE)),
                        Map.entry(
                                "deleteContainer",
                                () ->
                                        engine.resources()
                                                .deleteContainer(READER, c, Precondition.NONE)),
                        Map.entry(
                                "replaceOffer",
                                () ->
                                        engine.resources()
                                                .replaceOffer(
                                                        READER, offer, new Throughput.Manual(500))),
                        Map.entry(
                                "migrateOffer",
                                () ->
                                        engine.resources()
                                                .migrateOffer(
                                                        READER, offer, Throughput.Mode.AUTOSCALE)),
                        Map.entry(
                                "createScript",
                                () -> engine.resources().scripts().create(READER, c, PROCEDURE)),
                        Map.entry(
                                "replaceScript",
                                () ->
                                        engine.resources()
                                                .scripts()
                                                .replace(
                                                        READER,
                                                        c,
                                                        P,
                                                        PROCEDURE,
                                                        Precondition.NONE)),
                        Map.entry(
                                "deleteScript",
                                () ->
                                        engine.resources()
                                                .scripts()
                                                .delete(
                                                        READER,
                                                        c,
                                                        PROCEDURE.kind(),
                                                        P,
                                                        Precondition.NONE)),
                        Map.entry("writeItem", () -> engine.items().writeItem(READER, c, WRITE)),
                        Map.entry(
                                "writeItem with triggers",
                                () ->
                                        engine.items()
                                                .writeItem(
                                                        READER,
                                                        c,
                                                        WRITE,
                                                        new TriggerNames(
                                                                List.of("t"), List.of(), false))),
                        Map.entry(
                                "execute",
                                () ->
                                        engine.items()
                                                .execute(READER, c, KEY, P, Bytes.EMPTY, false)),
                        Map.entry(
                                "batch",
                                () ->
                                        engine.items()
                                                .batch(
                                                        READER,
                                                        c,
                                                        new ItemBatch.Atomic(
                                                                KEY,
                                                                List.of(
                                                                        new BatchOperation.Write(
                                                                                WRITE))))),
                        Map.entry(
                                "writeFirst",
                                () ->
                                        engine.items()
                                                .writeFirst(
                                                        READER,
                                                        c,
                                                        new FirstWrite(
                                                                KEY,
                                                                ALL,
                                                                new FirstWrite.Change.Take()))),
                        Map.entry("deleteItems", () -> engine.items().deleteItems(READER, c, KEY)),
                        Map.entry("split", () -> engine.operations().splitPartition(READER, c, 0)),
                        Map.entry("merge", () -> engine.operations().mergePartitions(READER, c, 0)),
                        Map.entry(
                                "repair", () -> engine.operations().repairPartition(READER, c, 0)),
                        Map.entry(
                                "redistribute",
                                () ->
                                        engine.operations()
                                                .redistribute(
                                                        READER, c, new Redistribution.Equal())),
                        Map.entry(
                                "setFault",
                                () -> engine.operations().setFault(READER, c, Optional.of(fault))),
                        Map.entry("clear", () -> engine.clear(READER)));
        return changes.entrySet().stream()
                .map(
                        call ->
                                DynamicTest.dynamicTest(
                                        call.getKey(), () -> assertRefused(call.getValue())))
                .onClose(fixture::close);
    }

    @TestFactory
    Stream<DynamicTest> aReadOnlyKeyReadsEverything() {
        EngineFixture fixture = new EngineFixture(directory);
        Gateway engine = fixture.engine;
        ContainerRef.Addressed c = fixture.container("c", 400, "/pk");
        fixture.create(c, BODY.toUtf8());
        engine.resources().scripts().create(EngineFixture.context(), c, PROCEDURE);
        Database database = engine.resources().readDatabase(READER, DATABASE);
        FeedScope all = new FeedScope.Everything();
        ItemBatch reads =
                new ItemBatch.Bulk(
                        List.of(
                                new BatchOperation.Read(
                                        RowKey.ofText("1"), KEY, new Precondition.Impossible())),
                        false,
                        true,
                        OptionalInt.empty());
        Map<String, ThrowingCallable> calls =
                Map.ofEntries(
                        Map.entry(
                                "resolve",
                                () ->
                                        engine.resources()
                                                .resolve(READER, c, ContainerRef.Role.OWNER)),
                        Map.entry(
                                "listDatabases",
                                () -> engine.resources().listDatabases(READER, PageRequest.FIRST)),
                        Map.entry(
                                "listContainers",
                                () ->
                                        engine.resources()
                                                .listContainers(
                                                        READER, database, PageRequest.FIRST)),
                        Map.entry(
                                "listOffers",
                                () -> engine.resources().listOffers(READER, PageRequest.FIRST)),
                        Map.entry(
                                "readPartitionMap",
                                () -> engine.resources().readPartitionMap(READER, c)),
                        Map.entry("readUsage", () -> engine.resources().readUsage(READER, c)),
                        Map.entry("inspect", () -> engine.resources().inspect(READER, c, 1)),
                        Map.entry("findFault", () -> engine.operations().findFault(READER, c)),
                        Map.entry(
                                "readScript",
                                () ->
                                        engine.resources()
                                                .scripts()
                                                .read(READER, c, PROCEDURE.kind(), P)),
                        Map.entry("readItem", () -> engine.items().readItem(READER, c, KEY, ITEM)),
                        Map.entry("readKey", () -> engine.items().readKey(READER, c, KEY)),
                        Map.entry("batch of reads", () -> engine.items().batch(READER, c, reads)),
                        Map.entry(
                                "readItems",
                                () -> engine.items().readItems(READER, c, all, PageRequest.FIRST)),
                        Map.entry(
                                "readChanges",
                                () ->
                                        engine.items()
                                                .readChanges(
                                                        READER,
                                                        c,
                                                        all,
                                                        ChangeRequest.FROM_BEGINNING)),
                        Map.entry(
                                "query",
                                () ->
                                        engine.items()
                                                .query(
                                                        READER,
                                                        c,
                                                        all,
                                                        QueryCall.of(ALL),
                                                        PageRequest.FIRST)));
        return calls.entrySet().stream()
                .map(
                        call ->
                                DynamicTest.dynamicTest(
                                        call.getKey(),
                                        () ->
                                                assertThatCode(call.getValue())
                                                        .doesNotThrowAnyException()))
                .onClose(fixture::close);
    }
}
