package orrery.gateway.fake;

import java.time.InstantSource;
import java.util.ArrayList;
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
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.query.QueryCall;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.Effort;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.UserFunctions;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;
import orrery.query.index.IndexUse;

/** Filters and projects items; what has to be merged it refuses, as the real door does. */
final class FakeQueries {
    private FakeQueries() {}

    static QueryPage run(
            FeedScope scope, QueryCall call, PageRequest page, Supplier<ItemPage> read) {
        Statement statement = call.statement();
        if (statement.answer().isSorted() && scope instanceof FeedScope.Everything) {
            throw new OrreryException(
                    ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE, "not by the gateway");
        }
        ItemPage items = read.get();
        ProgramRun run =
                statement
                        .bind(
                                new QuerySurroundings(
                                        InstantSource.system(),
                                        Geospatial.GEOGRAPHY,
                                        UserFunctions.NONE,
                                        ComputedProperties.NONE))
                        .program()
                        .start(new Effort());
        SystemProperties system = new SystemProperties(items.container().rid());
        List<Bytes> results = new ArrayList<>();
        for (Item item : items.items()) {
            run.open(system.read(item, _ -> true));
            while (run.hasNext()) {
                run.next();
                if (run.matches()) {
                    run.result().map(JsonText::writeBytes).ifPresent(results::add);
                }
            }
        }
        Page<Bytes> found = FakePages.page(results, page);
        return new QueryPage(
                Encoding.JSON,
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
                        statement.answer().isSorted(),
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
