package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class OrderedEncodingProperties {
    @Provide
    Arbitrary<Double> numbers() {
        return Generated.finiteNumbers();
    }

    @Provide
    Arbitrary<String> texts() {
        return Generated.texts();
    }

    @Property
    void numbersSortAsTheirValues(@ForAll("numbers") double a, @ForAll("numbers") double b) {
        // Adding zero turns -0.0 into 0.0: the encoding does not tell them apart.
        assertThat(Integer.signum(number(a).compareTo(number(b))))
                .isEqualTo(Integer.signum(Double.compare(a + 0.0, b + 0.0)));
    }

    @Property
    void numbersReadBack(@ForAll("numbers") double value) {
        assertThat(OrderedEncoding.readNumber(number(value))).isEqualTo(value + 0.0);
    }

    @Property
    void textsSortAsTheirUtf8(@ForAll("texts") String a, @ForAll("texts") String b) {
        Bytes first = Bytes.ofUtf8(a);
        Bytes second = Bytes.ofUtf8(b);
        if (first.length() <= 100 && second.length() <= 100) {
            assertThat(Integer.signum(text(a).compareTo(text(b))))
                    .isEqualTo(Integer.signum(first.compareTo(second)));
        }
    }

    private static Bytes number(double value) {
        byte[] out = new byte[OrderedEncoding.MAX_NUMBER_LENGTH];
        return Bytes.copyOf(out, 0, OrderedEncoding.putNumber(out, 0, value));
    }

    private static Bytes text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[OrderedEncoding.MAX_TEXT_LENGTH];
        return Bytes.copyOf(out, 0, OrderedEncoding.putText(out, 0, utf8, 0, utf8.length));
    }
}
