package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.OrreryException;
import orrery.model.TermRules;
import orrery.query.cases.QueryCase;
import orrery.query.cases.QueryCases;
import orrery.query.dialect.Effort;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.PathValues;
import orrery.query.sql.SqlPreparation;
import orrery.query.sql.SqlStatement;
import orrery.query.syntax.QueryParser;

/** Runs the case files over the index, in pages of several sizes. */
class QueryCasesOnIndexTest {
    private static final List<PageLimits> LIMITS =
            List.of(
                    PageLimits.of(1000, 4 << 20),
                    new PageLimits(7, 4 << 20, 20, 15, Duration.ofHours(1)),
                    new PageLimits(1, 100, 1000, 1000, Duration.ofHours(1)));

    private final Map<String, MemoryItems> datasets = new HashMap<>();

    static List<String> files() {
        return QueryCases.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void cases(String file) {
        List<String> wrong = new ArrayList<>();
        for (QueryCase each : QueryCases.read(file)) {
            if (each.query().toUpperCase(Locale.ROOT).contains("GETCURRENT")) {
                continue; // its answer depends on the clock of the naive run
            }
            if (isDerived(each)) {
                continue; // needs the whole container first, so no partition does it
            }
            for (PageLimits limits : LIMITS) {
                String found = run(each, limits);
                String wanted = CaseAnswers.describe(each.expected());
                if (!found.equals(wanted)) {
                    wrong.add(each + "\n  " + wanted + "\n  " + found);
                    break;
                }
            }
            if (each.index().isPresent()) {
                QueryCase.IndexUse found = indexUse(each);
                if (found != each.index().get()) {
                    wrong.add(each + "\n  index " + each.index().get() + "\n  index " + found);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isDerived(QueryCase each) {
        try {
            return QueryParser.query(each.query()).derived().isPresent();
        } catch (OrreryException noQuery) {
            return false;
        }
    }

    /** Tells if the index decides the filter and the order, as far as there are any. */
    private QueryCase.IndexUse indexUse(QueryCase each) {
        MemoryItems items = items(each);
        PreparedQuery query = prepared(each);
        Set<QueryCase.IndexUse> uses = EnumSet.noneOf(QueryCase.IndexUse.class);
        if (!query.order().isEmpty()) {
            Sorting order = Sorting.of(query.order(), query.filter(), items.availability());
            uses.add(order.isIndexed() ? QueryCase.IndexUse.YES : QueryCase.IndexUse.NO);
        }
        if (QueryParser.query(each.query()).where().isPresent() || uses.isEmpty()) {
            uses.add(filterUse(each, query, items));
        }
        return uses.size() == 1 ? uses.iterator().next() : QueryCase.IndexUse.PARTIAL;
    }

    /** Compares the items that the index finds with those that the filter accepts. */
    private static QueryCase.IndexUse filterUse(
            QueryCase each, PreparedQuery query, MemoryItems items) {
        AccessPath way = new AccessPlanner(items, items.availability()).choose(query.filter());
        return switch (way) {
            case AccessPath.Nowhere _ -> QueryCase.IndexUse.YES;
            case AccessPath.Scan _ -> QueryCase.IndexUse.NO;
            case AccessPath.Entries(_, List<Branch> branches) ->
                    QueryCases.items(each.dataset()).stream()
                                    .allMatch(
                                            item ->
                                                    branches.stream()
                                                                    .anyMatch(
                                                                            b ->
                                                                                    b.matches(
                                                                                            paths(
                                                                                                    query,
                                                                                                    item)))
                                                            == hasRow(query, item))
                            ? QueryCase.IndexUse.YES
                            : QueryCase.IndexUse.PARTIAL;
        };
    }

    private static PathValues paths(PreparedQuery query, Value item) {
        return new PathValues(item, query.computed());
    }

    private static boolean hasRow(PreparedQuery query, Value item) {
        ProgramRun run = query.program().start(new Effort());
        run.open(item);
        while (run.hasNext()) {
            run.next();
            if (run.matches()) {
                return true;
            }
        }
        return false;
    }

    private MemoryItems items(QueryCase each) {
        return datasets.computeIfAbsent(
                each.dataset() + each.policy() + each.computed(),
                _ -> {
                    MemoryItems made =
                            new MemoryItems(
                                    CaseAnswers.policy(each.policy()),
                                    Geospatial.GEOGRAPHY,
                                    ComputedProperties.of(each.computed()));
                    QueryCases.items(each.dataset())
                            .forEach(item -> made.add(JsonText.write(item)));
                    return made;
                });
    }

    private static PreparedQuery prepared(QueryCase each) {
        return prepared(each, false);
    }

    private static PreparedQuery prepared(QueryCase each, boolean isPart) {
        return SqlPreparation.prepare(
                SqlStatement.parse(each.query(), each.parameters()),
                new Evaluator(
                        each.parameters(),
                        Geospatial.GEOGRAPHY,
                        UserFunctions.NONE,
                        ComputedProperties.of(each.computed())),
                isPart,
                TermRules.FIRST);
    }

    private static QueryResult page(
            QueryCase each, MemoryItems items, PageLimits limits, Optional<Bytes> token) {
        PreparedQuery query = prepared(each);
        if (!WholeAnswer.isNeeded(query.answer())) {
            return page(query, items, limits, token);
        }
        PreparedQuery part = prepared(each, true);
        return WholeAnswer.read(
                part, query.limit(), limits, token, after -> page(part, items, limits, after));
    }

    private static QueryResult page(
            PreparedQuery query, MemoryItems items, PageLimits limits, Optional<Bytes> token) {
        return new QueryExecution(
                        query, items, items.availability(), MemoryItems.SYSTEM, limits, () -> 0L)
                .run(token, Optional.empty(), QueryPart.WHOLE);
    }

    private String run(QueryCase each, PageLimits limits) {
        MemoryItems items = items(each);
        try {
            List<Value> rows = new ArrayList<>();
            Optional<Bytes> token = Optional.empty();
            do {
                QueryResult page = page(each, items, limits, token);
                page.rows().forEach(row -> rows.add(JsonText.parse(row)));
                token = page.next();
            } while (token.isPresent());
            boolean isOrdered = each.expected() instanceof QueryCase.Rows(_, boolean is) && is;
            return CaseAnswers.describe(new QueryCase.Rows(rows, isOrdered));
        } catch (OrreryException failure) {
            return CaseAnswers.describe(new QueryCase.Failure(QueryCases.describe(failure)));
        }
    }
}
