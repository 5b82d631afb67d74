package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

final class CatalogRequestProperties {
    /** They are secrets and stay out of logs. */
    @Test
    void keysAreNotPrinted() {
        for (CatalogCommand command : CatalogSamples.commands().values()) {
            assertThat(CatalogSamples.request(command).toString())
                    .doesNotContain(
                            CatalogSamples.A, CatalogSamples.B, CatalogSamples.C, CatalogSamples.D);
        }
    }

    @Property(tries = 2000)
    void randomBytesAreMalformedOrARequest(@ForAll byte[] bytes, @ForAll boolean isOfThisVersion) {
        if (isOfThisVersion && bytes.length > 0) {
            bytes[0] = CatalogRequest.VERSION;
        }
        try {
            CatalogRequest.decode(Bytes.wrap(bytes));
        } catch (MalformedRecordException expected) {
            assertThat(expected).hasMessageContaining("");
        }
    }

    @Test
    void truncatedRequestsAreMalformed() {
        for (CatalogCommand command : CatalogSamples.commands().values()) {
            byte[] whole = CatalogSamples.request(command).encode().unsafeArray();
            for (int length = 0; length < whole.length; length++) {
                Bytes cut = Bytes.copyOf(whole, 0, length);
                assertThat(catchThrowable(() -> CatalogRequest.decode(cut)))
                        .isInstanceOf(MalformedRecordException.class);
            }
        }
    }

    @Test
    void truncatedOutcomesAreMalformed() {
        for (CatalogOutcome outcome : CatalogSamples.outcomes().values()) {
            BinaryWriter out = new BinaryWriter();
            CatalogOutcome.write(out, outcome);
            byte[] whole = out.toArray();
            for (int length = 0; length < whole.length; length++) {
                BinaryReader cut = new BinaryReader(whole, 0, length);
                assertThat(catchThrowable(() -> CatalogOutcome.read(cut)))
                        .isInstanceOf(MalformedRecordException.class);
            }
        }
    }
}
