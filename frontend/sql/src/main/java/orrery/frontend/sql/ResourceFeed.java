package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import orrery.document.Value;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.HttpReply;
import orrery.frontend.rest.Json;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.metering.RequestCharge;
import orrery.query.PlanningThreads;
import orrery.query.QueryRequest;
import orrery.query.sql.FeedQuery;

/**
 * A feed of databases, containers, scripts or offers, whole or filtered by a query.
 *
 * @param array the member that holds the resources
 */
record ResourceFeed<T>(String array, Function<T, Value.Obj> json) {
    /**
     * @param ownerRid what the resources lie in; empty for the account
     */
    HttpReply reply(SqlRequest request, String ownerRid, Function<PageRequest, Page<T>> list) {
        Page<Value> page =
                request.isQuery() ? found(request, list) : whole(list.apply(request.page()));
        return envelope(request, ownerRid, array, page.resources())
                .continuation(page.continuation())
                .build();
    }

    private Page<Value> whole(Page<T> page) {
        return new Page<>(page.resources().stream().<Value>map(json).toList(), page.continuation());
    }

    private Page<Value> found(SqlRequest request, Function<PageRequest, Page<T>> list) {
        FeedQuery query = query(request);
        int maxRows = request.page().size();
        return query.isOneByOne()
                ? matches(query, maxRows, request.page().continuation(), list)
                : results(query, maxRows, request.page().continuation(), list);
    }

    /**
     * Reads on until the page is full of matches. It never asks for more resources than there is
     * room for, so the page ends behind a resource.
     */
    private Page<Value> matches(
            FeedQuery query,
            int maxRows,
            Optional<String> continuation,
            Function<PageRequest, Page<T>> list) {
        List<Value> rows = new ArrayList<>();
        Optional<String> next = continuation;
        do {
            Page<T> page = list.apply(new PageRequest(OptionalInt.of(maxRows - rows.size()), next));
            page.resources()
                    .forEach(resource -> query.apply(json.apply(resource)).ifPresent(rows::add));
            next = page.continuation();
        } while (rows.size() < maxRows && next.isPresent());
        return new Page<>(rows, next);
    }

    /** Such results depend on each other, so a later page finds them again and counts. */
    private Page<Value> results(
            FeedQuery query,
            int maxRows,
            Optional<String> continuation,
            Function<PageRequest, Page<T>> list) {
        long given = continuation.map(ResourceFeed::given).orElse(0L);
        Stream<Value.Obj> resources =
                Stream.iterate(
                                Optional.of(list.apply(PageRequest.FIRST)),
                                Optional::isPresent,
                                page ->
                                        page.flatMap(Page::continuation)
                                                .map(
                                                        next ->
                                                                list.apply(
                                                                        new PageRequest(
                                                                                OptionalInt.empty(),
                                                                                Optional.of(
                                                                                        next)))))
                        .flatMap(page -> page.orElseThrow().resources().stream())
                        .map(json);
        FeedQuery.Results results = query.results(resources, given, maxRows);
        return new Page<>(
                results.rows(),
                results.hasMore()
                        ? Optional.of(Long.toString(given + results.rows().size()))
                        : Optional.empty());
    }

    private static long given(String continuation) {
        return Decimal.parse(continuation, 1, Integer.MAX_VALUE)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "Invalid Continuation Token. Use the token of the previous"
                                                + " page with the same query, or start again"
                                                + " without one."));
    }

    static SqlReply envelope(SqlRequest request, String ownerRid, String array, List<Value> rows) {
        return new SqlReply(request, 200)
                .charge(RequestCharge.METADATA)
                .header(SqlHeaders.ITEM_COUNT, Integer.toString(rows.size()))
                .body(
                        Json.builder()
                                .put("_rid", ownerRid)
                                .put(array, new Value.Array(rows))
                                .put("_count", rows.size())
                                .build());
    }

    private static FeedQuery query(SqlRequest request) {
        QueryRequest query = request.query();
        return PlanningThreads.ofProcess()
                .plan(
                        PlanningThreads.NO_CONTAINER,
                        query,
                        () -> FeedQuery.parse(query.query(), query.parameters()));
    }
}
