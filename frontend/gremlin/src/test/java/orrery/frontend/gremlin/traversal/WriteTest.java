package orrery.frontend.gremlin.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.EngineFixture;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Scripts that write, and the items that come of it. Each test has a partition of its own. */
final class WriteTest {
    private static final String GUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static GraphClient graph;
    private static GraphClient keyless;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        graph = new GraphClient(fixture, fixture.container("five", 50_000, "/pk"));
        keyless = new GraphClient(fixture, fixture.container("keyless", 400));
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static void assertFails(GraphClient client, String script, ErrorCode code) {
        assertThatThrownBy(() -> client.results(script))
                .as(script)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    private static String item(GraphClient client, String id) {
        return client.sql("SELECT * FROM c WHERE c.id = '" + id + "'").getFirst();
    }

    @Test
    void aVertexIsOneItemInTheFormOfTheService() {
        graph.results(
                "g.addV('person').property('id','f1').property(single,'pk','form')"
                        + ".property('age',42).property(list,'nick','a','since',2001)"
                        + ".property(list,'nick','b').property('ok',true).property('x',2.5)");
        assertThat(graph.calls()).isEqualTo("1 Create");
        assertThat(item(graph, "f1"))
                .startsWith("{\"id\":\"f1\",\"label\":\"person\",\"pk\":\"form\"")
                .containsPattern("\"age\":\\[\\{\"_value\":42,\"id\":\"" + GUID + "\"}]")
                .containsPattern(
                        "\"nick\":\\[\\{\"_value\":\"a\",\"id\":\""
                                + GUID
                                + "\",\"_meta\":\\{\"since\":2001}},\\{\"_value\":\"b\"")
                .containsPattern("\"ok\":\\[\\{\"_value\":true,")
                .containsPattern("\"x\":\\[\\{\"_value\":2.5,");
        assertThat(graph.text("g.V(['form','f1']).properties('nick').has('since',2001)"))
                .isEqualTo("nick=a");
        assertThat(graph.text("g.V(['form','f1']).properties('nick').values('since')"))
                .isEqualTo("2001");
    }

    @Test
    void anEdgeIsKeptWithItsSource() {
        graph.results("g.addV('p').property('id','e1').property('pk','source')");
        graph.results("g.addV('q').property('id','e2').property('pk','sink')");
        graph.results(
                "g.V(['source','e1']).addE('calls').to(g.V(['sink','e2'])).property('id','e3')"
                        + ".property('via','radio')");
        assertThat(graph.calls()).isEqualTo("1 Create, 2 readItem");
        assertThat(item(graph, "e3"))
                .startsWith(
                        "{\"id\":\"e3\",\"label\":\"calls\",\"_isEdge\":true,\"_vertexId\":\"e1\","
                                + "\"_vertexLabel\":\"p\",\"_sink\":\"e2\",\"_sinkLabel\":\"q\","
                                + "\"_sinkPartition\":\"sink\",\"pk\":\"source\",\"via\":\"radio\",");
        assertThat(graph.text("g.E(['source','e3']).valueMap()")).isEqualTo("{via:radio}");
    }

    @Test
    void whatSqlWritesInThisFormIsSeen() {
        graph.create(
                "{'id':'s1','label':'city','pk':'sql','name':[{'id':'i','_value':'Oslo'}],'flat':1}"
                        .replace('\'', '"'));
        graph.create("{'id':'s2','pk':'sql'}".replace('\'', '"'));
        graph.create(
                ("{'id':'s3','label':'road','pk':'sql','_isEdge':true,'_vertexId':'s1','_sink':'s2',"
                                + "'_sinkPartition':'sql','km':7}")
                        .replace('\'', '"'));
        assertThat(graph.text("g.V(['sql','s1']).valueMap()")).isEqualTo("{name:[Oslo],pk:[sql]}");
        assertThat(graph.text("g.V(['sql','s1']).out('road').label()")).isEqualTo("vertex");
        assertThat(graph.text("g.V(['sql','s2']).inE().values('km')")).isEqualTo("7");
        assertThat(graph.text("g.V().has('pk','sql').hasLabel('vertex').count()")).isEqualTo("1L");
        assertThat(graph.text("g.V().has('pk','sql').has('flat',1)")).isEmpty();
    }

    @Test
    void aNameIsTakenWithinItsPartitionOnly() {
        graph.results("g.addV('a').property('id','same').property('pk','n1')");
        graph.results("g.addV('b').property('id','same').property('pk','n2')");
        assertFails(
                graph, "g.addV('c').property('id','same').property('pk','n1')", ErrorCode.CONFLICT);
        assertThat(graph.text("g.V('same').label()")).isEqualTo("a b");
        assertThat(graph.text("g.V('same').dedup().count()")).isEqualTo("2L");
        assertThat(graph.text("g.V('same').as('a').V('same').where(neq('a')).count()"))
                .isEqualTo("2L");
        graph.results("g.V(['n1','same']).addE('to').to(g.V(['n2','same']))");
        assertThat(graph.text("g.V(['n1','same']).out().label()")).isEqualTo("b");
        assertThat(graph.text("g.V(['n1','same']).in().label()")).isEmpty();
    }

    @Test
    void propertiesOfWhatIsThereChange() {
        graph.results("g.addV('a').property('id','u1').property('pk','u').property('n',1)");
        assertThat(graph.text("g.V(['u','u1']).property('n',2).values('n')")).isEqualTo("2");
        assertThat(graph.text("g.V(['u','u1']).property(list,'n',3).values('n')")).isEqualTo("2 3");
        assertThat(graph.text("g.V(['u','u1']).property('a',1).property('b',2).valueMap('a','b')"))
                .isEqualTo("{a:[1],b:[2]}");
        assertThat(graph.calls()).isEqualTo("1 Replace, 1 readItem");
        graph.results("g.V(['u','u1']).properties('n').hasValue(2).drop()");
        assertThat(graph.text("g.V(['u','u1']).values('n')")).isEqualTo("3");
        graph.results("g.V(['u','u1']).properties('a','b','n').drop()");
        assertThat(graph.text("g.V(['u','u1']).valueMap()")).isEqualTo("{pk:[u]}");
        assertThatThrownBy(() -> graph.results("g.V(['u','u1']).properties('pk').drop()"))
                .isInstanceOf(GraphException.class);
    }

    @Test
    void aNamedVersionIsTheOneThatChanges() {
        graph.results("g.addV('a').property('id','t1').property('pk','t').property('n',1)");
        String etag =
                (String)
                        graph.results(
                                        "g.withStrategies(ProjectionStrategy.build()"
                                                + ".IncludeSystemProperties('_etag').create())"
                                                + ".V(['t','t1']).values('_etag')")
                                .getFirst();
        Map<String, Object> bindings = Map.of("etag", etag);
        String script = "g.V(['t','t1']).has('_etag',etag).property('n',2)";
        assertThat(graph.results(script, bindings)).hasSize(1);
        assertThat(graph.results(script, bindings)).isEmpty();
        // Another one writes between the read and the write.
        assertThatThrownBy(
                        () ->
                                graph.results(
                                        "g.V(['t','t1']).has('_etag').as('v')"
                                                + ".map(__.V(['t','t1']).property('n',5))"
                                                + ".select('v').property('n',6)"))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        lost -> assertThat(lost.code()).isEqualTo(ErrorCode.PRECONDITION_FAILED));
        // Whoever names no version changes what is there.
        graph.results(
                "g.V(['t','t1']).as('v').map(__.V(['t','t1']).property('m',5))"
                        + ".select('v').property('n',6)");
        assertThat(graph.text("g.V(['t','t1']).values('n','m')")).isEqualTo("5 6");
    }

