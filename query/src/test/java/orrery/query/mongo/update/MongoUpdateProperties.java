package orrery.query.mongo.update;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Item;

/** Updates of generated documents come to what a small model of the operators says. */
class MongoUpdateProperties {
    private static UpdateSpec spec(NaiveUpdates.Sample sample) {
        return new UpdateSpec(
                sample.query(),
                sample.update(),
                sample.arrayFilters(),
                new Value.Obj(Map.of()),
                Optional.empty(),
                Optional.empty(),
                Updates.NOW,
                Updates.TIMESTAMP);
    }

    /** The order of fields and the widths of numbers count: the documents are compared as bytes. */
    @Property
    void operatorsMakeWhatTheModelMakes(@ForAll long seed) {
        NaiveUpdates.Sample sample = NaiveUpdates.next(new Random(seed));

        Value.Obj made = Updates.apply(spec(sample), sample.before()).orElseThrow();

        assertThat(BsonCodec.write(made))
                .as("seed %d: %s of %s: %s", seed, sample.update(), sample.before(), made)
                .isEqualTo(BsonCodec.write(sample.after()));
    }

    /** A leader that evaluates again, and a command that is replayed, must come to the same. */
    @Property
    void anEqualDocumentBecomesAnEqualOne(@ForAll long seed) {
        NaiveUpdates.Sample sample = NaiveUpdates.next(new Random(seed));
        Item first = Updates.item(sample.before());
        Item second = Updates.item(BsonCodec.read(BsonCodec.write(sample.before())));

        Optional<Bytes> once = Updates.read(spec(sample)).bodyAfter(Optional.of(first));
        Optional<Bytes> again = Updates.read(spec(sample)).bodyAfter(Optional.of(second));

        assertThat(once).as("seed %d", seed).isPresent().isEqualTo(again);
    }
}
