package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import orrery.document.IndexPath;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.IndexingPolicy;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.IndexingPolicy.SpatialPath;
import orrery.model.TermRules;
import orrery.query.dialect.Effort;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.PathValues;
import orrery.query.sql.SqlPreparation;
import orrery.query.sql.SqlStatement;

/** A spatial index changes which items are read, never which are found. */
class SpatialAnswerProperties {
    private static final List<String> ALL =
            List.of("Point", "LineString", "Polygon", "MultiPolygon");
    private static final Optional<BoundingBox> BOX = Optional.of(new BoundingBox(-10, -5, 10, 20));

    /** No geometry, or none that means anything. */
    private static final List<String> FAULTY =
            List.of(
                    "null",
                    "\"POINT(1 1)\"",
                    "[1,1]",
                    "{\"type\":\"Point\"}",
                    "{\"type\":\"Point\",\"coordinates\":[1]}",
                    "{\"type\":\"Point\",\"coordinates\":[1,95]}",
                    "{\"type\":\"Point\",\"coordinates\":[[1,1]]}",
                    "{\"type\":\"Point\",\"coordinates\":[1,{\"type\":\"Point\",\"coordinates\":[1,1]}]}",
                    "{\"type\":\"Circle\",\"coordinates\":[1,1]}",
                    "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}",
                    "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1]]]}",
                    "{\"type\":\"LineString\",\"coordinates\":[[0,0]]}");

