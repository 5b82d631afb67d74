package orrery.query.mongo.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.find.FindOptions;

class ExecutorTest {
    private static final ExpressionContext CONTEXT =
            new ExpressionContext(MongoOrder.SIMPLE, FindOptions.NONE, Instant.EPOCH, 0);

    /** All documents hold the same text, so that only the accounts grow. */
    private static final Value TEXT = Value.of("x".repeat(1 << 20));

    private final AtomicInteger opened = new AtomicInteger();
    private List<Value.Obj> others = List.of();

    private List<Value.Obj> run(String stages, List<Value.Obj> documents) {
        Pipeline pipeline = pipeline(stages);
        Executor executor = new Executor(this::open, CONTEXT, new Random(1));
        orrery.query.mongo.aggregate.Documents made =
                executor.run(pipeline.stages(), new ListDocuments(documents));
        List<Value.Obj> rows = new ArrayList<>();
        while (made.advance() == orrery.query.mongo.aggregate.Documents.Step.ROW) {
            rows.add(made.row());
        }
        return rows;
    }

    private static Pipeline pipeline(String stages) {
        return new PipelineReader(CONTEXT)
                .read(((Value.Array) Documents.value("[" + stages + "]")).elements());
    }

    private orrery.query.mongo.aggregate.Documents open(
            Optional<String> collection, List<Value> stages, ExpressionContext context) {
        opened.incrementAndGet();
        return new Executor(this::open, context, new Random(1))
                .run(
                        new PipelineReader(context).read(stages).stages(),
                        new ListDocuments(collection.isPresent() ? others : List.of()));
    }

    private static Value.Obj large(int id) {
        return Value.Obj.of("_id", Value.of(id), "text", TEXT);
    }

    private static List<Value.Obj> large(int from, int to) {
        return IntStream.range(from, to).mapToObj(ExecutorTest::large).toList();
    }

