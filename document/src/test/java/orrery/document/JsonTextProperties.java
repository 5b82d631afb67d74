package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class JsonTextProperties {
    @Property
    void readsWhatItWrote(@ForAll("values") Value value) {
        assertThat(JsonText.parse(JsonText.writeBytes(value))).isEqualTo(value);
        assertThat(JsonText.parse(JsonText.write(value))).isEqualTo(value);
    }

    @Provide
    Arbitrary<Value> values() {
        return Samples.values(3);
    }
}
