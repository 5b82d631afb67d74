package orrery.frontend.sql;

import java.util.List;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.PageEnvelope;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.resource.Container;
import orrery.query.execute.QueryMetrics;
import orrery.query.syntax.Query;

/** The answer to a query, with what clients can ask to be told about its execution. */
final class QueryReply {
    /** A row that the JavaScript SDK passes over when it puts groups together. */
    private static final List<Bytes> NO_GROUP = List.of(Bytes.ofUtf8("null"));

    private QueryReply() {}

    static HttpReply page(
            SqlRequest request, ContainerAddress address, QueryPage page, Query query) {
        Container container = page.container();
        Owner owner = address.owner();
        List<Bytes> rows = rows(request, page, query);
        SqlReply reply =
                new SqlReply(request, 200)
                        .charge(page.charge())
                        .sessionToken(page.sessionToken())
                        .owner(owner.rid(), owner.path())
                        .header(SqlHeaders.ITEM_COUNT, Integer.toString(rows.size()))
                        .header(SqlHeaders.QUERY_EXECUTION_INFO, executionInfo(page.metrics()))
                        .continuation(page.continuation());
        page.range()
                .ifPresent(
                        range -> {
                            reply.header(SqlHeaders.RANGE_ID, Integer.toString(range));
                            page.sessionToken()
                                    .lsn(range)
                                    .ifPresent(
                                            lsn ->
                                                    reply.header(
                                                            SqlHeaders.LSN, Long.toString(lsn)));
                        });
        if (request.flag(SqlHeaders.POPULATE_QUERY_METRICS)) {
            reply.header(SqlHeaders.QUERY_METRICS, QueryMetricsText.of(page.metrics()));
        }
        if (request.flag(SqlHeaders.POPULATE_INDEX_METRICS_V2)) {
            reply.header(
                    SqlHeaders.INDEX_METRICS,
                    IndexMetricsJson.urlEncoded(page.metrics().indexes()));
        } else if (request.flag(SqlHeaders.POPULATE_INDEX_METRICS)) {
            reply.header(
                    SqlHeaders.INDEX_METRICS, IndexMetricsJson.base64(page.metrics().indexes()));
        }
        if (request.flag(SqlHeaders.POPULATE_QUERY_ADVICE)) {
            QueryAdvice.of(query)
                    .ifPresent(advice -> reply.header(SqlHeaders.QUERY_ADVICE, advice));
        }
        if (request.flag(SqlHeaders.OPTIMISTIC_DIRECT_EXECUTE)) {
            reply.header(
                    SqlHeaders.REQUIRES_DISTRIBUTION,
                    requiresDistribution(query, page) ? "True" : "False");
        }
        return reply.body(
                        PageEnvelope.counted(container.rid().toString(), "Documents", rows.size())
                                .around(rows, Bytes::length, ByteSink::put))
                .build();
    }

    /**
     * The rows of the page. A range may have no groups, or none on a page that has worked for long.
     * A client that would stop there gets a row that means nothing.
     */
    private static List<Bytes> rows(SqlRequest request, QueryPage page, Query query) {
        return page.rows().isEmpty()
                        && query.isGrouped()
                        && request.scope() instanceof FeedScope.Range
                        && QueryClient.of(request).stopsAtPagesWithoutGroups()
                ? NO_GROUP
                : page.rows();
    }

    /**
     * Returns true if the client should start again with a plan: only where the answer did not fit
     * one page and cannot simply go on, because clients do not follow up partial groups.
     */
    private static boolean requiresDistribution(Query query, QueryPage page) {
        return page.continuation().isPresent() && (query.distinct() || query.isGrouped());
    }

    /** A refusal that tells clients how to ask the ranges one by one. */
    static HttpReply withPlan(SqlRequest request, OrreryException failure, Value.Obj plan) {
        return new SqlReply(request, failure.code().status())
                .header(SqlHeaders.SUBSTATUS, Integer.toString(failure.code().substatus()))
                .body(
                        Json.builder()
                                .put("code", SqlErrors.name(failure.code()))
                                .put(
                                        "message",
                                        failure.text()
                                                + "\r\nActivityId: "
                                                + request.activityId()
                                                + ", SDK: Orrery")
                                .put("additionalErrorInfo", JsonText.write(plan))
                                .build())
                .build();
    }

    private static String executionInfo(QueryMetrics metrics) {
        return "{\"reverseRidEnabled\":false,\"reverseIndexScan\":" + metrics.isBackward() + "}";
    }
}