    @Test
    void sortsUpToTheLimitOfMemory() {
        long entry = 96 + HeapSize.of(large(1)) + HeapSize.of(Value.of(1));
        int most = (int) (StageMemory.LIMIT_BYTES / entry);
        assertThat(run("{'$sort':{'_id':-1}}", large(0, most))).hasSize(most);
        assertThatThrownBy(() -> run("{'$sort':{'_id':-1}}", large(0, most + 1)))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.languageCode()).hasValue(292));
        List<Value.Obj> first = run("{'$sort':{'_id':-1}},{'$limit':2}", large(0, 3 * most));
        assertThat(first)
                .extracting(each -> each.properties().get("_id"))
                .containsExactly(Value.of(3L * most - 1), Value.of(3L * most - 2));
    }

    @Test
    void groupsUpToTheLimitOfMemory() {
        String push = "{'$group':{'_id':null,'all':{'$push':'$text'}}}";
        int most = (int) (StageMemory.LIMIT_BYTES / (16 + HeapSize.of(TEXT)));
        assertThat(run(push, large(0, most - 1))).hasSize(1);
        assertThatThrownBy(() -> run(push, large(0, most + 1)))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.languageCode()).hasValue(292));
        assertThat(run("{'$group':{'_id':null,'n':{'$max':'$_id'}}}", large(0, 1000)))
                .extracting(each -> each.properties().get("n"))
                .containsExactly(Value.of(999));
    }

    @Test
    void facetsTakeTurns() {
        List<Value.Obj> facets =
                run(
                        "{'$facet':{'n':[{'$count':'c'}],'top':[{'$sort':{'_id':-1}},{'$limit':1},{'$unset':'text'}],"
                                + "'first':[{'$limit':1},{'$unset':'text'}],'none':[{'$match':{'_id':-1}}]}}",
                        large(0, 40));
        assertThat(facets.stream().map(ValueText::of))
                .containsExactly(
                        "{ n: [ { c: 40 } ], top: [ { _id: 39 } ], first: [ { _id: 0 } ], none: [] }");
    }

    @Test
    void lookUpsThatAreTooLargeAreHalved() {
        others =
                IntStream.range(0, 48)
                        .mapToObj(i -> new Value.Obj(Map.of("k", Value.of(i % 16), "text", TEXT)))
                        .toList();
        List<Value.Obj> documents =
                IntStream.range(0, 16)
                        .mapToObj(i -> new Value.Obj(Map.of("_id", Value.of(i))))
                        .toList();
        List<Value.Obj> joined =
                run(
                        "{'$lookup':{'from':'others','localField':'_id','foreignField':'k','as':'o'}},"
                                + "{'$project':{'n':{'$size':'$o'}}}",
                        documents);
        assertThat(joined).hasSize(16);
        assertThat(joined).allMatch(each -> Value.of(3).equals(each.properties().get("n")));
        assertThat(opened.get()).isGreaterThan(1);
        opened.set(0);
        run("{'$lookup':{'from':'others','pipeline':[{'$limit':1}],'as':'o'}}", documents);
        assertThat(opened).hasValue(1);
    }

    /** Documents that are refused again and again before they are given. */
    private record Refused(
            orrery.query.mongo.aggregate.Documents documents, int oneOf, Random random)
            implements orrery.query.mongo.aggregate.Documents {
        @Override
        public Step advance() {
            if (random.nextInt(oneOf) == 0) {
                throw new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "later");
            }
            return documents.advance();
        }

        @Override
        public Value.Obj row() {
            return documents.row();
        }

        @Override
        public long heapBytes() {
            return documents.heapBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$sort':{'k':1,'_id':1}}",
                "{'$group':{'_id':'$k','all':{'$push':'$_id'}}},{'$skip':1}",
                "{'$bucketAuto':{'groupBy':'$_id','buckets':3}}",
                "{'$lookup':{'from':'o','localField':'k','foreignField':'k','as':'j'}},{'$unwind':'$j'}",
                "{'$lookup':{'from':'o','let':{'m':'$k'},'pipeline':[{'$match':{'$expr':"
                        + "{'$eq':['$k','$$m']}}}],'as':'j'}}",
                "{'$facet':{'a':[{'$sort':{'_id':-1}}],'b':[{'$lookup':{'from':'o','localField':'k',"
                        + "'foreignField':'k','as':'j'}}],'c':[{'$limit':2}]}}",
                "{'$unionWith':'o'},{'$limit':60}",
            })
    void whatIsRefusedGoesOnWhereItWas(String stages) {
        others =
                IntStream.range(0, 9)
                        .mapToObj(i -> Value.Obj.of("_id", Value.of(i), "k", Value.of(i % 4)))
                        .toList();
        List<Value.Obj> documents =
                IntStream.range(0, 50)
                        .mapToObj(i -> Value.Obj.of("_id", Value.of(i), "k", Value.of(i % 5)))
                        .toList();
        List<Value.Obj> expected = run(stages, documents);
        Random random = new Random(stages.hashCode());
        Executor executor =
                new Executor(
                        (collection, inner, context) ->
                                new Refused(open(collection, inner, context), 400, random),
                        CONTEXT,
                        random);
        orrery.query.mongo.aggregate.Documents made =
                executor.run(
                        pipeline(stages).stages(),
                        new Refused(new ListDocuments(documents), 3, random));
        List<Value.Obj> rows = new ArrayList<>();
        boolean isAtEnd = false;
        for (int i = 0; i < 1_000_000 && !isAtEnd; i++) {
            try {
                isAtEnd = made.advance() == orrery.query.mongo.aggregate.Documents.Step.END;
                if (!isAtEnd) {
                    rows.add(made.row());
                }
            } catch (OrreryException refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
            }
        }
        assertThat(isAtEnd).isTrue();
        assertThat(rows.stream().map(ValueText::of).toList())
                .isEqualTo(expected.stream().map(ValueText::of).toList());
    }
}
