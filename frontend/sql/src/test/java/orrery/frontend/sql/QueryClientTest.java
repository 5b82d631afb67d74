package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;

/** Clients that merge by themselves are refused with a plan; all others get a whole answer. */
class QueryClientTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String TOP = "SELECT TOP 3 * FROM c";

    private final FakeItems items = new FakeItems();
    private final TestClient client = TestClient.withContainer(items);

    /** The headers that each client sends, as far as they matter here. */
    private static final String[] PYTHON = {
        "x-ms-documentdb-isquery", "true",
        "x-ms-documentdb-query-enablecrosspartition", "True",
        "x-ms-documentdb-query-iscontinuationexpected", "False",
        "x-ms-cosmos-sdk-supportedcapabilities", "1",
        "User-Agent", "something that a user has set"
    };

    private static final String[] JAVASCRIPT = {
        "x-ms-documentdb-isquery", "true",
        "x-ms-documentdb-query-enablecrosspartition", "true",
        "x-ms-documentdb-responsecontinuationtokenlimitinkb", "1",
        "x-ms-cosmos-sdk-supportedcapabilities", "1",
        "User-Agent", "Mozilla/5.0"
    };

    private static final String[] GO = {
        "x-ms-documentdb-query", "True",
        "x-ms-documentdb-query-enablecrosspartition", "true",
        "x-ms-documentdb-populatequerymetrics", "true",
        "x-ms-cosmos-sdk-supportedcapabilities", "1",
        "User-Agent", "azsdk-go-azcosmos/v1.5.0 (go1.24; linux)"
    };

    private static final String[] REST = {
        "x-ms-documentdb-isquery", "True",
        "x-ms-documentdb-query-enablecrosspartition", "True",
        "User-Agent", "curl/8.5.0"
    };

    private static final String[] OLD_PYTHON = {
        "x-ms-documentdb-isquery", "true",
        "x-ms-documentdb-query-enablecrosspartition", "True",
        "User-Agent", "azsdk-python-cosmos/4.2.0 Python/3.9.2"
    };

    private static final String[] OLD_JAVASCRIPT = {
        "x-ms-documentdb-isquery", "true",
        "x-ms-documentdb-query-enablecrosspartition", "true",
        "User-Agent", "linux/5.4.0 Nodejs/v14.2.0 azsdk-js-cosmos/3.17.3"
    };

    private Reply ask(String[] headers, String query, String... more) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return client.query(DOCS, query, all);
    }

    @Test
    void pythonIsSentThePlan() {
        requirePlan(PYTHON);
        requirePlan(OLD_PYTHON);
    }

    @Test
    void javaScriptIsSentThePlan() {
        requirePlan(JAVASCRIPT);
        requirePlan(OLD_JAVASCRIPT);
    }

    /** The SDK passes over null, and takes an empty page for the end of all groups. */
    @Test
    void javaScriptSeesNoEmptyPageOfGroups() {
        String groups = "SELECT c.pk, COUNT(1) AS n FROM c WHERE c.pk = 'none' GROUP BY c.pk";
        String[] range = {"x-ms-documentdb-partitionkeyrangeid", "0"};
        for (String[] headers : List.of(JAVASCRIPT, OLD_JAVASCRIPT)) {
            Reply reply = ask(headers, groups, range);
            assertThat(reply.text()).contains("\"Documents\":[null]").contains("\"_count\":1");
            assertThat(reply.header("x-ms-item-count")).isEqualTo("1");
            // Other queries of it, and groups that it does not put together, are as they are.
            assertThat(ask(headers, "SELECT * FROM c WHERE c.pk = 'none'", range).text())
                    .contains("\"Documents\":[]");
            String[] key = {"x-ms-documentdb-partitionkey", "[\"none\"]"};
            assertThat(ask(headers, groups, key).text()).contains("\"Documents\":[]");
        }
        for (String[] headers : List.of(PYTHON, OLD_PYTHON, GO, REST)) {
            assertThat(ask(headers, groups, range).text()).contains("\"Documents\":[]");
        }
    }

    private void requirePlan(String[] headers) {
        Reply reply = ask(headers, TOP);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("1004");
        assertThat(reply.string("code")).isEqualTo("BadRequest");
        assertThat(reply.string("message"))
                .contains("cross partition query can not be directly served by the gateway");
        Value plan = JsonText.parse(reply.string("additionalErrorInfo"));
        assertThat(JsonText.write(plan)).contains("\"top\":3").contains("\"queryRanges\"");
    }

    @Test
    void goIsAnswered() {
        assertThat(ask(GO, TOP).status()).isEqualTo(200);
    }

    @Test
    void restIsAnswered() {
        assertThat(ask(REST, TOP).status()).isEqualTo(200);
        assertThat(
                        client.query(
                                        DOCS,
                                        TOP,
                                        "x-ms-documentdb-query-enablecrosspartition",
                                        "true")
                                .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT c.x FROM c",
                "SELECT * FROM c ORDER BY c.x",
                "SELECT * FROM c OFFSET 1 LIMIT 2",
                "SELECT VALUE MAX(c.x) FROM c",
                "SELECT c.x FROM c GROUP BY c.x",
                "SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'one'"
            })
    void whateverHasToBeMergedIsRefused(String query) {
        assertThat(ask(PYTHON, query).header("x-ms-substatus")).isEqualTo("1004");
    }

    @Test
    void whatNeedsNoMergingIsAnswered() {
        for (String query : List.of("SELECT * FROM c WHERE c.x > 1", "SELECT VALUE 1")) {
            assertThat(ask(PYTHON, query).status()).as(query).isEqualTo(200);
        }
        assertThat(ask(PYTHON, TOP, "x-ms-documentdb-partitionkey", "[\"k\"]").status())
                .isEqualTo(200);
        assertThat(ask(JAVASCRIPT, TOP, "x-ms-documentdb-partitionkeyrangeid", "0").status())
                .isEqualTo(200);
    }

    @Test
    void clientsThatMergeGetAPageOfEachRange() {
        for (String[] headers : List.of(PYTHON, OLD_PYTHON, JAVASCRIPT, OLD_JAVASCRIPT)) {
            ask(headers, "SELECT * FROM c");
            assertThat(items.lastPage().endsWithRange()).isTrue();
        }
        for (String[] headers : List.of(GO, REST)) {
            ask(headers, "SELECT * FROM c");
            assertThat(items.lastPage().endsWithRange()).isFalse();
        }
    }

    /** Python knows no plan for these, and its users see that. */
    @ParameterizedTest
    @ValueSource(strings = {"SELECT COUNT(1) + 5 FROM c", "SELECT COUNT(1) + SUM(c) FROM c"})
    void whatNoPlanCanSayIsAnError(String query) {
        Reply reply = ask(PYTHON, query);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("0");
        assertThat(reply.string("message")).contains("Compositions of aggregates");
    }
}
