package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;

/** The rules that a plan is made with decide how much of a value its terms keep. */
final class TermRulesTest {
    private static final TermRules SHORT = new TermRules(4, 2);

    private static List<Bytes> terms(TermRules rules, String path, String body) {
        IndexingPolicy policy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/text/?"),
                        List.of("/*"),
                        List.of(),
                        List.of(
                                new IndexingPolicy.SpatialPath(
                                        "/place/?",
                                        List.of("Point", "LineString", "Polygon", "MultiPolygon"),
                                        Optional.empty())));
        Bytes spatial = IndexPathCodec.encodeSpatial(IndexPath.of(path));
        Bytes plain = IndexPathCodec.encode(IndexPath.of(path));
        return IndexPlan.compile(policy, List.of(), ContainerKind.DOCUMENT, rules)
                .extract(Bytes.ofUtf8(body), 0)
                .toList()
                .stream()
                .filter(
                        term ->
                                term.toHex().startsWith(plain.toHex())
                                        || term.toHex().startsWith(spatial.toHex()))
                .toList();
    }

    @Test
    void aTextIsKeptUpToTheLimitAndCutBehindIt() {
        assertThat(terms(SHORT, "text", "{\"text\":\"abcd\"}"))
                .isEqualTo(terms(TermRules.FIRST, "text", "{\"text\":\"abcd\"}"));
        assertThat(terms(SHORT, "text", "{\"text\":\"abcde\"}"))
                .isEqualTo(terms(SHORT, "text", "{\"text\":\"abcdf\"}"))
                .isNotEqualTo(terms(TermRules.FIRST, "text", "{\"text\":\"abcde\"}"));
    }

    @Test
    void aPlaceHasNoMoreCellsThanTheRulesSay() {
        String line =
                "{\"place\":{\"type\":\"LineString\","
                        + "\"coordinates\":[[4,52],[5,52.1],[6,53],[7,51]]}}";
        assertThat(terms(SHORT, "place", line)).hasSizeBetween(1, 2);
        assertThat(terms(TermRules.FIRST, "place", line)).hasSizeBetween(3, 8);
    }
}
