package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.IndexingPolicy.SpatialPath;
import orrery.model.TermRules;
import orrery.model.codec.MalformedRecordException;

/** Holds the stored bytes of the index still. */
final class IndexFormatTest {
    static Stream<String> values() {
        return Golden.lines("index-values.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("values")
    void values(String line) {
        String[] parts = line.split("\t", -1);
        Value value =
                parts[0].equals("undefined") ? Value.Undefined.UNDEFINED : JsonText.parse(parts[0]);
        assertThat(IndexValue.encode(value, TermRules.FIRST).toHex()).isEqualTo(parts[1]);

        IndexValue.Decoded decoded = IndexValue.decode(Bytes.ofHex(parts[1]));
        assertThat(decoded.end()).isEqualTo(parts[1].length() / 2);
        if (decoded.isExact()) {
            assertThat(decoded.value()).isEqualTo(value);
        }
        Bytes whole = Bytes.ofHex(parts[1]);
        for (int length = 0; length < whole.length(); length++) {
            Bytes cut = Bytes.copyOf(whole.unsafeArray(), 0, length);
            assertThatThrownBy(() -> IndexValue.decode(cut))
                    .isInstanceOf(MalformedRecordException.class);
        }
    }

    static Stream<String> bsonValues() {
        return Golden.lines("index-bson-values.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("bsonValues")
    void bsonValues(String line) {
        String[] parts = line.split("\t", -1);
        Value value = JsonForm.parse(JsonText.parse(parts[0]));
        assertThat(IndexValue.encode(value, TermRules.FIRST).toHex()).isEqualTo(parts[1]);

        IndexValue.Decoded decoded = IndexValue.decode(Bytes.ofHex(parts[1]));
        assertThat(decoded.end()).isEqualTo(parts[1].length() / 2);
        if (decoded.isExact()) {
            assertThat(IndexValue.encode(decoded.value(), TermRules.FIRST).toHex())
                    .isEqualTo(parts[1]);
        }
        Bytes whole = Bytes.ofHex(parts[1]);
        for (int length = 0; length < whole.length(); length++) {
            Bytes cut = Bytes.copyOf(whole.unsafeArray(), 0, length);
            assertThatThrownBy(() -> IndexValue.decode(cut))
                    .isInstanceOf(MalformedRecordException.class);
        }
    }

    static Stream<String> paths() {
        return Golden.lines("index-paths.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void paths(String line) {
        String[] parts = line.split("\t", -1);
        IndexPath path = IndexPath.ROOT;
        for (Value step : ((Value.Array) JsonText.parse(parts[0])).elements()) {
            path = step instanceof Value.Text(String name) ? path.property(name) : path.element();
        }
        Bytes encoded = IndexPathCodec.encode(path);
        assertThat(encoded.toHex()).isEqualTo(parts[1]);
        assertThat(IndexPathCodec.end(encoded.unsafeArray())).isEqualTo(encoded.length());
        if (encoded.length() <= IndexPathCodec.MAX_BYTES) {
            assertThat(IndexPathCodec.decode(encoded)).contains(path);
        } else {
            assertThat(IndexPathCodec.decode(encoded)).isEmpty();
        }
    }

    @Test
    void terms() {
        IndexPlan plan =
                IndexPlan.compile(
                        new IndexingPolicy(
                                IndexingPolicy.Mode.CONSISTENT,
                                true,
                                List.of("/*", "/q/r/?"),
                                List.of("/\"_etag\"/?"),
                                List.of(
                                        List.of(
                                                new IndexingPolicy.CompositePath("/n", false),
                                                new IndexingPolicy.CompositePath("/id", true)),
                                        List.of(
                                                new IndexingPolicy.CompositePath("/missing", true),
                                                new IndexingPolicy.CompositePath("/_ts", false))),
                                List.of()));
        IndexTerms terms =
                plan.extract(
                        Bytes.ofUtf8(
                                "{\"id\":\"1\",\"n\":5,\"tags\":[\"x\",\"y\",\"x\"],"
                                        + "\"o\":{\"e\":[]}}"),
                        1_700_000_000);
        assertThat(terms.toList().stream().map(Bytes::toHex))
                .containsExactlyElementsOf(Golden.lines("index-terms.hex"));
        assertThat(terms.leafCount()).isEqualTo(5);
    }

    static Stream<String> bsonComposites() {
        return Golden.lines("index-bson-composites.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("bsonComposites")
    void bsonComposites(String line) {
        String[] parts = line.split("\t", -1);
        Value value = JsonForm.parse(JsonText.parse(parts[0]));
        IndexPlan plan =
                IndexPlan.compile(
                        new IndexingPolicy(
                                IndexingPolicy.Mode.CONSISTENT,
                                true,
                                List.of("/*"),
                                List.of(),
                                List.of(
                                        List.of(
                                                new IndexingPolicy.CompositePath("/v", false),
                                                new IndexingPolicy.CompositePath("/w", true))),
                                List.of()),
                        List.of(),
                        ContainerKind.MONGODB);
        Bytes body = BsonCodec.write(new Value.Obj(Map.of("v", value, "w", value)));
        assertThat(plan.extract(Encoding.BSON, body, 1_700_000_000, List.of()).toList().stream())
                .map(Bytes::toHex)
                .filteredOn(term -> term.startsWith("05"))
                .containsExactly(parts[1]);
    }

    @Test
    void spatialTerms() {
        List<String> terms =
                new ArrayList<>(
                        spatialTerms(
                                List.of(
                                        new SpatialPath(
                                                "/p/*",
                                                List.of("Point", "LineString", "Polygon"),
                                                Optional.empty()),
                                        new SpatialPath(
                                                "/q/[]/?", List.of("Point"), Optional.empty())),
                                """
                                {"id":"1",
                                 "p":{"type":"Point","coordinates":[4.9,52.37],
                                      "line":{"type":"LineString","coordinates":[[0,0],[1,1]]},
                                      "area":{"coordinates":[[[179,-1],[-179,-1],[-179,1],[179,1],
                                              [179,-1]]],"type":"Polygon"},
                                      "none":{"type":"Point","coordinates":[0,91]}},
                                 "q":[{"type":"Point","coordinates":[0,90]},
                                      {"type":"MultiPolygon","coordinates":[]}]}
                                """));
        terms.addAll(
                spatialTerms(
                        List.of(
                                new SpatialPath(
                                        "/g/?",
                                        List.of("Point", "Polygon"),
                                        Optional.of(new BoundingBox(0, 0, 8, 4)))),
                        """
                        {"id":"1","g":{"type":"Point","coordinates":[5,1]}}
                        """));
        assertThat(terms).containsExactlyElementsOf(Golden.lines("index-spatial.hex"));
    }

    private static List<String> spatialTerms(List<SpatialPath> indexes, String item) {
        IndexTerms terms =
                IndexPlan.compile(
                                new IndexingPolicy(
                                        IndexingPolicy.Mode.CONSISTENT,
                                        true,
                                        List.of(),
                                        List.of("/*"),
                                        List.of(),
                                        indexes))
                        .extract(Bytes.ofUtf8(item.strip()), 1_700_000_000);
        List<String> spatial =
                terms.toList().stream()
                        .map(Bytes::toHex)
                        .filter(term -> term.startsWith("07"))
                        .toList();
        // Besides them there is the id, which is a leaf too.
        assertThat(terms.leafCount()).isEqualTo(spatial.size() + 1);
        return spatial;
    }

    @Test
    void tags() {
        assertThat(
                        List.of(
                                ValueTag.MIN_KEY,
                                ValueTag.UNDEFINED,
                                ValueTag.UNDEF,
                                ValueTag.NULL,
                                ValueTag.FALSE,
                                ValueTag.TRUE,
                                ValueTag.NUMBER,
                                ValueTag.STRING,
                                ValueTag.ARRAY,
                                ValueTag.OBJECT,
                                ValueTag.BINARY,
                                ValueTag.OBJECT_ID,
                                ValueTag.DATE_TIME,
                                ValueTag.TIMESTAMP,
                                ValueTag.REGEX,
                                ValueTag.POINTER,
                                ValueTag.CODE,
                                ValueTag.SCOPED_CODE,
                                ValueTag.MAX_KEY))
                .containsExactly(
                        0x04, 0x08, 0x0A, 0x0C, 0x10, 0x14, 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C,
                        0x30, 0x34, 0x38, 0x3A, 0x3C, 0x3E, 0x7C);
    }

    @Test
    void refusesTagsNobodyWrites() {
        for (String hex : List.of("00", "06", "7E", "FF", "18800000000000000082")) {
            assertThatThrownBy(() -> IndexValue.decode(Bytes.ofHex(hex)))
                    .isInstanceOf(MalformedRecordException.class);
        }
    }
}
