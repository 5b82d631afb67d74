package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.fake.FakeItems;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.security.AccountKeys;

/** Batches in both of their encodings. */
final class SqlBatchTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String SEGMENT = "81F0D8FF7F010A000000";

    private final FakeItems items = new FakeItems();
    private final TestClient client = TestClient.withContainer(items);

    @Test
    void everyOperationIsAskedAndAnswered() {
        Reply reply =
                atomic(
                        """
                        [{'operationType':'Create','resourceBody':{'id':'1','pk':'a','n':1.50}},
                         {'operationType':'Upsert','resourceBody':{'id':'2','pk':'a'}},
                         {'operationType':'Read','id':'1'},
                         {'operationType':'Replace','id':'2','resourceBody':{'id':'2','pk':'a','v':1}},
                         {'operationType':'Patch','id':'2','resourceBody':{'operations':
                            [{'op':'set','path':'/x','value':1}]}},
                         {'operationType':'Delete','id':'1'}]
                        """);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(statuses(reply)).containsExactly(201, 201, 200, 200, 200, 204);
        assertThat(reply.text()).contains("\"n\":1.50", "\"_rid\":", "\"eTag\":\"\\\"");
        assertThat(member(reply, 5, "resourceBody")).isEqualTo(Value.Undefined.UNDEFINED);
        assertThat(member(reply, 0, "subStatusCode")).isEqualTo(Value.of(0));
        assertThat(reply.header("x-ms-session-token")).startsWith("0:");
        assertThat(reply.header("x-ms-request-charge")).isNotEmpty();
        assertThat(reply.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
        assertThat(((ItemBatch.Atomic) items.batches.getFirst()).key())
                .isEqualTo(PartitionKey.ofText("a"));
    }

    @Test
    void aBatchThatFailsIsMultiStatus() {
        Reply reply =
                atomic(
                        """
                        [{'operationType':'Create','resourceBody':{'id':'1','pk':'a'}},
                         {'operationType':'Read','id':'gone'}]
                        """);
        assertThat(reply.status()).isEqualTo(207);
        assertThat(statuses(reply)).containsExactly(424, 404);
        assertThat(reply.header("x-ms-session-token")).startsWith("0:");
        assertThat(reply.header("x-ms-documentdb-partitionkeyrangeid")).isEqualTo("0");
        assertThat(reply.header("lsn")).containsOnlyDigits();
        assertThat(reply.has("x-ms-content-path")).isFalse();
    }

    /** The Java client has no other field for it. */
    @Test
    void aReadThatMatchesTheVersionOfTheClientIsNotModified() {
        Reply reply =
                atomic(
                        """
                        [{'operationType':'Create','resourceBody':{'id':'1','pk':'a'}},
                         {'operationType':'Read','id':'1','ifMatch':'*'},
                         {'operationType':'Read','id':'1','ifMatch':'other'}]
                        """);
        assertThat(statuses(reply)).containsExactly(201, 304, 200);
    }

    @Test
    void aBulkForAContainerThatIsGoneIsNotFound() {
        Reply bulk =
                client.post(
                        "/dbs/d/colls/gone/docs",
                        "[]",
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-atomic",
                        "False");
        assertThat(bulk.status()).isEqualTo(404);
        assertThat(bulk.header("x-ms-substatus")).isEqualTo("0");
    }

    @Test
    void aBulkWhoseContainerGoesMeanwhileKeepsItsChargeAndItsToken() {
        items.nextFailure =
                Optional.of(
                        new OrreryException(ErrorCode.OWNER_NOT_FOUND, "gone")
                                .withProgress(
                                        new Charge(1, 1, 1024, 0, 0, 1, 1.5, 0, 0),
                                        SessionToken.of(3, 77)));
        Reply bulk =
                client.post(
                        DOCS,
                        "[{\"operationType\":\"Read\",\"id\":\"1\",\"partitionKey\":\"[\\\"a\\\"]\"}]",
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-atomic",
                        "False");
        assertThat(bulk.status()).isEqualTo(404);
        assertThat(bulk.header("x-ms-substatus")).isEqualTo("0");
        assertThat(bulk.header("x-ms-request-charge")).isEqualTo("1.50");
        assertThat(bulk.header("x-ms-session-token")).isEqualTo("3:-1#77");
    }

    @Test
    void aBulkNamesAKeyForEach() {
        Reply reply =
                client.post(
                        DOCS,
                        json(
                                """
                                [{'operationType':'Create','partitionKey':'[\\'a\\']',
                                  'resourceBody':{'id':'1','pk':'a'}},
                                 {'operationType':'Read','id':'1','partitionKey':'[\\'a\\']',
                                  'ifNoneMatch':'*'},
                                 {'operationType':'Read','id':'1','partitionKey':'[\\'b\\']'}]
                                """),
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-atomic",
                        "False",
                        "x-ms-cosmos-batch-continue-on-error",
                        "True",
                        "x-ms-documentdb-partitionkeyrangeid",
                        "0");
        assertThat(statuses(reply)).containsExactly(201, 304, 404);
        ItemBatch.Bulk bulk = (ItemBatch.Bulk) items.batches.getFirst();
        assertThat(bulk.continueOnError()).isTrue();
        assertThat(bulk.inOrder()).isFalse();
    }

    @Test
    void preconditionsAndPreferencesBelongToTheirOperation() {
        Reply reply =
                atomic(
                        """
                        [{'operationType':'Create','resourceBody':{'id':'1','pk':'a'},
                          'minimalReturnPreference':true},
                         {'operationType':'Delete','id':'1','ifMatch':'*','ifNoneMatch':null}]
                        """);
        assertThat(member(reply, 0, "resourceBody")).isEqualTo(Value.Undefined.UNDEFINED);
        assertThat(member(reply, 0, "eTag")).isInstanceOf(Value.Text.class);
        BatchOperation delete = items.batches.getFirst().operations().get(1);
        assertThat(((ItemWrite.Delete) ((BatchOperation.Write) delete).write()).precondition())
                .isEqualTo(new Precondition.Exists());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "[1]",
                "[",
                "[{'operationType':'Query'}]",
                "[{'id':'1'}]",
                "[{'operationType':'Read'}]",
                "[{'operationType':'Create'}]",
                "[{'operationType':'Read','id':1}]",
                "[{'operationType':'Read','id':'1','ttl':5}]",
                "[{'operationType':'Read','id':'1','partitionKey':'a'}]",
                "[{'operationType':'Read','id':'1','minimalReturnPreference':'yes'}]",
            })
    void whatCannotBeReadIsRefused(String body) {
        assertThat(atomic(body).status()).isEqualTo(400);
    }

    @Test
    void headersMustMakeSense() {
        String read = json("[{'operationType':'Read','id':'1'}]");
        assertThat(
                        client.post(
                                        DOCS,
                                        read,
                                        "x-ms-cosmos-is-batch-request",
                                        "true",
                                        "x-ms-cosmos-batch-atomic",
                                        "true")
                                .status())
                .isEqualTo(400);
        assertThat(
                        client.post(
                                        DOCS,
                                        read,
                                        "x-ms-cosmos-is-batch-request",
                                        "true",
                                        "x-ms-cosmos-batch-atomic",
                                        "perhaps",
                                        "x-ms-documentdb-partitionkey",
                                        "[\"a\"]")
                                .status())
                .isEqualTo(400);
        assertThat(
                        client.post(
                                        DOCS,
                                        read,
                                        "x-ms-cosmos-is-batch-request",
                                        "true",
                                        "x-ms-cosmos-batch-atomic",
                                        "true",
                                        "x-ms-cosmos-batch-continue-on-error",
                                        "true",
                                        "x-ms-documentdb-partitionkey",
                                        "[\"a\"]")
                                .status())
                .isEqualTo(400);
    }

    @Test
    void aBatchHasTwoMegabytesAtMost() {
        String head = "[{'operationType':'Upsert','resourceBody':{'id':'1','pk':'a','s':'";
        int room = (2 << 20) - head.length() - "'}}]".length();

        assertThat(atomic(head + "x".repeat(room) + "'}}]").status()).isEqualTo(200);
        assertThat(atomic(head + "x".repeat(room + 1) + "'}}]").status()).isEqualTo(413);
    }

    @Test
    void aBatchHasAHundredOperationsAtMost() {
        String read = "{'operationType':'Read','id':'1'}";
        assertThat(atomic("[" + (read + ",").repeat(99) + read + "]").status()).isEqualTo(207);
        assertThat(atomic("[" + (read + ",").repeat(100) + read + "]").status()).isEqualTo(400);
    }

    // Rows

    @Test
    void aRowIsReadAsTheReferenceWritesIt() {
        List<BatchLine> lines =
                BatchRows.parse(
                        Bytes.ofHex(
                                SEGMENT
                                        + "81F1D8FF7F19000000832FCDF9"
                                        + "817054E17F4300000000020000000A7B226964223A2231227D"));
        assertThat(lines)
                .containsExactly(
                        new BatchLine(
                                BatchLine.Type.CREATE,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                Optional.of(Bytes.ofUtf8("{\"id\":\"1\"}"))));
    }

    @Test
    void everyColumnOfARowIsRead() {
        // Replace of "1" under ["a"], if it is "e", without an answer.
        String row =
                "817054E17F"
                        + "57" // operationType, resourceType, partitionKey, id, resourceBody
                        + "0500000002000000"
                        + "055B2261225D"
                        + "0131"
                        + "0A7B226964223A2231227D"
                        + "1409"
                        + "03226522"
                        + "030C";
        assertThat(BatchRows.parse(stream(row)))
                .containsExactly(
                        new BatchLine(
                                BatchLine.Type.REPLACE,
                                Optional.of("1"),
                                Optional.of(PartitionKey.ofText("a")),
                                Optional.of("\"e\""),
                                Optional.empty(),
                                true,
                                Optional.of(Bytes.ofUtf8("{\"id\":\"1\"}"))));
    }

    /** The reference's row has a body without system properties; without one it reads the same. */
    @Test
    void aResultIsWrittenAsTheReferenceWritesIt() {
        Charge charge = new Charge(1, 0, 0, 0, 0, 1, 6.29, 0, 0);
        BatchLineResult result =
                new BatchLineResult(
                        201,
                        0,
                        charge,
                        Optional.of("\"e\""),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty());
        String row = "817154E17F" + "07" + "C900000000000000" + "03226522" + "1006295C8FC2F5281940";

        assertThat(BatchRows.write(List.of(result), system())).isEqualTo(stream(row));
    }

    @Test
    void aRefusalSaysWhenToComeBack() {
        BatchLineResult result =
                BatchLineResult.of(
                        new Result.Refused(
                                new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "Later.")
                                        .withRetryAfter(Duration.ofMillis(300))),
                        false);
        String row =
                "817154E17F" + "03" + "AD010000800C0000" + "0B052C010000" + "10060000000000000000";

        assertThat(BatchRows.write(List.of(result), system())).isEqualTo(stream(row));
        assertThat(BatchJson.write(List.of(result), system()).toUtf8())
                .isEqualTo(
                        "[{\"statusCode\":429,\"subStatusCode\":3200,\"requestCharge\":0,"
                                + "\"retryAfterMilliseconds\":300,\"message\":\"Later.\"}]");
    }

    @Test
    void rowsAreAnsweredByRows() {
        String row =
                "817054E17F430000000002000000"
                        + "13"
                        + Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}").toHex();
        Bytes body = stream(row);
        Headers headers =
                Headers.builder()
                        .add("Host", "db.example:8081")
                        .add("x-ms-date", TestClient.DATE)
                        .add("x-ms-version", "2020-07-15")
                        .add(
                                "authorization",
                                TestClient.sign(
                                        AccountKeys.WELL_KNOWN_KEY, "POST", DOCS, TestClient.DATE))
                        .add("x-ms-cosmos-is-batch-request", "True")
                        .add("x-ms-cosmos-batch-atomic", "True")
                        .add("x-ms-cosmos-batch-ordered", "True")
                        .add("x-ms-documentdb-partitionkey", "[\"a\"]")
                        .build();
        HttpRequest plain = TestClient.request("POST", DOCS, headers, "");
        Reply reply =
                client.send(
                        new HttpRequest(
                                plain.method(),
                                plain.path(),
                                "",
                                headers,
                                body,
                                "https",
                                "db.example:8081",
                                plain.local(),
                                plain.remote()));

        assertThat(reply.status()).isEqualTo(200);
        ByteSink bytes = new ByteSink();
        reply.http().body().forEach(bytes::put);
        String hex = bytes.toBytes().toHex();
        assertThat(hex).startsWith(SEGMENT + "81F1D8FF7F");
        assertThat(hex).contains("817154E17F0FC900000000000000");
        assertThat(reply.header("Content-Type")).isEqualTo("application/octet-stream");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "81",
                "81F0D8FF7F010B000000",
                "81F0D8FF7F010A00000081F1D8FF7F19000000832FCDF8817054E17F43000000000200"
                        + "00000A7B226964223A2231227D",
                "81F0D8FF7F010A00000081F1D8FF7FFFFFFFFF832FCDF9",
                "81F0D8FF7F010A00000081F1D8FF7F19000000832FCDF981",
            })
    void rowsThatCannotBeReadAreRefused(String hex) {
        assertThatThrownBy(() -> BatchRows.parse(Bytes.ofHex(hex)))
                .isInstanceOf(OrreryException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Another type of resource, another schema, an unknown type of operation.
                "817054E17F43000000000300000000",
                "817154E17F43000000000200000000",
                "817054E17F43030000000200000000",
                // A column of another type, an unknown column, a length beyond the end.
                "817054E17F43000000000200000000" + "0B0900000000",
                "817054E17F43000000000200000000" + "030D",
                "817054E17F4300000000020000000A7B",
            })
    void rowsThatMakeNoSenseAreRefused(String row) {
        assertThatThrownBy(() -> BatchRows.parse(stream(row))).isInstanceOf(OrreryException.class);
    }

    private static Bytes stream(String row) {
        byte[] bytes = Bytes.ofHex(row).unsafeArray();
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return Bytes.ofHex(
                SEGMENT
                        + "81F1D8FF7F"
                        + littleEndian(bytes.length)
                        + littleEndian((int) crc.getValue())
                        + row);
    }

    private static String littleEndian(int value) {
        return "%08X".formatted(Integer.reverseBytes(value));
    }

    private static SystemProperties system() {
        return new SystemProperties(ResourceId.ofContainer(1, 2));
    }

    private Reply atomic(String body) {
        return client.post(
                DOCS,
                json(body),
                "x-ms-cosmos-is-batch-request",
                "true",
                "x-ms-cosmos-batch-atomic",
                "true",
                "x-ms-documentdb-partitionkey",
                "[\"a\"]");
    }

    private static String json(String text) {
        return text.replace("\\'", "\\\"").replace('\'', '"');
    }

    private static List<Integer> statuses(Reply reply) {
        return elements(reply).stream()
                .map(element -> element.properties().get("statusCode"))
                .map(status -> (int) ((Value.Int) status).value())
                .toList();
    }

    private static Value member(Reply reply, int index, String name) {
        return elements(reply)
                .get(index)
                .properties()
                .getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    private static List<Value.Obj> elements(Reply reply) {
        return ((Value.Array) JsonText.parse(reply.text()))
                .elements().stream().map(Value.Obj.class::cast).toList();
    }
}
