package orrery.query.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.document.BodyFormat;
import orrery.document.Patch;
import orrery.document.PatchCodec;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryWriter;
import orrery.query.EncodedQuery;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.sql.PatchCondition;
import orrery.query.sql.SqlStatement;

class WriteDialectsTest {
    private static final ContainerDefinition DEFINITION =
            new ContainerDefinition(
                    new PartitionKeyDefinition(
                            List.of(PropertyPath.parse("/pk")),
                            PartitionKeyDefinition.Kind.HASH,
                            2,
                            false),
                    IndexingPolicy.DEFAULT,
                    ContainerDefinition.ConflictResolution.DEFAULT,
                    ContainerDefinition.Geospatial.GEOGRAPHY);

    private static final Patch INCREMENT =
            Patch.parse(Bytes.ofUtf8("[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]"));

    private static final Evaluation PATCH =
            PatchDialect.evaluation(
                    INCREMENT,
                    Optional.of(PatchCondition.parse("from c where c.n = 1 and c._ts = 7")));

    private static EvaluationPlace place(ContainerKind kind) {
        return new EvaluationPlace(
                ResourceId.ofContainer(1, 2),
                DEFINITION.withKind(kind),
                ComputedProperties.NONE,
                7_000);
    }

    private static Optional<Item> item(ContainerKind kind, String json) {
        Bytes body = BodyFormat.of(kind.encoding()).accept(Body.json(Bytes.ofUtf8(json)));
        return Optional.of(new Item(5, new Etag(1, 2), 7_000, 9, kind.encoding(), body));
    }

    private static ItemUpdate read(Evaluation evaluation, ContainerKind kind) {
        return WriteDialects.STANDARD.read(evaluation, place(kind));
    }

    private static OrreryException refusal(Evaluation evaluation) {
        return catchThrowableOfType(
                OrreryException.class, () -> read(evaluation, ContainerKind.DOCUMENT));
    }

    private static String json(ContainerKind kind, Optional<Bytes> body) {
        return BodyFormat.of(kind.encoding()).toJson(body.orElseThrow()).toUtf8();
    }

    /**
     * The item in JSON. A document of MongoDB is known by its _id, and SQL's id is a name of it.
     */
    private static String shown(ContainerKind kind, String rest) {
        return kind == ContainerKind.MONGODB
                ? "{\"_id\":\"i\"," + rest + ",\"id\":\"i\"}"
                : "{\"id\":\"i\"," + rest + "}";
    }

