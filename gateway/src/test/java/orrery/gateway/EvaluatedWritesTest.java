package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.document.BodyFormat;
import orrery.document.Patch;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.KeyAnswer;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.query.Statement;
import orrery.query.dialect.RowLimit;
import orrery.query.find.FindCondition;
import orrery.query.find.FindQuery;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;
import orrery.query.write.PatchDialect;

/** Evaluated writes and transactions of several requests, through the door. */
class EvaluatedWritesTest {
    private static final PartitionKey NORTH = PartitionKey.ofText("north");

    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Bytes json(String text) {
        return Bytes.ofUtf8(text.replace('\'', '"'));
    }

    private static Evaluation merge(String document) {
        return MergeDialect.evaluation(Body.json(json(document)));
    }

    private static Evaluation increment() {
        return PatchDialect.evaluation(Patch.parse(json("[{'op':'incr','path':'/n','value':1}]")));
    }

    private static ItemWrite.Evaluate evaluate(String id, Evaluation evaluation, Images images) {
        return new ItemWrite.Evaluate(
                new ItemRef.Named(id), NORTH, evaluation, true, images, Precondition.NONE);
    }

    private ItemAnswer write(ContainerRef into, ItemWrite write) {
        return fixture.engine.items().writeItem(EngineFixture.context(), into, write);
    }

