package orrery.model.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import orrery.model.ConsistencyLevel;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

final class ChargeTest {
    @Test
    void tellsWhatItIsMadeOf() {
        Charge replace = RequestCharge.replace(2048, 2, 3);

        assertThat(replace.billedBytes()).isEqualTo(2048);
        assertThat(replace.leavesRemoved()).isEqualTo(2);
        assertThat(replace.leavesAdded()).isEqualTo(3);
        assertThat(replace.ranges()).isEqualTo(1);
        assertThat(replace.documents()).isEqualTo(1);
        assertThat(replace.sizeRu()).isEqualTo(2 * RequestCharge.create(2048, 0).ru());
        assertThat(replace.leavesRu()).isEqualTo(5 * 8.0 / 21);
        assertThat(RequestCharge.create(2048, 3).documents()).isZero();
        assertThat(RequestCharge.read(5).billedBytes()).isEqualTo(1024);
    }

    @Test
    void addsUpPagesOfSeveralRanges() {
        Charge page = RequestCharge.feedPage(2, 5120);
        Charge empty = RequestCharge.feedPage(0, 0);

        Charge sum = page.plus(empty).readAt(ConsistencyLevel.STRONG);

        assertThat(sum.ranges()).isEqualTo(2);
        assertThat(sum.documents()).isEqualTo(2);
        assertThat(sum.billedBytes()).isEqualTo(5120);
        assertThat(sum.ru()).isEqualTo(2 * (2 * 2.3 + 2 * 0.10 + 5 * 0.08), within(1e-9));
    }

    @Test
    void strongAndWeakDoNotAddUp() {
        Charge read = RequestCharge.read(1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read.plus(read.readAt(ConsistencyLevel.STRONG)));
    }

    @Test
    void oneRangeThatUsedItsMinuteSpeaksForAll() {
        Charge first = RequestCharge.read(1);
        Charge second = RequestCharge.read(1).paidByMinute();

        assertThat(first.plus(first).usesMinute()).isFalse();
        assertThat(first.plus(second).readAt(ConsistencyLevel.STRONG).usesMinute()).isTrue();
        assertThat(second.plus(first).usesMinute()).isTrue();
    }

    @Test
    void survivesTheWire() {
        Charge charge =
                RequestCharge.replace(9999, 4, 5)
                        .plus(RequestCharge.refusedWrite(3000))
                        .paidByMinute();
        BinaryWriter out = new BinaryWriter();
        charge.write(out);

        assertThat(Charge.read(new BinaryReader(out.toArray()))).isEqualTo(charge);
    }

    @Test
    void refusesAmountsThatNobodyCanOwe() {
        for (double amount : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Charge(0, 0, 0, 0, 0, 1, amount, 0, 0));
        }
        byte[] negative = new BinaryWriter().u32(-1).raw(new byte[64]).toArray();
        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> Charge.read(new BinaryReader(negative)));
    }
}
