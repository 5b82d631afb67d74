package orrery.gateway.fake;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.document.IndexValue;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
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
import orrery.model.TermRules;
import orrery.query.BoundQuery;
import orrery.query.QueryCall;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.Effort;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.UserFunctions;
import orrery.query.execute.PreparedQuery;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;
import orrery.query.index.IndexUse;
import orrery.query.table.TableStatement;

/**
 * Filters and projects items, and sorts those of a table; other answers that have to be merged it
 * refuses, as the real door does.
 */
final class FakeQueries {
    private FakeQueries() {}

    /**
     * @param place the values that it is sorted by; none where any order will do
     */
    private record Row(List<Value> place, Bytes text) implements Comparable<Row> {
        @Override
        public int compareTo(Row other) {
            int order = 0;
            for (int i = 0; i < place.size() && order == 0; i++) {
                order =
                        IndexValue.encodeWhole(place.get(i))
                                .compareTo(IndexValue.encodeWhole(other.place.get(i)));
            }
            return order;
        }
    }

    static QueryPage run(
            FeedScope scope, QueryCall call, PageRequest page, Supplier<ItemPage> read) {
        Statement statement = call.statement();
        boolean isTable = statement instanceof TableStatement;
        if (statement.answer().isSorted() && scope instanceof FeedScope.Everything && !isTable) {
            throw new OrreryException(
                    ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE, "not by the gateway");
        }
        ItemPage items = read.get();
        BoundQuery bound =
                statement.bind(
                        new QuerySurroundings(
                                InstantSource.system(),
                                Geospatial.GEOGRAPHY,
                                UserFunctions.NONE,
                                ComputedProperties.NONE));
        boolean isItem =
                isTable
                        && bound.prepare(false, TermRules.FIRST).form()
                                != PreparedQuery.RowForm.RESULT;
        ProgramRun run = bound.program().start(new Effort());
        SystemProperties system = new SystemProperties(items.container().rid());
        List<Row> rows = new ArrayList<>();
        for (Item item : items.items()) {
            Value.Obj whole = system.read(item, _ -> true);
            run.open(whole);
            while (run.hasNext()) {
                run.next();
                if (run.matches()) {
                    List<Value> place = isTable ? run.sortValues() : List.of();
                    (isItem ? Optional.of(whole) : run.result())
                            .map(JsonText::writeBytes)
                            .ifPresent(text -> rows.add(new Row(place, text)));
                }
            }
        }
        rows.sort(null);
        Page<Bytes> found = FakePages.page(rows.stream().map(Row::text).toList(), page);
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
