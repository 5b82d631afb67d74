package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Bytes;

final class IndexPathProperties {
    @Property(tries = 3000)
    void differentPathsNeverBeginAlike(
            @ForAll("paths") IndexPath left, @ForAll("paths") IndexPath right) {
        Bytes leftBytes = IndexPathCodec.encode(left);
        Bytes rightBytes = IndexPathCodec.encode(right);
        assertThat(leftBytes.startsWith(rightBytes)).isEqualTo(left.equals(right));
        assertThat(IndexPathCodec.end(leftBytes.unsafeArray())).isEqualTo(leftBytes.length());
        assertThat(leftBytes.length())
                .isLessThanOrEqualTo(
                        IndexPathCodec.HASHED_PREFIX_BYTES + IndexPathCodec.HASH_BYTES + 2);
    }

    @Property(tries = 3000)
    void shortPathsDecode(@ForAll("paths") IndexPath path) {
        Bytes bytes = IndexPathCodec.encode(path);
        if (bytes.length() <= IndexPathCodec.MAX_BYTES) {
            assertThat(IndexPathCodec.decode(bytes)).contains(path);
        } else {
            assertThat(IndexPathCodec.decode(bytes)).isEmpty();
        }
    }

    /** The writer carries hash states along; they must not depend on what was visited before. */
    @Property
    void aPathIsTheSameHoweverItWasReached(
            @ForAll("paths") IndexPath before, @ForAll("paths") IndexPath path) {
        PathWriter writer = new PathWriter();
        ByteSink out = new ByteSink();
        for (IndexPath visited : List.of(path, before, path)) {
            for (IndexPath.Step step : visited.steps()) {
                switch (step) {
                    case IndexPath.Step.Property(String name) -> writer.pushProperty(name);
                    case IndexPath.Step.Element _ -> writer.pushElement();
                }
                out.clear();
                writer.appendTo(out);
            }
            out.clear();
            writer.appendTo(out);
            visited.steps().forEach(_ -> writer.pop());
        }
        assertThat(out.toBytes()).isEqualTo(IndexPathCodec.encode(path));
    }

    @Provide
    Arbitrary<IndexPath> paths() {
        Arbitrary<String> names =
                Arbitraries.oneOf(
                        Arbitraries.of(Samples.NAMES),
                        Arbitraries.of("\u0000", "\u0004", "\u0010", "\u0013", "\u0005a"),
                        Samples.texts().map(text -> ((Value.Text) text).value()));
        Arbitrary<IndexPath.Step> steps =
                Arbitraries.oneOf(
                        names.map(IndexPath.Step.Property::new),
                        Arbitraries.just(IndexPath.Step.Element.ELEMENT));
        return steps.list().ofMaxSize(4).map(IndexPath::new);
    }
}
