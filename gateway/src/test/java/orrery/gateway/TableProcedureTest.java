package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;

/** The procedure that the old .NET SDK for tables calls. */
class TableProcedureTest {
    private static final PartitionKey KEY = PartitionKey.ofText("p");
    private static final ResourceRef PROCEDURE =
            new ResourceRef.Named("__.sys.tablesBatchOperation");

    private EngineFixture fixture;
    private ContainerRef table;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
        table =
                fixture.container(
                        "People",
                        400,
                        EngineFixture.definition("/'$pk'").withKind(ContainerKind.TABLE));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String entity(String row, String properties) {
        return "{\"id\":\"%s\",\"$id\":\"%s\",\"$pk\":\"p\"%s}".formatted(row, row, properties);
    }

    private static String number(String name, int value) {
        return ",\"%s\":{\"$t\":16,\"$v\":%d}".formatted(name, value);
    }

    private List<Value> run(String documents, String types, String etags) {
        return run(
                EngineFixture.context(), "[[" + documents + "],[" + types + "],[" + etags + "]]");
    }

    private List<Value> run(RequestContext context, String arguments) {
        ProcedureAnswer answer =
                fixture.engine
                        .items()
                        .execute(context, table, KEY, PROCEDURE, Bytes.ofUtf8(arguments), false);
        assertThat(answer.charge().ru()).isPositive();
        Value body = JsonText.parse(answer.body().orElseThrow());
        return ((Value.Array) JsonText.parse(((Value.Text) body).value())).elements();
    }

    private OrreryException refusal(String documents, String types, String etags) {
        return catchThrowableOfType(OrreryException.class, () -> run(documents, types, etags));
    }

    private List<String> stored() {
        return fixture.all(
                table,
                new FeedScope.Everything(),
                "SELECT VALUE {i: c.id, a: c.A[\"$v\"], b: c.B[\"$v\"]} FROM c",
                10);
    }

    private static String member(Value document, String name) {
        return document instanceof Value.Obj(var members)
                        && members.get(name) instanceof Value.Text(String text)
                ? text
                : "";
    }

    @Test
    void everyOperationOfTheSdkIsOneOfABatch() {
        run(
                entity("d", number("A", 1))
                        + ","
                        + entity("r", number("A", 1))
                        + ","
                        + entity("m", number("A", 1)),
                "0,0,0",
                "\"\",\"\",null");

        List<Value> shown =
                run(
                        String.join(
                                ",",
                                entity("i", number("A", 2)),
                                entity("d", ""),
                                entity("r", number("B", 2)),
                                entity("m", number("B", 2)),
                                entity("u", number("A", 3)),
                                entity("n", number("A", 4)),
                                entity("m", "")),
                        "0,1,2,3,4,5,6",
                        "\"\",\"*\",\"*\",\"*\",\"\",\"\",\"\"");

        assertThat(shown)
                .extracting(document -> member(document, "id"))
                .containsExactly("i", "d", "r", "m", "u", "n", "m");
        assertThat(stored())
                .containsExactlyInAnyOrder(
                        "{\"i\":\"i\",\"a\":2}",
                        "{\"i\":\"r\",\"b\":2}",
                        "{\"i\":\"m\",\"a\":1,\"b\":2}",
                        "{\"i\":\"u\",\"a\":3}",
                        "{\"i\":\"n\",\"a\":4}");
        // The last read sees what the merge before it made, with its etag.
        assertThat(JsonText.write(shown.get(6))).contains("\"A\":", "\"B\":");
        assertThat(member(shown.get(6), "_etag")).isEqualTo(member(shown.get(3), "_etag"));
        assertThat(Etag.parse(member(shown.get(0), "_etag")).flatMap(FileTime::ofEtag)).isPresent();
    }

    @Test
    void etagsDecide() {
        String etag = member(run(entity("m", number("A", 1)), "0", "\"\"").getFirst(), "_etag");
        String quoted = JsonText.write(Value.of(etag));
        run(entity("m", number("B", 2)), "3", quoted);

        for (String type : List.of("1", "2", "3")) {
            OrreryException stale = refusal(entity("m", number("B", 3)), type, quoted);
            assertThat(stale.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
            assertThat(stale.text()).contains("OperationCount:0.", "One of the specified");
        }
        // Upserts ask for no version, whatever the SDK sends along.
        run(entity("m", number("B", 4)), "5", quoted);
        run(entity("m", number("A", 5)), "4", quoted);
        assertThat(stored()).containsExactly("{\"i\":\"m\",\"a\":5}");
    }

    @ParameterizedTest
    @CsvSource({
        "0, there, Resource with specified id or name already exists",
        "1, missing, Resource Not Found",
        "2, missing, Resource Not Found",
        "3, missing, Resource Not Found",
        "6, missing, Resource Not Found",
        "7, there, numbers of operations"
    })
    void theTextSaysWhichOperationFailedAndNothingIsWritten(String type, String row, String says) {
        run(entity("there", number("A", 1)), "0", "\"\"");

        OrreryException refused =
                refusal(
                        entity("new", number("A", 2)) + "," + entity(row, number("A", 3)),
                        "0," + type,
                        "\"\",\"\"");

        assertThat(refused.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(refused.code().status()).isEqualTo(400);
        assertThat(refused.text()).contains("OperationCount:1.", says);
        assertThat(refused.charge().ru()).isPositive();
        assertThat(stored()).containsExactly("{\"i\":\"there\",\"a\":1}");
    }

    @Test
    void documentsOfAnotherKeyAreRefused() {
        OrreryException refused =
                refusal(entity("a", "").replace("\"p\"", "\"other\""), "0", "\"\"");
        assertThat(refused.text()).contains("OperationCount:0.");
        assertThat(stored()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "[[],[],[]]",
                "[[{}],[0]]",
                "[[{\"id\":\"a\"}],[0,1],[\"\"]]",
                "[{},[0],[\"\"]]",
                "[[1],[0],[\"\"]]",
                "[[{\"id\":1,\"$pk\":\"p\"}],[0],[\"\"]]",
                "[[{\"id\":\"a\",\"$pk\":\"p\"}],[\"x\"],[\"\"]]",
                "[["
            })
    void whatIsNoCallOfTheSdkIsABadRequest(String arguments) {
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class, () -> run(EngineFixture.context(), arguments));
        assertThat(refused.code().status()).isEqualTo(400);
        assertThat(stored()).isEmpty();
    }

    @Test
    void itTakesWhatAProcedureTakes() {
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                run(
                                        EngineFixture.readOnly(),
                                        "[[" + entity("a", "") + "],[6],[\"\"]]"));
        assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void otherContainersDoNotHaveIt() {
        table = fixture.container("plain", 400, "/'$pk'");
        assertThat(refusal(entity("a", ""), "0", "\"\"").code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(Optional.of(stored())).contains(List.of());
    }
}