    @Test
    void aVertexGoesWithItsEdges() {
        for (String id : List.of("d1", "d2", "d3")) {
            graph.results("g.addV('a').property('id','%s').property('pk','d%s')".formatted(id, id));
        }
        graph.results("g.V('d1').addE('x').to(g.V('d2'))");
        graph.results("g.V('d2').addE('x').to(g.V('d3'))");
        graph.results("g.V('d2').addE('x').to(g.V('d2'))");
        graph.results("g.V('d3').addE('x').to(g.V('d1'))");
        assertThat(graph.text("g.V('d2').drop()")).isEmpty();
        assertThat(graph.calls()).isEqualTo("2 batch, 3 query");
        assertThat(graph.text("g.V('d1','d2','d3')")).isEqualTo("v[d1] v[d3]");
        assertThat(graph.text("g.V('d1','d3').bothE().dedup().count()")).isEqualTo("1L");
        assertThat(graph.sql("SELECT VALUE c.id FROM c WHERE c._sink='d2' OR c._vertexId='d2'"))
                .isEmpty();
    }

    @Test
    void anEdgeWhoseEndIsGoneLeadsNowhere() {
        graph.results("g.addV('a').property('id','g1').property('pk','g')");
        graph.create(
                ("{'id':'g2','label':'x','pk':'g','_isEdge':true,'_vertexId':'g1','_sink':'gone',"
                                + "'_sinkPartition':'h'}")
                        .replace('\'', '"'));
        assertThat(graph.text("g.V(['g','g1']).out()")).isEmpty();
        assertThat(graph.text("g.V(['g','g1']).outE().inV()")).isEmpty();
        assertThat(graph.text("g.V(['g','g1']).outE()")).isEqualTo("e[g2]");
    }

