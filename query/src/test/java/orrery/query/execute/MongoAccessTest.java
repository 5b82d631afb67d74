package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.mongo.Documents;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

/** Checks how much MongoDB's reads look at for their answers. */
final class MongoAccessTest {
    private static final PageLimits PAGE = PageLimits.of(1000, 4 << 20);
    private static final PageLimits SMALL = PageLimits.of(10, 4 << 20);

    private static MemoryItems items(IndexingPolicy policy) {
        MemoryItems items =
                new MemoryItems(
                        policy,
                        Geospatial.GEOGRAPHY,
                        ComputedProperties.NONE,
                        ContainerKind.MONGODB);
        for (int i = 0; i < 1000; i++) {
            items.add(
                    Documents.bson(
                            "{'_id':%d,'n':%d,'name':'name %d','tags':[%d,'x'],'o':{'k':%d},'q':[{'r':%d}]}"
                                    .formatted(i, i, i, i % 100, i % 50, i % 50)));
        }
        return items;
    }

    private static QueryResult run(MemoryItems items, FindOptions options, PageLimits limits) {
        return items.find(new FindStatement(options), limits, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'n':5}                             | 1
                    {'n':{'$in':[5,6,'x']}}             | 2
                    {'n':{'$gt':989,'$lt':995}}         | 7
                    {'n':{'$gt':500,'$lt':505}}         | 6
                    {'n':{'$gt':5,'$lt':3}}             | 0
                    {'$and':[{'n':{'$gt':500}},{'$and':[{'n':{'$lte':502}}]}]} | 4
                    {'o.k':{'$gte':7,'$lte':7}}         | 20
                    {'q':{'$elemMatch':{'r':{'$gte':7,'$lte':7}}}} | 20
                    {'$or':[{'n':5},{'_id':7}]}         | 2
                    {'name':{'$regex':'^name 99'}}      | 11
                    {'tags':42}                         | 10
                    {'tags':{'$all':[42,'x']}}          | 10
                    {'o.k':3}                           | 20
                    {'q.r':3}                           | 20
                    {'q':{'$elemMatch':{'r':3}}}        | 20
                    {'tags':{'$elemMatch':{'$eq':42}}}  | 10
                    {'n':'5'}                           | 0
                    {'n':{'$type':'string'}}            | 0
                    {'tags':{'$size':2},'n':3}          | 1
                    """)
    void theIndexSparesWhatDoesNotMatch(String filter, int atMost) {
        QueryResult result =
                run(items(IndexingPolicy.DEFAULT), FindOptions.of(Documents.of(filter)), PAGE);
        assertThat(result.metrics().documents()).isLessThanOrEqualTo(atMost);
    }

    @Test
    void aCountOfAllLoadsNothing() {
        QueryResult result =
                run(
                        items(IndexingPolicy.DEFAULT),
                        FindOptions.of(FindOptions.NONE).counted(),
                        PAGE);
        assertThat(result.metrics().documents()).isZero();
        assertThat(result.rows()).containsExactly(Documents.bson("{'n':1000}"));
    }

    @Test
    void aSortFollowsTheIndexWhereNoArraysAre() {
        // Of a path that is named, items without a value have entries too.
        MemoryItems items =
                items(
                        IndexedAnswerProperties.policy(
                                List.of("/*", "/n/?", "/o/k/?"), List.of(), List.of()));
        for (String sort : List.of("{'n':1}", "{'n':-1}", "{'o.k':1}", "{'_id':1}")) {
            FindOptions options =
                    FindOptions.of(FindOptions.NONE).withSort(Documents.of(sort)).within(0, 10);
            assertThat(run(items, options, SMALL).metrics().documents())
                    .as(sort)
                    .isLessThanOrEqualTo(12);
        }
        FindOptions behind =
                FindOptions.of(Documents.of("{'n':{'$gte':900}}"))
                        .withSort(Documents.of("{'n':1}"))
                        .within(0, 10);
        assertThat(run(items, behind, SMALL).metrics().documents()).isLessThanOrEqualTo(12);
    }

    @Test
    void underACollationNumbersAreFoundByTheIndex() {
        MemoryItems items = items(IndexingPolicy.DEFAULT);
        FindOptions number = FindOptions.of(Documents.of("{'n':5,'name':'NAME 5'}"));
        QueryResult found = run(items, english(number), PAGE);
        assertThat(found.rows()).hasSize(1);
        assertThat(found.metrics().documents()).isEqualTo(1);
        for (String filter :
                List.of(
                        "{'name':'NAME 5'}",
                        "{'name':{'$in':['NAME 5']}}",
                        "{'name':{'$gte':'NAME 5','$lt':'NAME 50'}}",
                        "{'tags':{'$elemMatch':{'$eq':'X'}},'n':5}",
                        "{'_id':5,'name':'Name 5'}")) {
            FindOptions text = FindOptions.of(Documents.of(filter));
            assertThat(run(items, english(text), PAGE).rows()).as(filter).hasSize(1);
            assertThat(run(items, text, PAGE).rows()).as(filter).isEmpty();
        }
    }

    @Test
    void underACollationASortFollowsTheIndexOfNumbers() {
        MemoryItems items =
                items(
                        IndexedAnswerProperties.policy(
                                List.of("/*", "/n/?", "/name/?"), List.of(), List.of()));
        FindOptions sorted =
                english(FindOptions.of(FindOptions.NONE))
                        .withSort(Documents.of("{'n':-1}"))
                        .within(0, 10);
        assertThat(run(items, sorted, SMALL).metrics().documents()).isLessThanOrEqualTo(12);
    }

    @Test
    void underACollationStringsAreSortedPageByPage() {
        MemoryItems items =
                new MemoryItems(
                        IndexingPolicy.DEFAULT,
                        Geospatial.GEOGRAPHY,
                        ComputedProperties.NONE,
                        ContainerKind.MONGODB);
        List<String> words = List.of("a", "B", "c", "D", "e");
        for (int i = 0; i < words.size(); i++) {
            items.add(Documents.bson("{'_id':%d,'w':['%s']}".formatted(i, words.get(i))));
        }
        items.add(Documents.bson("{'_id':7,'w':7}"));
        FindOptions sorted =
                english(FindOptions.of(FindOptions.NONE))
                        .withSort(Documents.of("{'w':1}"))
                        .withProjection(Documents.of("{'_id':1}"));
        List<Bytes> rows = new java.util.ArrayList<>();
        Optional<Bytes> token = Optional.empty();
        do {
            QueryResult page =
                    items.find(new FindStatement(sorted), PageLimits.of(2, 4 << 20), token);
            rows.addAll(page.rows());
            token = page.next();
        } while (token.isPresent());
        assertThat(rows)
                .containsExactly(
                        Documents.bson("{'_id':7}"),
                        Documents.bson("{'_id':0}"),
                        Documents.bson("{'_id':1}"),
                        Documents.bson("{'_id':2}"),
                        Documents.bson("{'_id':3}"),
                        Documents.bson("{'_id':4}"));
    }

    private static FindOptions english(FindOptions options) {
        return options.withCollation(Documents.of("{'locale':'en','strength':2}"));
    }

    /** A sort has to see all that matches, and a page may take only so long for it. */
    @Test
    void aSortWithoutAnIndexThatIsTooMuchHasTheNumberOfTheServer() {
        MemoryItems items =
                items(
                        IndexedAnswerProperties.policy(
                                List.of("/_id/?", "/n/?"), List.of("/*"), List.of()));
        PageLimits limits = new PageLimits(10, 4 << 20, 200_000, 20_000, Duration.ofSeconds(2));
        AtomicLong nanos = new AtomicLong();
        LongSupplier slow = () -> nanos.addAndGet(100_000_000);
        FindOptions all = FindOptions.of(FindOptions.NONE).within(0, 10);

        OrreryException refusal =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                items.find(
                                        new FindStatement(all.withSort(Documents.of("{'name':1}"))),
                                        limits,
                                        Optional.empty(),
                                        slow));

        assertThat(refusal.languageCode()).hasValue(292);
        assertThat(refusal.text()).contains("sort").contains("order by a path that the indexing");
        QueryResult indexed =
                items.find(
                        new FindStatement(all.withSort(Documents.of("{'n':1}"))),
                        limits,
                        Optional.empty(),
                        slow);
        assertThat(indexed.rows()).hasSize(10);
    }

    /** The paths that an index of MongoDB on o.k has, and an id. */
    @Test
    void anIndexOfFewPathsServesFiltersAndSorts() {
        MemoryItems items =
                items(
                        IndexedAnswerProperties.policy(
                                List.of(
                                        "/_id/?",
                                        "/o/k/?",
                                        "/o/k/[]/?",
                                        "/o/[]/k/?",
                                        "/o/[]/k/[]/?"),
                                List.of("/*"),
                                List.of()));
        for (String filter : List.of("{'_id':5}", "{'_id':{'$in':[5,6]}}", "{'o.k':3}")) {
            assertThat(run(items, FindOptions.of(Documents.of(filter)), PAGE).metrics().documents())
                    .as(filter)
                    .isLessThanOrEqualTo(20);
        }
        FindOptions sorted =
                FindOptions.of(FindOptions.NONE)
                        .withSort(Documents.of("{'o.k':1}"))
                        .withProjection(Documents.of("{'_id':1}"))
                        .within(0, 2);
        assertThat(run(items, sorted, SMALL).metrics().documents()).isLessThanOrEqualTo(12);
        items.add(Documents.bson("{'_id':'array','o':[{'k':7},{'k':-1}]}"));
        assertThat(run(items, sorted, SMALL).rows())
                .containsExactly(Documents.bson("{'_id':'array'}"), Documents.bson("{'_id':0}"));
    }

    @Test
    void aSortFollowsNoOtherIndexThanTheOneThatTheClientNames() {
        MemoryItems items =
                items(
                        IndexedAnswerProperties.policy(
                                List.of("/*", "/n/?", "/o/k/?"), List.of(), List.of()));
        FindOptions sorted =
                FindOptions.of(Documents.of("{'o.k':{'$lt':10}}"))
                        .withSort(Documents.of("{'n':1}"))
                        .within(0, 10);
        FindStatement free = new FindStatement(sorted);
        List<Bytes> rows = items.find(free, SMALL, Optional.empty()).rows();
        assertThat(documents(items, free)).isLessThanOrEqualTo(50);
        for (String hint : List.of("{'o.k':1}", "{'$natural':1}", "{'n':1}")) {
            FindStatement named = new FindStatement(sorted.withHint(Documents.of(hint)));
            assertThat(items.find(named, SMALL, Optional.empty()).rows()).as(hint).isEqualTo(rows);
        }
        assertThat(documents(items, new FindStatement(sorted.withHint(Documents.of("{'o.k':1}")))))
                .isEqualTo(220);
        assertThat(
                        documents(
                                items,
                                new FindStatement(sorted.withHint(Documents.of("{'$natural':1}")))))
                .isEqualTo(1000);
    }

    private static long documents(MemoryItems items, FindStatement read) {
        return items.find(read, SMALL, Optional.empty()).metrics().documents();
    }

    @Test
    void aSortFollowsACompositeIndex() {
        MemoryItems items =
                items(
                        IndexedAnswerProperties.policy(
                                List.of("/*"),
                                List.of(),
                                List.of(
                                        List.of(
                                                IndexedAnswerProperties.path("/name", false),
                                                IndexedAnswerProperties.path("/n", true)))));
        FindOptions options =
                FindOptions.of(FindOptions.NONE)
                        .withSort(Documents.of("{'name':1,'n':-1}"))
                        .within(0, 10);
        assertThat(run(items, options, SMALL).metrics().documents()).isLessThanOrEqualTo(12);
    }

    /** An array among the numbers has to come at the place of its least element. */
    @Test
    void oneArrayMakesAllBeSorted() {
        MemoryItems items = items(IndexingPolicy.DEFAULT);
        items.add(Documents.bson("{'_id':'array','n':[2000,-1]}"));
        FindOptions options =
                FindOptions.of(FindOptions.NONE)
                        .withSort(Documents.of("{'n':1}"))
                        .withProjection(Documents.of("{'_id':1}"))
                        .within(0, 2);
        List<Bytes> rows = run(items, options, SMALL).rows();
        assertThat(rows)
                .containsExactly(Documents.bson("{'_id':'array'}"), Documents.bson("{'_id':0}"));
    }
}
