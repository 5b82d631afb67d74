package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

final class TaggedTextProperties {
    @Property
    void bytesComeBack(@ForAll @Size(min = 1) byte[] bytes) {
        PartitionKey key = PartitionKey.of(TaggedText.component(Bytes.wrap(bytes)));

        TaggedText.check(key);
        String text = ((KeyComponent.Text) key.components().getFirst()).value();
        assertThat(TaggedText.canonical(text)).contains(Bytes.wrap(bytes));
    }

    /** Each value has one text: what stands for bytes is the text that is made of them. */
    @Property
    void noTextIsASecondName(@ForAll String text) {
        TaggedText.canonical("\0" + text)
                .ifPresent(
                        bytes ->
                                assertThat(TaggedText.component(bytes))
                                        .isEqualTo(new KeyComponent.Text("\0" + text)));
    }
}
