package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.EngineFixture;
import orrery.gateway.api.ContainerRef;
import orrery.model.ContainerKind;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.resource.Container;
import orrery.model.resource.PermissionMode;
import orrery.query.table.TableDefinition;

/**
 * The exchanges of the .NET SDK {@code Microsoft.Azure.Cosmos.Table}, which speaks SQL to accounts
 * of Cosmos DB.
 */
final class OldTableSdkTest {
    private static final String TABLE = "/dbs/TablesDB/colls/People";
    private static final String KEY = "x-ms-documentdb-partitionkey";
    private static final String P = "[\"p\"]";

    /**
     * As its document client writes a table: the path in quotes, ranges for both kinds of values.
     */
    private static final String COLLECTION =
            """
            {"id":"People","partitionKey":{"paths":["/'$pk'"],"kind":"Hash"},
             "indexingPolicy":{"automatic":true,"indexingMode":"Consistent","includedPaths":[
               {"path":"/*","indexes":[
                 {"kind":"Range","dataType":"Number","precision":-1},
                 {"kind":"Range","dataType":"String","precision":-1}]}],"excludedPaths":[]}}""";

    private static final String ANN =
            """
            {"id":"r1","$id":"r1","$pk":"p","name":{"$t":2,"$v":"Ann"},"age":{"$t":16,"$v":5},\
            "big":{"$t":18,"$v":"00009007199254740993"},"ok":{"$t":8,"$v":true},\
            "d":{"$t":1,"$v":1.5},"g":{"$t":0,"$v":"a455c695-df98-5678-aaaa-81d3367e5a34"},\
            "dt":{"$t":9,"$v":"00639029198456780000"},"bin":{"$t":5,"$v":"\\u0001\\u0002ÿ"}}""";

    private static final String BOB =
            """
            {"id":"r2","$id":"r2","$pk":"p","name":{"$t":2,"$v":"Bob"},"age":{"$t":16,"$v":7}}""";

