package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonPointer;
import orrery.document.Patch;
import orrery.document.PatchOperation;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.fake.FakeItems;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.sql.PatchCondition;
import orrery.query.syntax.QueryParser;
import orrery.query.write.Evaluation;
import orrery.query.write.PatchDialect;

final class PatchJsonTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String OPERATIONS = "[{'op':'remove','path':'/n'}]";
    private static final Patch REMOVE =
            new Patch(List.of(new PatchOperation.Remove(JsonPointer.parse("/n").orElseThrow())));

    private final FakeItems items = new FakeItems();
    private final TestClient client = TestClient.withContainer(items);

    private static Evaluation parse(String json) {
        return PatchJson.parse(Bytes.ofUtf8(json.replace('\'', '"')), 1);
    }

    private static OrreryException refusal(String json) {
        return catchThrowableOfType(OrreryException.class, () -> parse(json));
    }

    @Test
    void aPatchHasTwoForms() {
        Evaluation bare = PatchDialect.evaluation(REMOVE);

        assertThat(parse(OPERATIONS)).isEqualTo(bare);
        assertThat(parse("{'operations':" + OPERATIONS + "}")).isEqualTo(bare);
        assertThat(parse("{'operations':" + OPERATIONS + ",'condition':null}")).isEqualTo(bare);
        assertThat(parse("{'condition':'from c where c.n = 1','operations':" + OPERATIONS + "}"))
                .isEqualTo(
                        PatchDialect.evaluation(
                                REMOVE, Optional.of(PatchCondition.parse("from c where c.n = 1"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "'a'",
                "{}",
                "[]",
                "{'operations':{}}",
                "{'operations':[],'condition':'from c'}",
                "{'operations':[{'op':'remove','path':'/a'}],'condition':1}",
                "{'operations':[{'op':'remove','path':'/a'}],'condition':''}",
                "{'operations':[{'op':'remove','path':'/a'}],'condition':' '}",
                "{'operations':[{'op':'remove','path':'/a'}],'conditions':'from c'}",
                "{",
            })
    void anythingElseIsABadRequest(String json) {
        assertThat(refusal(json).code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    /** The engine is sent a tree, so a text that is none is refused before it is asked. */
    @Test
    void aConditionIsParsedHere() {
        OrreryException refusal =
                refusal("{'operations':" + OPERATIONS + ",'condition':'from where'}");

        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal.text()).contains("SC1001", "\"start\":5");
        assertThat(
                        refusal(
                                        "{'operations':"
                                                + OPERATIONS
                                                + ",'condition':'from c join t in c.t'}")
                                .code())
                .isEqualTo(ErrorCode.NOT_IMPLEMENTED);
    }

    @Test
    void aConditionHasTheLengthOfAQuery() {
        String start = "from c where c.n = \\\"";
        int room = QueryParser.MAX_TEXT - "from c where c.n = \"\"".length();

        assertThat(parse(conditioned(start + "x".repeat(room) + "\\\"")).payload().length())
                .isLessThan(QueryParser.MAX_TEXT + 200);
        assertThat(refusal(conditioned(start + "x".repeat(room + 1) + "\\\"")).text())
                .contains("maximum limit of 524288 characters");
    }

    private static String conditioned(String condition) {
        return "{\"operations\":" + OPERATIONS + ",\"condition\":\"" + condition + "\"}";
    }

    @Test
    void aConditionDecides() {
        client.post(DOCS, "{\"id\":\"1\",\"pk\":\"a\",\"n\":1}");

        assertThat(patch("from c where c.n = 2").status()).isEqualTo(412);
        Reply done = patch("from c where c.n = 1");
        assertThat(done.status()).isEqualTo(200);
        assertThat(done.member("n")).isEqualTo(Value.Undefined.UNDEFINED);
        for (String noCondition : List.of("where", "", "  ")) {
            assertThat(patch(noCondition).status()).isEqualTo(400);
        }
    }

    private Reply patch(String condition) {
        return client.call(
                "PATCH",
                DOCS + "/1",
                conditioned(condition).replace('\'', '"'),
                "x-ms-documentdb-partitionkey",
                "[\"a\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"where", "", " "})
    void inABatchAPatchThatIsNoneFailsItsOperation(String condition) {
        client.post(
                DOCS,
                """
                [{"operationType":"Create","resourceBody":{"id":"1","pk":"a"}},
                 {"operationType":"Patch","id":"1","resourceBody":
                   {"operations":[{"op":"remove","path":"/n"}],"condition":"%s"}}]
                """
                        .formatted(condition),
                "x-ms-cosmos-is-batch-request",
                "True",
                "x-ms-cosmos-batch-atomic",
                "True",
                "x-ms-documentdb-partitionkey",
                "[\"a\"]");

        BatchOperation patch = items.batches.getLast().operations().getLast();
        assertThat(patch)
                .isInstanceOfSatisfying(
                        BatchOperation.Refused.class,
                        refused ->
                                assertThat(refused.reason().code())
                                        .isEqualTo(ErrorCode.BAD_REQUEST));
    }
}