    @Test
    void upsertsFindOrAdd() {
        String vertex =
                "g.V('k1').has('pk','k').fold()"
                        + ".coalesce(unfold(),addV('p').property('id','k1').property('pk','k'))";
        assertThat(graph.text(vertex)).isEqualTo("v[k1]");
        assertThat(graph.calls()).isEqualTo("1 Create, 1 readItem");
        assertThat(graph.text(vertex)).isEqualTo("v[k1]");
        assertThat(graph.calls()).isEqualTo("1 readItem");
        graph.results("g.addV('p').property('id','k2').property('pk','k')");
        String edge =
                "g.V('k1').as('v').V('k2').coalesce(__.inE('knows').where(outV().as('v')),"
                        + "addE('knows').from('v')).label()";
        assertThat(graph.text(edge)).isEqualTo("knows");
        assertThat(graph.text(edge)).isEqualTo("knows");
        assertThat(graph.text("g.E().hasLabel('knows').count()")).isEqualTo("1L");
    }

    @Test
    void withoutAKeyIdsAreEnough() {
        keyless.results("g.addV('a').property('id','1').property('n',1)");
        keyless.results("g.addV('b').property('id','2').property('n',2)");
        keyless.results("g.V('1').addE('x').to(g.V('2'))");
        assertThat(keyless.text("g.V('1','2')")).isEqualTo("v[1] v[2]");
        assertThat(keyless.calls()).isEqualTo("1 readMany");
        assertThat(keyless.text("g.V('1').out().values('n')")).isEqualTo("2");
        assertThat(keyless.text("g.V('2').in().id()")).isEqualTo("1");
        assertFails(keyless, "g.addV('c').property('id','1')", ErrorCode.CONFLICT);
        keyless.results("g.V('1').drop()");
        assertThat(keyless.text("g.E().count()")).isEqualTo("0L");
    }

    @Test
    void numbersMeetWhateverTheirTypes() {
        graph.results(
                "g.addV('n').property('id','z').property('pk','num').property('i',5)"
                        + ".property('l',5000000000).property('d',2.5).property('w',3.0)");
        for (String condition :
                List.of(
                        "'i',5",
                        "'i',5L",
                        "'i',5.0",
                        "'l',5000000000L",
                        "'l',5e9",
                        "'d',2.5",
                        "'w',3")) {
            assertThat(graph.text("g.V().has('pk','num').has(" + condition + ").id()"))
                    .as(condition)
                    .isEqualTo("z");
        }
        assertThat(graph.results("g.V(['num','z']).values('i','l','d')"))
                .containsExactlyInAnyOrder(5, 5_000_000_000L, 2.5);
    }

    @Test
    void whatNoPropertyCanHaveIsRefused() {
        for (Object value : List.of(List.of(1, 2), Map.of("a", 1), Double.NaN, UUID.randomUUID())) {
            assertThatThrownBy(
                            () ->
                                    graph.results(
                                            "g.addV('n').property('pk','bad').property('x',given)",
                                            Map.of("given", value)))
                    .as("%s", value)
                    .isInstanceOf(GraphException.class);
        }
        assertThatThrownBy(
                        () -> graph.results("g.addV('n').property('pk','bad').property('x',null)"))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("null is none");
        assertThat(graph.text("g.V().has('pk','bad').count()")).isEqualTo("0L");
    }

    @Test
    void keysOfAllTypesNamePartitions() {
        graph.results("g.addV('n').property('id','b').property('pk',true)");
        graph.results("g.addV('n').property('id','n').property('pk',7)");
        graph.results("g.V([true,'b']).addE('x').to(g.V([7,'n']))");
        assertThat(graph.text("g.V([true,'b']).out().values('pk')")).isEqualTo("7");
        assertThat(graph.text("g.V([7.0,'n']).in().values('pk')")).isEqualTo("true");
    }