    @Test
    void anUnknownDialectIsRefusedWithItsNumber() {
        OrreryException refusal = refusal(new Evaluation(99, 1, Bytes.EMPTY));

        assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED);
        assertThat(refusal.text()).isEqualTo("This server does not know the write dialect 99.");
    }

    @Test
    void aLaterVersionIsRefusedWithTheNewestThatIsKnown() {
        OrreryException refusal = refusal(new Evaluation(1, 2, PATCH.payload()));

        assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED);
        assertThat(refusal.text()).contains("up to version 1").contains("has version 2");
    }

    @Test
    void aPayloadThatIsNotOneIsRefused() {
        for (int dialect = 1; dialect <= 2; dialect++) {
            OrreryException refusal = refusal(new Evaluation(dialect, 1, Bytes.ofHex("01FF")));

            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            assertThat(refusal.text()).contains("dialect " + dialect).contains("cannot be read");
        }
    }

    @Test
    void numbersAreOneByteAndNotGivenTwice() {
        assertThat(new Evaluation(255, 255, Bytes.EMPTY).dialect()).isEqualTo(255);
        assertThatIllegalArgumentException().isThrownBy(() -> new Evaluation(256, 1, Bytes.EMPTY));
        assertThatIllegalArgumentException().isThrownBy(() -> new Evaluation(1, 0, Bytes.EMPTY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WriteDialects.STANDARD.with(PatchDialect.INSTANCE));
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCUMENT", "MONGODB"})
    void aPatchIsMadeWhereItsConditionHolds(ContainerKind kind) {
        ItemUpdate patch = read(PATCH, kind);

        assertThat(json(kind, patch.bodyAfter(item(kind, "{\"id\":\"i\",\"pk\":\"a\",\"n\":1}"))))
                .isEqualTo(shown(kind, "\"pk\":\"a\",\"n\":2"));
        assertThat(patch.bodyAfter(item(kind, "{\"id\":\"i\",\"pk\":\"a\",\"n\":5}"))).isEmpty();
    }

    /**
     * A leader reads a tree. It does not parse, and it takes no tree for a condition that is more.
     */
    @Test
    void aConditionIsTheTreeOfAFromAndAWhere() {
        assertThat(PATCH.payload().toUtf8()).doesNotContain("where");
        assertThat(refusal(conditioned(SqlStatement.parse("SELECT * FROM c", Map.of()).encoded())))
                .isNull();
        for (String more :
                List.of(
                        "SELECT * FROM c ORDER BY c.n",
                        "SELECT c.n FROM c",
                        "SELECT TOP 1 * FROM c")) {
            OrreryException refusal =
                    refusal(conditioned(SqlStatement.parse(more, Map.of()).encoded()));
            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            assertThat(refusal.text()).contains("a condition has a FROM and a WHERE only");
        }
        assertThat(refusal(conditioned(new EncodedQuery("ssql", 1, Bytes.EMPTY))).text())
                .contains("does not know the query language 'ssql'");
    }

    private static Evaluation conditioned(EncodedQuery condition) {
        BinaryWriter out = new BinaryWriter().bool(true);
        condition.write(out);
        return new Evaluation(1, 1, out.bytes(PatchCodec.encode(INCREMENT)).toBytes());
    }

    @Test
    void aPatchCreatesNothing() {
        OrreryException refusal =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> read(PATCH, ContainerKind.DOCUMENT).bodyAfter(Optional.empty()));

        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCUMENT", "TABLE", "MONGODB"})
    void aMergePutsPropertiesOverThoseThatAreThere(ContainerKind kind) {
        Body document =
                Body.json(Bytes.ofUtf8("{\"id\":\"i\",\"pk\":\"a\",\"o\":{\"x\":1},\"new\":null}"));
        ItemUpdate merge = read(MergeDialect.evaluation(document), kind);

        assertThat(
                        json(
                                kind,
                                merge.bodyAfter(
                                        item(
                                                kind,
                                                "{\"id\":\"i\",\"pk\":\"a\",\"o\":{\"y\":2},\"kept\":[1]}"))))
                .isEqualTo(shown(kind, "\"pk\":\"a\",\"o\":{\"x\":1},\"kept\":[1],\"new\":null"));
        assertThat(json(kind, merge.bodyAfter(Optional.empty())))
                .isEqualTo(shown(kind, "\"pk\":\"a\",\"o\":{\"x\":1},\"new\":null"));
    }

    /** Values that JSON lacks stay what they are in a container that keeps them. */
    @Test
    void aMergeTakesADocumentInBson() {
        Bytes bson =
                BodyFormat.of(Encoding.BSON)
                        .accept(
                                Body.json(
                                        Bytes.ofUtf8(
                                                "{\"_id\":\"i\",\"pk\":\"a\",\"n\":{\"$numberLong\":\"7\"}}")));
        ItemUpdate merge =
                read(MergeDialect.evaluation(new Body(Encoding.BSON, bson)), ContainerKind.MONGODB);

        assertThat(merge.bodyAfter(Optional.empty())).contains(bson);
    }

    @Test
    void aDocumentThatIsTooLargeIsNotMerged() {
        String start = "{\"id\":\"i\",\"pk\":\"a\",\"s\":\"";
        int room = (2 << 20) - start.length() - 2;
        assertThat(read(merge(start + "x".repeat(room) + "\"}"), ContainerKind.DOCUMENT))
                .isNotNull();
        assertThat(refusal(merge(start + "x".repeat(room + 1) + "\"}")).code())
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    private static Evaluation merge(String json) {
        return MergeDialect.evaluation(Body.json(Bytes.ofUtf8(json)));
    }
}
