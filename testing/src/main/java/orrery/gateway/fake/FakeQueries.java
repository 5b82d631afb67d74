package orrery.gateway.fake;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.query.QueryRequest;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.Rows;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;
import orrery.query.index.IndexUse;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/** Filters and projects items; what has to be merged it refuses, as the real door does. */
final class FakeQueries {
    private FakeQueries() {}

    static QueryPage run(
            FeedScope scope, QueryRequest request, PageRequest page, Supplier<ItemPage> read) {
        Query query = QueryParser.query(request.query());
        if (query.orderBy().isPresent() && scope instanceof FeedScope.Everything) {
            throw new OrreryException(
                    ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE, "not by the gateway");
        }
        ItemPage items = read.get();
        Evaluator evaluator = new Evaluator(request.parameters());
        Rows rows = new Rows(evaluator, query.from(), query.where());
        Projection projection = new Projection(evaluator, query);
        SystemProperties system = new SystemProperties(items.container().rid());
        List<Bytes> results = new ArrayList<>();
        for (Item item : items.items()) {
            Iterator<Bindings> each = rows.of(system.read(item, _ -> true));
            while (each.hasNext()) {
                Bindings row = each.next();
                if (rows.accepts(row)) {
                    projection.apply(row).map(JsonText::writeBytes).ifPresent(results::add);
                }
            }
        }
        Page<Bytes> found = FakePages.page(results, page);
        return new QueryPage(
                found.resources(),
                found.continuation(),
                items.container(),
                items.range(),
                items.sessionToken(),
                new QueryMetrics(
                        3,
                        300,
                        2,
                        4,
                        found.resources().size(),
                        20,
                        query.orderBy().isPresent(),
                        new QueryTimes(
                                1_000_000, 500_000, 20_000, 120_000, 310_000, 40_000, 2_500_000),
                        new IndexUse(
                                List.of("/pk/?"),
                                List.of(),
                                List.of("/a b/?"),
                                List.of(List.of("/a ASC", "/b ASC")))),
                items.charge());
    }
}