    @Test
    void statementsAreCarriedOutInTurn() {
        assertThat(
                        graph.text(
                                "g.addV('m').property('id','m1').property('pk','m');"
                                        + " g.addV('m').property('id','m2').property('pk','m').iterate();"
                                        + " g.V().has('pk','m').id()"))
                .isEqualTo("m1 m2");
        assertThat(graph.text("g.V().has('pk','m').hasNext()")).isEqualTo("true");
        assertThat(graph.results("g.V().has('pk','m').next(1)")).hasSize(1);
    }

    @Test
    void anEdgeOfSqlThatNamesNoEndsIsNotShown() {
        graph.create("{'id':'broken','pk':'sql4','_isEdge':true}".replace('\'', '"'));
        assertThat(graph.results("g.E().has('pk','sql4')")).isEmpty();
        assertThat(graph.results("g.E(['sql4','broken'])")).isEmpty();
        assertThat(graph.results("g.V(['sql4','broken'])")).isEmpty();
    }

    /** A client that had to begin anew would be refused at the same place again. */
    @Test
    void aTraversalThatHasBegunWaitsForThroughput() {
        graph.results("g.addV('x').property('pk','slow').property('id','v1')");
        String script = "g.V(['slow','v1']).property('n',1).values('n')";
        graph.throttleAfter("writeItem", 0);
        assertThat(graph.results(script)).containsExactly(1);
        graph.throttleAfter("readItem", 0);
        assertFails(graph, script, ErrorCode.TOO_MANY_REQUESTS);
    }

    /** The grammar has only literals there. */
    @Test
    void bindingsMayStandInListsAndInInject() {
        String id = "it's \" \u00e9\ud83d\ude00";
        graph.results(
                "g.addV('bound').property('pk', part).property('id', name)",
                Map.of("part", "lists", "name", id));
        for (String script :
                List.of(
                        "g.V([part, name]).id()",
                        "g.V(['lists', name]).id()",
                        "g.V([part, name], ['lists', 'none']).id()",
                        "g.V().has('pk', part).hasId(within([name, 'none'])).id()")) {
            assertThat(graph.results(script, Map.of("part", "lists", "name", id)))
                    .as(script)
                    .containsExactly(id);
        }
        graph.results(
                "g.addV(l).property('pk', part).property('id', 'k').property(k, v)",
                Map.of("l", "bound", "part", "lists", "k", "colour", "v", "red"));
        assertThat(
                        graph.results(
                                "g.V([part, i]).has(k, v).repeat(identity()).times(n).values(k)",
                                Map.of(
                                        "part", "lists", "i", "k", "k", "colour", "v", "red", "n",
                                        2)))
                .containsExactly("red");
        assertThat(
                        graph.results(
                                "g.inject(a, b, c, d, e)",
                                Map.of(
                                        "a", -5, "b", 1L << 40, "c", -2.5e-9, "d", true, "e",
                                        "\\u0041")))
                .containsExactly(-5, 1L << 40, -2.5e-9, true, "\\u0041");
    }

    @Test
    void bindingsAreVariables() {
        graph.results(
                "g.addV(label).property('id',vid).property('pk',key)",
                Map.of("label", "bound", "vid", "v1", "key", "bind"));
        assertThat(graph.results("g.V(name).label()", Map.of("name", List.of("bind", "v1"))))
                .containsExactly("bound");
        assertThat(graph.calls()).isEqualTo("1 readItem");
    }

    @Test
    void aProfileTellsWhatWasDone() {
        graph.results("g.addV('p').property('id','p1').property('pk','p')");
        Map<?, ?> profile =
                (Map<?, ?>) graph.results("g.V(['p','p1']).out().executionProfile()").getFirst();
        assertThat(profile.get("gremlin")).isEqualTo("g.V(['p','p1']).out().executionProfile()");
        assertThat(profile.keySet().toString()).isEqualTo("[gremlin, totalTime, metrics]");
        List<String> operators = new ArrayList<>();
        for (Object metric : (List<?>) Objects.requireNonNull(profile.get("metrics"))) {
            operators.add(String.valueOf(((Map<?, ?>) metric).get("name")));
        }
        assertThat(operators).containsExactly("GetVertices", "GetEdges", "ProjectOperator");
        assertThat(graph.charge()).isGreaterThan(1);
    }
}