    private static ErrorCode refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }

    private static String text(Optional<Item> item) {
        Body shown = item.orElseThrow().content();
        return BodyFormat.of(Encoding.JSON).show(shown).toUtf8().replace('"', '\'');
    }

    /** A document of MongoDB is known by its _id, and SQL's id is a name of it. */
    private static String shown(ContainerKind kind, String rest) {
        return kind == ContainerKind.MONGODB
                ? "{'_id':'i'," + rest + ",'id':'i'}"
                : "{'id':'i'," + rest + "}";
    }

    @ParameterizedTest
    @EnumSource(ContainerKind.class)
    void containersOfAllKindsInsertOrMerge(ContainerKind kind) {
        ContainerRef into =
                fixture.container(kind.name(), 400, EngineFixture.definition("/pk").withKind(kind));

        ItemAnswer inserted =
                write(into, evaluate("i", merge("{'id':'i','pk':'north','a':1}"), Images.BOTH));
        assertThat(inserted.outcome()).isEqualTo(ItemAnswer.Outcome.CREATED);
        assertThat(inserted.before()).isEmpty();

        ItemAnswer merged =
                write(into, evaluate("i", merge("{'id':'i','pk':'north','b':'x'}"), Images.BOTH));
        assertThat(merged.outcome()).isEqualTo(ItemAnswer.Outcome.REPLACED);
        assertThat(text(merged.before())).isEqualTo(shown(kind, "'pk':'north','a':1"));
        assertThat(text(merged.item())).isEqualTo(shown(kind, "'pk':'north','a':1,'b':'x'"));

        ItemAnswer taken =
                write(into, new ItemWrite.Take(new ItemRef.Named("i"), NORTH, Precondition.NONE));
        assertThat(taken.outcome()).isEqualTo(ItemAnswer.Outcome.DELETED);
        assertThat(taken.before()).isEqualTo(merged.item());
    }

    @Test
    void aBulkShowsImagesToo() {
        fixture.create(container, "{\"id\":\"i\",\"pk\":\"north\",\"n\":1}");
        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Bulk(
                                        List.of(
                                                new BatchOperation.Write(
                                                        evaluate("i", increment(), Images.BOTH)),
                                                new BatchOperation.Write(
                                                        new ItemWrite.Take(
                                                                new ItemRef.Named("i"),
                                                                NORTH,
                                                                Precondition.NONE))),
                                        true,
                                        true));

        assertThat(text(done(answer, 0).before())).isEqualTo("{'id':'i','pk':'north','n':1}");
        assertThat(text(done(answer, 0).item())).isEqualTo("{'id':'i','pk':'north','n':2}");
        assertThat(text(done(answer, 1).before())).isEqualTo("{'id':'i','pk':'north','n':2}");
    }

    private static BatchAnswer.Result.Done done(BatchAnswer answer, int operation) {
        return (BatchAnswer.Result.Done) answer.results().get(operation);
    }

    @Test
    void aPayloadMayBeAsLongAsARequestAndNoLonger() {
        int most = ContainerKind.DOCUMENT.limits().maxRequestBytes();
        // A payload that no dialect can read gets that far, and one byte more does not.
        assertThat(refusal(() -> write(container, payload(most)))).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(() -> write(container, payload(most + 1))))
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    private static ItemWrite payload(int length) {
        return evaluate("i", new Evaluation(1, 1, Bytes.wrap(new byte[length])), Images.NONE);
    }

    @Test
    void theFirstThatMatchesIsWritten() {
        fixture.create(container, "{\"id\":\"a\",\"pk\":\"north\",\"n\":5}");
        fixture.create(container, "{\"id\":\"b\",\"pk\":\"north\",\"n\":3}");
        fixture.create(container, "{\"id\":\"c\",\"pk\":\"south\",\"n\":1}");
        Statement least =
                SqlStatement.parse(
                        "SELECT * FROM c WHERE c.n > @n ORDER BY c.n", Map.of("@n", Value.of(0)));

        ItemAnswer written =
                first(new FirstWrite.Change.Evaluate(increment(), false, Images.BOTH), least);
        assertThat(text(written.before())).isEqualTo("{'id':'b','pk':'north','n':3}");
        assertThat(text(written.item())).isEqualTo("{'id':'b','pk':'north','n':4}");

        assertThat(text(first(new FirstWrite.Change.Take(), least).before())).contains("'b'");
        assertThat(text(first(new FirstWrite.Change.Take(), least).before())).contains("'a'");
        assertThat(refusal(() -> first(new FirstWrite.Change.Take(), least)))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    /** The rows of this language are BSON, and show no more of an item than a field. */
    @ParameterizedTest
    @EnumSource(ContainerKind.class)
    void aSearchMayBeInALanguageOverBson(ContainerKind kind) {
        ContainerRef into =
                fixture.container(kind.name(), 400, EngineFixture.definition("/pk").withKind(kind));
        for (int i = 0; i < 3; i++) {
            String id = "i" + i;
            write(
                    into,
                    evaluate(
                            id,
                            merge("{'id':'%s','pk':'north','n':%d,'s':'x'}".formatted(id, i)),
                            Images.NONE));
        }
        FirstWrite take =
                new FirstWrite(
                        NORTH,
                        new FindQuery(
                                List.of(
                                        new FindCondition(
                                                "n", FindCondition.Test.GREATER, Value.of(0))),
                                List.of(),
                                List.of("s"),
                                false,
                                Optional.empty(),
                                RowLimit.NONE),
                        new FirstWrite.Change.Take());

        for (int i = 1; i < 3; i++) {
            ItemAnswer taken =
                    fixture.engine.items().writeFirst(EngineFixture.context(), into, take);
            assertThat(text(taken.before())).contains("'n':" + i);
        }
        assertThat(
                        refusal(
                                () ->
                                        fixture.engine
                                                .items()
                                                .writeFirst(EngineFixture.context(), into, take)))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    private ItemAnswer first(FirstWrite.Change change, Statement search) {
        return fixture.engine
                .items()
                .writeFirst(
                        EngineFixture.context(), container, new FirstWrite(NORTH, search, change));
    }

    @Test
    void aReadOnlyKeyWritesNothing() {
        RequestContext reader = EngineFixture.readOnly();
        FirstWrite take =
                new FirstWrite(
                        NORTH,
                        SqlStatement.parse("SELECT * FROM c", Map.of()),
                        new FirstWrite.Change.Take());

        assertThat(refusal(() -> fixture.engine.items().writeFirst(reader, container, take)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(fixture.engine.items().readKey(reader, container, NORTH).lastWrite()).isZero();
    }

    @Test
    void aTransactionIsCarriedOutUnlessItsKeyChanged() {
        fixture.create(container, "{\"id\":\"a\",\"pk\":\"north\"}");
        KeyAnswer begun = begin();
        fixture.create(container, "{\"id\":\"x\",\"pk\":\"south\"}");

        BatchAnswer committed = commit(begun.lastWrite(), "b");
        assertThat(committed.isRefused()).isFalse();
        assertThat(committed.keyLsn()).hasValue(begin().lastWrite());
        assertThat(refusal(() -> commit(begun.lastWrite(), "c"))).isEqualTo(ErrorCode.KEY_CHANGED);
        assertThat(commit(committed.keyLsn().orElseThrow(), "c").isRefused()).isFalse();
    }

    /** The LSN of a key outlives the partition in which it was read. */
    @Test
    void aTransactionOutlivesASplit() {
        for (int i = 0; i < 20; i++) {
            fixture.create(container, "{\"id\":\"i\",\"pk\":\"k" + i + "\"}");
        }
        fixture.create(container, "{\"id\":\"a\",\"pk\":\"north\"}");
        KeyAnswer begun = begin();
        fixture.engine
                .operations()
                .splitPartition(EngineFixture.context(), container, begun.range());

        assertThat(begin().range()).isNotEqualTo(begun.range());
        assertThat(begin().lastWrite()).isEqualTo(begun.lastWrite());
        assertThat(commit(begun.lastWrite(), "b").isRefused()).isFalse();
        assertThat(refusal(() -> commit(begun.lastWrite(), "c"))).isEqualTo(ErrorCode.KEY_CHANGED);
    }

    private KeyAnswer begin() {
        return fixture.engine.items().readKey(EngineFixture.context(), container, NORTH);
    }

    private BatchAnswer commit(long expected, String id) {
        return fixture.engine
                .items()
                .batch(
                        EngineFixture.context(),
                        container,
                        new ItemBatch.Atomic(
                                NORTH,
                                List.of(
                                        new BatchOperation.Write(
                                                evaluate(
                                                        id,
                                                        merge("{'id':'" + id + "','pk':'north'}"),
                                                        Images.NONE)),
                                        new BatchOperation.Read(
                                                id, NORTH, new Precondition.Impossible())),
                                OptionalLong.of(expected)));
    }
}
