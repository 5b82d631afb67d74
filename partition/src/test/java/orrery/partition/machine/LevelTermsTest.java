package orrery.partition.machine;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.document.IndexPlan;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;
import orrery.model.codec.BinaryWriter;

/** The terms that each level makes of texts and places. Entries are found again by them. */
final class LevelTermsTest {
    private static final IndexingPolicy POLICY =
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

    @Test
    void termsOfEachLevelStay() {
        Golden golden = new Golden();
        for (Level level : Level.known()) {
            String name = "level-" + level.number();
            int most = level.terms().textBytes();
            golden.add(name + "-whole-text", terms(level.terms(), text("x".repeat(most))));
            golden.add(name + "-cut-text", terms(level.terms(), text("x".repeat(most + 1))));
            golden.add(
                    name + "-cut-in-a-letter",
                    terms(level.terms(), text("x".repeat(most - 1) + "é")));
            golden.add(
                    name + "-place",
                    terms(
                            level.terms(),
                            "{\"place\":{\"type\":\"LineString\","
                                    + "\"coordinates\":[[-170,-60],[10,70],[100,0]]}}"));
        }
        golden.verify("level-terms.hex");
    }

    private static String text(String value) {
        return "{\"text\":\"" + value + "\"}";
    }

    private static Bytes terms(TermRules rules, String body) {
        BinaryWriter out = new BinaryWriter();
        IndexPlan.compile(POLICY, List.of(), ContainerKind.DOCUMENT, rules)
                .extract(Bytes.ofUtf8(body), 0)
                .toList()
                .forEach(out::bytes);
        return out.toBytes();
    }
}