    private AccessFixture fixture;
    private TestClient client;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new AccessFixture(directory);
        client = fixture.master;
        assertThat(client.post("/dbs", "{\"id\":\"TablesDB\"}").status()).isEqualTo(201);
        assertThat(
                        client.post(
                                        TABLE.replace("/People", ""),
                                        COLLECTION,
                                        "x-ms-offer-throughput",
                                        "800")
                                .status())
                .isEqualTo(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Reply insert(String document) {
        return client.post(TABLE + "/docs", document, KEY, P);
    }

    private Reply batch(String documents, String types, String etags) {
        return client.post(
                TABLE + "/sprocs/__.sys.tablesBatchOperation",
                "[[" + documents + "],[" + types + "],[" + etags + "]]",
                KEY,
                P);
    }

    private static List<Value> documents(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        Value body = JsonText.parse(reply.text());
        return ((Value.Array) JsonText.parse(((Value.Text) body).value())).elements();
    }

    private List<String> query(String text) {
        Reply reply =
                client.query(
                        TABLE + "/docs",
                        text,
                        "x-ms-documentdb-query-enablecrosspartition",
                        "True",
                        "x-ms-documentdb-isquery",
                        "True",
                        "x-ms-max-item-count",
                        "1000");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        List<String> rows = new ArrayList<>();
        for (Value row : ((Value.Array) reply.member("Documents")).elements()) {
            rows.add(JsonText.write(row));
        }
        return rows;
    }

    private Container table() {
        return fixture.engine
                .engine
                .resources()
                .readContainer(
                        EngineFixture.context(),
                        ContainerRef.Addressed.byName("TablesDB", "People"));
    }

    @Test
    void itsContainersAreTables() {
        assertThat(table().definition().kind()).isEqualTo(ContainerKind.TABLE);
        assertThat(table().definition().indexingPolicy().compositeIndexes())
                .isEqualTo(TableDefinition.INDEXING.compositeIndexes());
        assertThat(client.get("/offers").text()).contains("\"offerThroughput\":800");
        assertThat(client.post("/dbs", "{\"id\":\"TablesDB\"}").status()).isEqualTo(409);
        assertThat(client.post("/dbs/TablesDB/colls", COLLECTION).status()).isEqualTo(409);

        // A new policy from a client that knows nothing of the order leaves the order alone.
        assertThat(client.call("PUT", TABLE, COLLECTION).status()).isEqualTo(200);
        assertThat(table().definition().indexingPolicy().compositeIndexes())
                .isEqualTo(TableDefinition.INDEXING.compositeIndexes());
    }

    @Test
    void otherContainersStayWhatTheyAre() {
        client.post(
                "/dbs/TablesDB/colls",
                "{\"id\":\"o\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}");
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post("/dbs/d/colls", COLLECTION);
        for (ContainerRef ref :
                List.of(
                        ContainerRef.Addressed.byName("TablesDB", "o"),
                        ContainerRef.Addressed.byName("d", "People"))) {
            assertThat(
                            fixture.engine
                                    .engine
                                    .resources()
                                    .readContainer(EngineFixture.context(), ref)
                                    .definition()
                                    .kind())
                    .isEqualTo(ContainerKind.DOCUMENT);
        }
    }

    @Test
    void theProbeForATableFindsNothing() {
        Reply probe =
                client.get(
                        TABLE + "/docs/%7BE18FAFBA-1953-4CB9-83B8-066D2121717D%7D",
                        KEY,
                        "[\"{D345FA99-84DC-48CC-BFCE-2CF8ED99D80D}\"]");
        assertThat(probe.status()).isEqualTo(404);
        assertThat(probe.header("x-ms-substatus")).isEqualTo("0");
    }

    @Test
    void entitiesAreItemsWithAMomentForAnEtag() {
        Reply created = insert(ANN);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.string("_etag"))
                .matches("\"00000000-0000-0000-[0-9a-f]{4}-[0-9a-f]{12}\"")
                .isEqualTo(created.header("etag"));
        FileTime written =
                Etag.parse(created.string("_etag")).flatMap(FileTime::ofEtag).orElseThrow();
        assertThat(written.millis() / 1000).isEqualTo(((Value.Int) created.member("_ts")).value());
        assertThat(insert(ANN).status()).isEqualTo(409);

        String item = TABLE + "/docs/r1";
        Reply read = client.get(item, KEY, P);
        assertThat(read.text()).startsWith(ANN.substring(0, ANN.length() - 1));
        String changed = ANN.replace("Ann", "Eve");
        String etag = created.string("_etag");
        Reply replaced = client.call("PUT", item, changed, KEY, P, "If-Match", etag);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(client.call("PUT", item, changed, KEY, P, "If-Match", etag).status())
                .isEqualTo(412);
        assertThat(client.call("DELETE", item, "", KEY, P, "If-Match", etag).status())
                .isEqualTo(412);
        assertThat(
                        client.post(
                                        TABLE + "/docs",
                                        ANN,
                                        KEY,
                                        P,
                                        "x-ms-documentdb-is-upsert",
                                        "True")
                                .status())
                .isEqualTo(200);
        assertThat(client.call("DELETE", item, "", KEY, P, "If-Match", "*").status())
                .isEqualTo(204);
        assertThat(client.get(item, KEY, P).status()).isEqualTo(404);
    }

    @Test
    void mergesAndBatchesAreTheProcedure() {
        insert(ANN);
        List<Value> merged =
                documents(
                        batch(
                                "{\"id\":\"r1\",\"$id\":\"r1\",\"$pk\":\"p\",\"age\":{\"$t\":16,\"$v\":6}}",
                                "3",
                                "\"*\""));
        assertThat(JsonText.write(merged.getFirst())).contains("\"Ann\"", "\"$v\":6");

        Reply done = batch(BOB + "," + ANN, "0,1", "\"\",\"*\"");
        assertThat(documents(done)).hasSize(2);
        assertThat(done.header("x-ms-session-token")).isNotEmpty();
        assertThat(Double.parseDouble(done.header("x-ms-request-charge"))).isPositive();
        assertThat(query("select * from entity"))
                .singleElement()
                .asString()
                .startsWith(BOB.substring(0, BOB.length() - 1));
    }

