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
        engine.scripts().create(EngineFixture.context(), c, PROCEDURE);
        Container container = engine.readContainer(READER, c);
        ResourceId offer = engine.findOffer(READER, container.rid()).orElseThrow().rid();
        Fault fault = new Fault(ErrorCode.TIMEOUT, new Fault.Extent.Next(1));
        Map<String, ThrowingCallable> changes =
                Map.ofEntries(
                        Map.entry(
                                "createDatabase",
                                () -> engine.createDatabase(READER, "x", Optional.empty())),
                        Map.entry(
                                "deleteDatabase",
                                () -> engine.deleteDatabase(READER, DATABASE, Precondition.NONE)),
                        Map.entry(
                                "createContainer",
                                () ->
                                        engine.createContainer(
                                                READER,
                                                DATABASE,
                                                "x",
                                                container.definition(),
                                                Optional.empty())),
                        Map.entry(
                                "replaceContainer",
                                () ->
                                        engine.replaceContainer(
                                                READER,
                                                c,
                                                container.definition(),
                                                Precondition.NONE)),
                        Map.entry(
                                "deleteContainer",
                                () -> engine.deleteContainer(READER, c, Precondition.NONE)),
                        Map.entry(
                                "replaceOffer",
                                () ->
                                        engine.replaceOffer(
                                                READER, offer, new Throughput.Manual(500))),
                        Map.entry(
                                "migrateOffer",
                                () ->
                                        engine.migrateOffer(
                                                READER, offer, Throughput.Mode.AUTOSCALE)),
                        Map.entry(
                                "createScript",
                                () -> engine.scripts().create(READER, c, PROCEDURE)),
                        Map.entry(
                                "replaceScript",
                                () ->
                                        engine.scripts()
                                                .replace(
                                                        READER,
                                                        c,
                                                        P,
                                                        PROCEDURE,
                                                        Precondition.NONE)),
                        Map.entry(
                                "deleteScript",
                                () ->
                                        engine.scripts()
                                                .delete(
                                                        READER,
                                                        c,
                                                        PROCEDURE.kind(),
                                                        P,
                                                        Precondition.NONE)),
                        Map.entry("writeItem", () -> engine.writeItem(READER, c, WRITE)),
                        Map.entry(
                                "writeItem with triggers",
                                () ->
                                        engine.writeItem(
                                                READER,
                                                c,
                                                WRITE,
                                                new TriggerNames(List.of("t"), List.of(), false))),
                        Map.entry(
                                "execute",
                                () -> engine.execute(READER, c, KEY, P, Bytes.EMPTY, false)),
                        Map.entry(
                                "batch",
                                () ->
                                        engine.batch(
                                                READER,
                                                c,
                                                new ItemBatch.Atomic(
                                                        KEY,
                                                        List.of(new BatchOperation.Write(WRITE))))),
                        Map.entry("deleteItems", () -> engine.deleteItems(READER, c, KEY)),
                        Map.entry("split", () -> engine.splitPartition(READER, c, 0)),
                        Map.entry("merge", () -> engine.mergePartitions(READER, c, 0)),
                        Map.entry("repair", () -> engine.repairPartition(READER, c, 0)),
                        Map.entry(
                                "redistribute",
                                () -> engine.redistribute(READER, c, new Redistribution.Equal())),
                        Map.entry("setFault", () -> engine.setFault(READER, c, Optional.of(fault))),
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
        engine.scripts().create(EngineFixture.context(), c, PROCEDURE);
        Database database = engine.readDatabase(READER, DATABASE);
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
                                () -> engine.resolve(READER, c, ContainerRef.Role.OWNER)),
                        Map.entry(
                                "listDatabases",
                                () -> engine.listDatabases(READER, PageRequest.FIRST)),
                        Map.entry(
                                "listContainers",
                                () -> engine.listContainers(READER, database, PageRequest.FIRST)),
                        Map.entry("listOffers", () -> engine.listOffers(READER, PageRequest.FIRST)),
                        Map.entry("readPartitionMap", () -> engine.readPartitionMap(READER, c)),
                        Map.entry("readUsage", () -> engine.readUsage(READER, c)),
                        Map.entry("inspect", () -> engine.inspect(READER, c, 1)),
                        Map.entry("findFault", () -> engine.findFault(READER, c)),
                        Map.entry(
                                "readScript",
                                () -> engine.scripts().read(READER, c, PROCEDURE.kind(), P)),
                        Map.entry("readItem", () -> engine.readItem(READER, c, KEY, ITEM)),
                        Map.entry("batch of reads", () -> engine.batch(READER, c, reads)),
                        Map.entry(
                                "readItems",
                                () -> engine.readItems(READER, c, all, PageRequest.FIRST)),
                        Map.entry(
                                "readChanges",
                                () ->
                                        engine.readChanges(
                                                READER, c, all, ChangeRequest.FROM_BEGINNING)),
                        Map.entry(
                                "query",
                                () ->
                                        engine.query(
                                                READER,
                                                c,
                                                all,
                                                QueryCall.of(
                                                        SqlStatement.parse(
                                                                "SELECT * FROM c", Map.of())),
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
