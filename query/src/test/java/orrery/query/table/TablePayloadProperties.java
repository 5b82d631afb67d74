package orrery.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/** Whatever the bytes, they are a query or they are refused as damaged. */
final class TablePayloadProperties {
    private static byte[] payload(long seed) {
        Random random = new Random(seed);
        List<NaiveTable.Entity> entities =
                List.of(
                        new NaiveTable.Entity(
                                "p", "r", Map.of(), Optional.of(new EdmValue.Moment(1))));
        return NaiveTable.query(entities, random).encoded().payload().unsafeArray();
    }

    /** Whatever the bytes, they are a query or they are refused as damaged. */
    private static boolean isRead(byte[] payload) {
        try {
            TableStatement read = (TableStatement) TableDialect.INSTANCE.read(Bytes.wrap(payload));
            assertThat(TableDialect.INSTANCE.read(read.encoded().payload())).isEqualTo(read);
            return true;
        } catch (MalformedRecordException refused) {
            return false;
        }
    }

    @Property(tries = 1000)
    void changedBytes(
            @ForAll long seed,
            @ForAll @Size(min = 1, max = 4) List<@IntRange(max = 10_000) Integer> places,
            @ForAll byte value) {
        byte[] payload = payload(seed).clone();
        for (int place : places) {
            payload[place % payload.length] = value;
        }
        isRead(payload);
    }

    @Property(tries = 300)
    void cutBytes(@ForAll long seed, @ForAll @IntRange(max = 10_000) int length) {
        byte[] payload = payload(seed);
        byte[] kept = Arrays.copyOf(payload, length % payload.length);
        assertThat(isRead(kept)).isFalse();
    }
}