    @ParameterizedTest
    @CsvSource({
        "0, r1, '', Resource with specified id or name already exists",
        "2, missing, *, Resource Not Found",
        "3, r1, 00000000-0000-0000-7b94-74a774e001dc, One of the specified",
        "6, missing, '', Resource Not Found"
    })
    void theSdkReadsFailuresFromTheText(String type, String row, String etag, String says) {
        insert(ANN);
        Reply reply =
                batch(BOB + "," + ANN.replace("r1", row), "0," + type, "\"\",\"" + etag + "\"");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.string("message")).contains("OperationCount:1.", says);
        assertThat(query("select value entity.id from entity")).containsExactly("\"r1\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select * from entity where entity['$pk'] = 'p' | r1 r2",
                "select * from entity where (entity['$pk'] = 'p') AND (entity['$id'] = 'r2') | r2",
                "select * from entity where entity['$id'] >= 'r2' | r2",
                "select * from entity where entity['age']['$v'] > 5 | r2",
                "select * from entity where entity['age']['$v'] + 1 = 6 | r1",
                "select * from entity where NOT (entity['name']['$v'] = 'Ann') | r2",
                "select * from entity where entity['big']['$v'] = '00009007199254740993' | r1",
                "select * from entity where entity['dt']['$v'] < '00639029198456780001' | r1",
                "select * from entity where entity['ok']['$v'] = true | r1",
                "select * from entity where entity['d']['$v'] <= 1.5 OR entity['age']['$v'] != 5 | r1 r2",
                "select * from entity where entity['g']['$v'] = 'a455c695-df98-5678-aaaa-81d3367e5a34' | r1",
                "select * from entity where entity['_ts'] > 1700000000 | r1 r2",
                "select top 1 * from entity | r1"
            })
    void itsQueriesFindEntities(String text, String rows) {
        insert(ANN);
        insert(BOB);
        assertThat(query(text))
                .extracting(row -> row.replaceFirst(".*?\"id\":\"(.*?)\".*", "$1"))
                .containsExactlyInAnyOrder(rows.split(" "));
    }

    @Test
    void itsSelectListsHaveTheEtag() {
        insert(ANN);
        assertThat(
                        query(
                                "select entity[\"$pk\"], entity[\"$id\"], entity[\"_ts\"],"
                                        + " entity[\"_etag\"], entity[\"name\"] from entity where"
                                        + " entity['$pk'] = 'p'"))
                .singleElement()
                .asString()
                .matches(
                        "\\{\"\\$pk\":\"p\",\"\\$id\":\"r1\",\"_ts\":\\d+,\"_etag\":\"\\\\\"0{8}-.*\\\\\"\","
                                + "\"name\":\\{\"\\$t\":2,\"\\$v\":\"Ann\"\\}\\}");
    }

    @Test
    void tokensOpenTheProcedureAsTheyOpenAnyOther() {
        insert(ANN);
        String arguments = "[[" + ANN + "],[6],[\"\"]]";
        for (PermissionMode mode : PermissionMode.values()) {
            String token = fixture.token(mode, "dbs/TablesDB/colls/People", Optional.empty());
            Reply reply =
                    fixture.call(
                            Optional.of(token),
                            "POST",
                            TABLE + "/sprocs/__.sys.tablesBatchOperation",
                            arguments,
                            Map.of(KEY, P));
            assertThat(reply.status())
                    .as(reply.text())
                    .isEqualTo(mode == PermissionMode.ALL ? 200 : 403);
        }
    }
}