    private static IndexingPolicy policy(String included, List<SpatialPath> spatial) {
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT,
                true,
                List.of(included.equals("/*") ? "/*" : included),
                included.equals("/*") ? List.of() : List.of("/*"),
                List.of(),
                spatial);
    }

    private static List<IndexingPolicy> policies(Optional<BoundingBox> box) {
        return List.of(
                policy("/*", List.of(new SpatialPath("/g/*", ALL, box))),
                policy("/n/?", List.of(new SpatialPath("/*", ALL, box))),
                policy("/*", List.of(new SpatialPath("/g/?", List.of("Point"), box))),
                policy(
                        "/n/?",
                        List.of(
                                new SpatialPath("/g/?", List.of("Polygon", "LineString"), box),
                                new SpatialPath("/gs/[]/*", ALL, box))),
                policy("/*", List.of()));
    }

    @Property
    void onTheGlobe(
            @ForAll("globeBodies") List<String> bodies,
            @ForAll("globeFilters") String filter,
            @ForAll("policyNumbers") int policy,
            @ForAll("limits") PageLimits limits) {
        check(Geospatial.GEOGRAPHY, policies(Optional.empty()).get(policy), bodies, filter, limits);
    }

    @Property
    void onAPlane(
            @ForAll("planeBodies") List<String> bodies,
            @ForAll("planeFilters") String filter,
            @ForAll("policyNumbers") int policy,
            @ForAll("limits") PageLimits limits) {
        check(Geospatial.GEOMETRY, policies(BOX).get(policy), bodies, filter, limits);
    }

    private static void check(
            Geospatial space,
            IndexingPolicy policy,
            List<String> bodies,
            String filter,
            PageLimits limits) {
        MemoryItems items = new MemoryItems(policy, space);
        items.add("{\"id\":\"first\"}");
        for (int i = 0; i < bodies.size(); i++) {
            items.add("{\"id\":\"" + i + "\"" + bodies.get(i) + "}");
        }
        String text = "SELECT VALUE c.id FROM c " + filter;
        assertThat(items.all(text, limits))
                .as(text)
                .containsExactlyInAnyOrderElementsOf(scanned(text, space, items.values()));
    }

    private static List<String> scanned(String text, Geospatial space, List<Value> items) {
        PreparedQuery query =
                SqlPreparation.prepare(
                        SqlStatement.parse(text, Map.of()),
                        new Evaluator(Map.of(), space, UserFunctions.NONE),
                        false,
                        TermRules.FIRST);
        List<String> ids = new ArrayList<>();
        for (Value item : items) {
            ProgramRun run = query.program().start(new Effort());
            run.open(item);
            while (run.hasNext()) {
                run.next();
                if (run.matches()) {
                    ids.add(
                            JsonText.write(
                                    new PathValues(item, ComputedProperties.NONE)
                                            .find(IndexPath.of("id"))));
                }
            }
        }
        return ids;
    }

    @Provide
    Arbitrary<Integer> policyNumbers() {
        return Arbitraries.integers().between(0, policies(BOX).size() - 1);
    }

    @Provide
    Arbitrary<PageLimits> limits() {
        return Combinators.combine(
                        Arbitraries.of(1, 3, 100),
                        Arbitraries.of(4, 50, 100_000),
                        Arbitraries.of(2, 10_000))
                .as(
                        (rows, entries, documents) ->
                                new PageLimits(
                                        rows, 4 << 20, entries, documents, Duration.ofHours(1)));
    }

    @Provide
    Arbitrary<List<String>> globeBodies() {
        return bodies(geometries(globeX(), globeY(), 90));
    }

    @Provide
    Arbitrary<List<String>> planeBodies() {
        return bodies(geometries(planeX(), planeY(), 1000));
    }

    @Provide
    Arbitrary<String> globeFilters() {
        return filters(
                geometries(globeX(), globeY(), 90),
                Arbitraries.of("0", "0.001", "1", "5000", "200000", "3e6", "1e7", "2.1e7", "-1"));
    }

    @Provide
    Arbitrary<String> planeFilters() {
        return filters(
                geometries(planeX(), planeY(), 1000),
                Arbitraries.of("0", "1e-9", "0.5", "3", "40", "1e300", "-1"));
    }

    private static Arbitrary<Double> globeX() {
        return Arbitraries.oneOf(
                Arbitraries.of(-180.0, 180.0, 179.999999, -179.999999, 0.0, 45.0, 90.0, -90.0),
                Arbitraries.doubles().between(-1, 1).ofScale(3),
                Arbitraries.doubles().between(-180, 180));
    }

    private static Arbitrary<Double> globeY() {
        return Arbitraries.oneOf(
                Arbitraries.of(90.0, -90.0, 89.999999, -89.9, 0.0, 35.26438968),
                Arbitraries.doubles().between(-1, 1).ofScale(3),
                Arbitraries.doubles().between(-90, 90));
    }

    private static Arbitrary<Double> planeX() {
        return Arbitraries.oneOf(
                Arbitraries.of(-10.0, 10.0, 0.0, 9.999999999, -10.000001, 5.0),
                Arbitraries.doubles().between(-1, 1).ofScale(3),
                Arbitraries.doubles().between(-15, 15));
    }

    private static Arbitrary<Double> planeY() {
        return Arbitraries.oneOf(
                Arbitraries.of(-5.0, 20.0, 7.5, 0.0, 19.999999999, 20.00001),
                Arbitraries.doubles().between(-1, 1).ofScale(3),
                Arbitraries.doubles().between(-10, 30));
    }

    private static Arbitrary<String> geometries(
            Arbitrary<Double> xs, Arbitrary<Double> ys, double maxY) {
        Arbitrary<String> position = Combinators.combine(xs, ys).as(SpatialAnswerProperties::pair);
        Arbitrary<String> point = position.map(at -> geometry("Point", at));
        Arbitrary<String> line =
                position.list()
                        .ofMinSize(2)
                        .ofMaxSize(4)
                        .map(all -> geometry("LineString", "[" + String.join(",", all) + "]"));
        Arbitrary<String> ring =
                Combinators.combine(
                                xs,
                                ys,
                                Arbitraries.of(1e-6, 0.01, 0.5, 3.0, 30.0, 100.0),
                                Arbitraries.of(true, true, false))
                        .as((x, y, size, isLeft) -> box(x, Math.min(y, maxY), size, isLeft, maxY));
        Arbitrary<String> triangle =
                position.list()
                        .ofSize(3)
                        .map(all -> "[" + String.join(",", all) + "," + all.getFirst() + "]");
        Arbitrary<String> cap =
                Arbitraries.of(
                        "[[0,80],[90,80],[180,80],[-90,80],[0,80]]",
                        "[[0,-60],[-90,-60],[180,-60],[90,-60],[0,-60]]",
                        "[[170,-5],[-170,-5],[-170,5],[170,5],[170,-5]]",
                        "[[0,80],[-90,80],[180,80],[90,80],[0,80]]");
        Arbitrary<String> anyRing = Arbitraries.oneOf(ring, ring, triangle, cap);
        Arbitrary<String> polygon = anyRing.map(all -> geometry("Polygon", "[" + all + "]"));
        Arbitrary<String> several =
                anyRing.list()
                        .ofMaxSize(2)
                        .map(
                                rings ->
                                        geometry(
                                                "MultiPolygon",
                                                "["
                                                        + String.join(
                                                                ",",
                                                                rings.stream()
                                                                        .map(one -> "[" + one + "]")
                                                                        .toList())
                                                        + "]"));
        return Arbitraries.oneOf(point, point, line, polygon, polygon, several);
    }

    private static String pair(double x, double y) {
        return "[" + x + "," + y + "]";
    }

    private static String box(double x, double y, double size, boolean isLeft, double maxY) {
        double right = Math.min(x + size, maxY == 90 ? 180 : 1000);
        double top = Math.min(y + size, maxY);
        String corners =
                isLeft
                        ? "[%1$s,%2$s],[%3$s,%2$s],[%3$s,%4$s],[%1$s,%4$s],[%1$s,%2$s]"
                        : "[%1$s,%2$s],[%1$s,%4$s],[%3$s,%4$s],[%3$s,%2$s],[%1$s,%2$s]";
        return "[" + String.format(Locale.ROOT, corners, x, y, right, top) + "]";
    }

    /** The type may come behind the coordinates, and other things between them. */
    private static String geometry(String type, String coordinates) {
        return coordinates.length() % 2 == 0
                ? "{\"type\":\"" + type + "\",\"coordinates\":" + coordinates + "}"
                : "{\"coordinates\":"
                        + coordinates
                        + ",\"crs\":{\"a\":[1,2]},\"type\":\""
                        + type
                        + "\"}";
    }

    private static Arbitrary<List<String>> bodies(Arbitrary<String> geometries) {
        Arbitrary<String> values =
                Arbitraries.frequencyOf(
                        Tuple.of(8, geometries), Tuple.of(1, Arbitraries.of(FAULTY)));
        return Combinators.combine(
                        values,
                        values.list().ofMaxSize(3),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(true, true, false))
                .as(
                        (g, gs, n, hasG) ->
                                (hasG ? ",\"g\":" + g : "")
                                        + ",\"n\":"
                                        + n
                                        + ",\"gs\":["
                                        + String.join(",", gs)
                                        + "]")
                .list()
                .ofMaxSize(20);
    }

    private static Arbitrary<String> filters(
            Arbitrary<String> geometries, Arbitrary<String> distances) {
        Arbitrary<String> shapes =
                Arbitraries.frequencyOf(
                        Tuple.of(12, geometries), Tuple.of(1, Arbitraries.of(FAULTY)));
        Arbitrary<String> condition =
                Combinators.combine(
                                Arbitraries.of(
                                        "ST_DISTANCE(#, ?) < ^",
                                        "ST_DISTANCE(?, #) <= ^",
                                        "^ > ST_DISTANCE(#, ?)",
                                        "ST_DISTANCE(#, ?) BETWEEN 0 AND ^",
                                        "ST_DISTANCE(#, ?) = 0",
                                        "ST_DISTANCE(#, ?) > ^",
                                        "ST_WITHIN(#, ?)",
                                        "ST_WITHIN(?, #)",
                                        "ST_WITHIN(#, ?) = true",
                                        "ST_INTERSECTS(#, ?)",
                                        "ST_INTERSECTS(?, #)",
                                        "NOT ST_INTERSECTS(#, ?)",
                                        "(ST_INTERSECTS(#, ?) AND IS_DEFINED(#))"),
                                shapes,
                                distances)
                        .as((form, shape, far) -> form.replace("?", shape).replace("^", far));
        Arbitrary<String> ofItem = condition.map(text -> text.replace("#", "c.g"));
        return Arbitraries.oneOf(
                ofItem.map(one -> "WHERE " + one),
                ofItem.map(one -> "WHERE c.n = 1 AND " + one),
                Combinators.combine(ofItem, ofItem, Arbitraries.of("AND", "OR"))
                        .as((a, b, word) -> "WHERE " + a + " " + word + " " + b),
                ofItem.map(one -> "WHERE c.n = 2 OR " + one),
                condition.map(
                        one -> "WHERE EXISTS(SELECT VALUE t FROM t IN c.gs WHERE " + of(one) + ")"),
                condition.map(one -> "JOIN t IN c.gs WHERE " + of(one)));
    }

    private static String of(String condition) {
        return condition.replace("#", "t");
    }
}
