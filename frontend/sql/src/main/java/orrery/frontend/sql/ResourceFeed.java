package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.gateway.Page;
import orrery.gateway.PageRequest;
import orrery.model.metering.RequestCharge;
import orrery.query.FeedQuery;
import orrery.query.PlanningThreads;
import orrery.query.QueryRequest;

/**
 * A feed of databases, containers, scripts or offers, whole or filtered by a query.
 *
 * @param array the member that holds the resources
 */
record ResourceFeed<T>(String array, Function<T, Value.Obj> json) {
    /**
     * Reads one page, and more while a query finds nothing in it.
     *
     * @param ownerRid what the resources lie in; empty for the account
     */
    HttpReply reply(SqlRequest request, String ownerRid, Function<PageRequest, Page<T>> list) {
        Optional<FeedQuery> query =
                request.isQuery() ? Optional.of(query(request)) : Optional.empty();
        PageRequest wanted = request.page();
        Page<T> page = list.apply(wanted);
        List<Value> rows = rows(page, query);
        while (rows.isEmpty() && page.continuation().isPresent()) {
            page = list.apply(new PageRequest(wanted.maxItems(), page.continuation()));
            rows = rows(page, query);
        }
        return envelope(request, ownerRid, array, rows).continuation(page.continuation()).build();
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

    private List<Value> rows(Page<T> page, Optional<FeedQuery> query) {
        List<Value> rows = new ArrayList<>();
        for (T resource : page.resources()) {
            Value.Obj row = json.apply(resource);
            if (query.isEmpty()) {
                rows.add(row);
            } else {
                query.get().apply(row).ifPresent(rows::add);
            }
        }
        return rows;
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
