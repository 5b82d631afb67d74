package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TablePathProperties {
    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings()
                .ofMaxLength(12)
                .filter(text -> text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.strings()
                .withChars("/()'=,%$ TablesPartitionKeyRowKey0aé")
                .ofMaxLength(40)
                .map(text -> "/" + text);
    }

    /** Links that we hand out lead back to their entity, whatever its keys are. */
    @Property(tries = 300)
    void readsItsOwnLinks(@ForAll("keys") String partitionKey, @ForAll("keys") String rowKey) {
        String link = EntityLink.of("People", partitionKey, rowKey);
        assertThat(link).matches("[!-~]+");
        assertThat(TablePath.parse("/" + link, false).target())
                .isEqualTo(new TablePath.Entity("People", partitionKey, rowKey));
    }

    @Property(tries = 500)
    void answersEveryPath(@ForAll("paths") String path) {
        try {
            assertThat(TablePath.parse(path, false).sent()).isEqualTo(path);
        } catch (TableException refusal) {
            assertThat(refusal.code().status()).isEqualTo(400);
        }
    }
}
