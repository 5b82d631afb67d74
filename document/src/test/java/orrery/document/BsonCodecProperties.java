package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.TermRules;

/** Compares the codec with that of MongoDB's drivers. */
final class BsonCodecProperties {
    private static final BsonDocumentCodec DRIVER = new BsonDocumentCodec();

    @Property(tries = 2000)
    void everyKindComesBackFromItsBytes(@ForAll("documents") Value.Obj document) {
        Bytes bson = BsonCodec.write(document);
        assertThat(BsonCodec.read(bson)).isEqualTo(document);
        assertThat(BsonCodec.write(BsonCodec.read(bson))).isEqualTo(bson);
    }

    @Property(tries = 1000)
    void driversReadAndWriteTheSameBytes(@ForAll("documents") Value.Obj document) {
        Bytes bson = BsonCodec.write(document);
        assertThat(written(driver(bson))).isEqualTo(bson);
    }

    /** The library gives pointers the form of another kind, which is not in the specification. */
    @Property(tries = 1000)
    void theJsonFormIsThatOfTheDrivers(@ForAll("documents") Value.Obj document) {
        Assume.that(!document.toString().contains("Pointer["));
        Value ofDriver =
                JsonText.parse(
                        driver(BsonCodec.write(document))
                                .toJson(
                                        JsonWriterSettings.builder()
                                                .outputMode(JsonMode.RELAXED)
                                                .build()));
        // Drivers leave out zeros at the end of a fraction of a second.
        assertThat(JsonForm.of(document)).isEqualTo(JsonForm.of(JsonForm.parse(ofDriver)));
    }

    private static BsonDocument driver(Bytes bson) {
        return DRIVER.decode(
                new BsonBinaryReader(ByteBuffer.wrap(bson.unsafeArray())),
                DecoderContext.builder().build());
    }

    private static Bytes written(BsonDocument document) {
        BasicOutputBuffer out = new BasicOutputBuffer();
        DRIVER.encode(new BsonBinaryWriter(out), document, EncoderContext.builder().build());
        return Bytes.wrap(out.toByteArray());
    }

    @Property(tries = 1000)
    void theJsonFormLeadsBackToTheValue(@ForAll("documents") Value.Obj document) {
        Value form = JsonForm.of(document);
        Value back = JsonForm.parse(JsonText.parse(JsonText.write(form)));
        assertThat(JsonForm.of(back)).isEqualTo(form);
        assertThat(IndexValue.encode(back, TermRules.FIRST))
                .isEqualTo(IndexValue.encode(document, TermRules.FIRST));
    }

    @Property(tries = 1000)
    void someNamesAreReadWithoutTheRest(
            @ForAll("documents") Value.Obj document, @ForAll Random random) {
        String wanted = Samples.pick(random, document.properties().keySet().stream().toList());
        assertThat(BsonCodec.readSome(BsonCodec.write(document), wanted::equals, 1))
                .containsOnlyKeys(wanted)
                .containsValue(document.properties().get(wanted));
    }

    /** Whatever bytes a client sends, only a refusal leaves the codec. */
    @Property(tries = 3000)
    void damagedBytesAreReadOrRefused(
            @ForAll("documents") Value.Obj document, @ForAll Random random) {
        byte[] bytes = BsonCodec.write(document).unsafeArray().clone();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        try {
            BsonCodec.write(BsonCodec.read(Bytes.wrap(bytes)));
        } catch (OrreryException refused) {
            assertThat(refused.text()).isNotEmpty();
        }
    }

    @Provide
    Arbitrary<Value.Obj> documents() {
        return BsonSamples.documents();
    }
}
