package orrery.model.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class ReceiptProperties {
    @Property
    void partsAddUpToTheChargeAsRounded(
            @ForAll @LongRange(max = 2 << 20) long bytes,
            @ForAll @IntRange(max = 3000) int removed,
            @ForAll @IntRange(max = 3000) int added,
            @ForAll @IntRange(min = 1, max = 4) int factor) {
        add(RequestCharge.patch(bytes, removed, added).withConsistencyFactor(factor));
        add(RequestCharge.refusedWrite(bytes).withConsistencyFactor(factor));
        add(RequestCharge.query(factor, added, bytes).withConsistencyFactor(factor));
        add(RequestCharge.script(RequestCharge.create(bytes, added)));
    }

    @Property
    void anyAmountsAddUp(
            @ForAll @DoubleRange(max = 1e6) double base,
            @ForAll @DoubleRange(max = 1e6) double size,
            @ForAll @DoubleRange(max = 1e6) double leaves,
            @ForAll @IntRange(min = 1, max = 4) int factor) {
        add(new Charge(1, 1, 1, 1, 1, factor, base, size, leaves));
    }

    private static void add(Charge charge) {
        Receipt receipt = Receipt.of(charge);

        assertThat(receipt.total()).isEqualTo(Math.round(charge.ru() * 100));
        assertThat(receipt.base() + receipt.size() + receipt.leaves() + receipt.consistency())
                .isEqualTo(receipt.total());
        // A part may be off by the rounding of itself and of the total, not by more.
        assertThat(receipt.base() / 100.0).isEqualTo(charge.baseRu(), within(0.0101));
        assertThat(receipt.size() / 100.0).isEqualTo(charge.sizeRu(), within(0.0101));
        assertThat(receipt.leaves() / 100.0).isEqualTo(charge.leavesRu(), within(0.0101));
    }
}
