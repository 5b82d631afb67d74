package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.NamedIndex;
import orrery.model.NamedIndex.Field;

final class UniqueIndexTest {
    private static NamedIndex index(String... paths) {
        List<Field> fields = new ArrayList<>();
        for (String path : paths) {
            fields.add(Field.ascending(path));
        }
        return new NamedIndex("x", fields).withUnique(true);
    }

    private static UniqueIndex unique(NamedIndex index) {
        return UniqueIndex.among(List.of(index)).getFirst();
    }

    private static Value.Obj item(String json) {
        return (Value.Obj) JsonText.parse(Bytes.ofUtf8(json.replace('\'', '"')));
    }

    private static List<String> keys(NamedIndex index, String json) {
        UniqueIndex unique = unique(index);
        return unique.keys(item(json)).stream()
                .map(key -> JsonText.write(JsonForm.of(unique.document(key))).replace('"', '\''))
                .toList();
    }

    @Test
    void aKeyHasTheValuesOfTheFields() {
        assertThat(keys(index("a", "b.c"), "{'a':1,'b':{'c':'x'}}"))
                .containsExactly("{'a':1,'b.c':'x'}");
        assertThat(keys(index("a", "b.c"), "{'b':5}")).containsExactly("{'a':null,'b.c':null}");
    }

    @Test
    void eachElementMakesAKey() {
        assertThat(keys(index("a"), "{'a':[1,2,1.0,[3]]}"))
                .containsExactly("{'a':1}", "{'a':2}", "{'a':[3]}");
        assertThat(keys(index("a.b"), "{'a':[{'b':1},{'b':[2,3]},{},5]}"))
                .containsExactly("{'a.b':1}", "{'a.b':2}", "{'a.b':3}", "{'a.b':null}");
        assertThat(keys(index("a.b", "a.c"), "{'a':[{'b':1,'c':2},{'b':3,'c':4}]}"))
                .containsExactly("{'a.b':1,'a.c':2}", "{'a.b':3,'a.c':4}");
        assertThat(keys(index("a.1"), "{'a':[1,2]}")).containsExactly("{'a.1':2}");
        assertThat(keys(index("a", "k"), "{'a':[],'k':1}"))
                .containsExactly("{'a':{'$undefined':true},'k':1}");
        assertThat(keys(index("a.b"), "{'a':[]}")).containsExactly("{'a.b':null}");
    }

    @Test
    void aSparseIndexLeavesOutItemsWithoutItsFields() {
        NamedIndex sparse = index("a", "b").withSparse(true);
        assertThat(keys(sparse, "{'c':1}")).isEmpty();
        assertThat(keys(sparse, "{'a':null}")).containsExactly("{'a':null,'b':null}");
        assertThat(keys(sparse, "{'b':1}")).containsExactly("{'a':null,'b':1}");
    }

    @Test
    void arraysSideBySideAreToldAndNeverMultiplied() {
        UniqueIndex both = unique(index("a", "b"));
        List<String> many = Collections.nCopies(2000, "1");
        String array = "[" + String.join(",", many) + ",2]";
        Value.Obj item = item("{'a':" + array + ",'b':" + array + "}");
        assertThat(both.hasParallelArrays(item)).isTrue();
        assertThat(both.keys(item)).hasSize(2);
        assertThat(both.hasParallelArrays(item("{'a':[1,2],'b':1}"))).isFalse();
        assertThat(unique(index("a.b", "a.c")).hasParallelArrays(item("{'a':[{'b':1,'c':2}]}")))
                .isFalse();
        assertThat(unique(index("a.b", "a.c")).hasParallelArrays(item("{'a':{'b':[1],'c':[2]}}")))
                .isTrue();
    }

    /** The stored bytes tell indexes, values, and orders of properties apart. */
    @Test
    void digestsAreThoseOfIndexAndValues() {
        assertThat(digest(index("a"), "{'a':1}")).isEqualTo(digest(index("a"), "{'a':1.0}"));
        assertThat(digest(index("a"), "{}")).isEqualTo(digest(index("a"), "{'a':null}"));
        List<Bytes> different =
                List.of(
                        digest(index("a"), "{'a':1}"),
                        digest(index("a").withSparse(true), "{'a':1}"),
                        digest(index("a").withFilter(Bytes.ofHex("0500000000")), "{'a':1}"),
                        digest(index("b"), "{'b':1}"),
                        digest(index("a"), "{'a':null}"),
                        digest(index("a"), "{'a':[]}"),
                        digest(index("a"), "{'a':{'x':1,'y':2}}"),
                        digest(index("a"), "{'a':{'y':2,'x':1}}"));
        assertThat(different).doesNotHaveDuplicates();
        NamedIndex renamed = new NamedIndex("other", List.of(Field.descending("a")));
        assertThat(digest(renamed.withUnique(true), "{'a':1}"))
                .isEqualTo(digest(index("a"), "{'a':1}"));
    }

    private static Bytes digest(NamedIndex index, String json) {
        return unique(index).keys(item(json)).getFirst().digest();
    }

    /** The bytes are stored. */
    @Test
    void theDigestStaysWhatItIs() {
        assertThat(digest(index("a", "b"), "{'a':'x','b':[2]}").toHex())
                .isEqualToIgnoringCase(
                        "4fb08acb3f64a315d626aa4521d8b7d6623b8359a88fc2683f0a14e7107e4eed");
    }

    @Test
    void aPartialIndexIsForItemsThatMatch() {
        UniqueIndex partial = unique(index("a").withFilter(Bytes.ofHex("0500000000")));
        assertThat(partial.filter()).isEqualTo(Optional.of(Bytes.ofHex("0500000000")));
        assertThat(partial.isFor(List.of())).isFalse();
        assertThat(partial.isFor(List.of(new DerivedRow(DerivedRow.MATCHED, "x", Bytes.EMPTY))))
                .isTrue();
        assertThat(partial.isFor(List.of(new DerivedRow(DerivedRow.COMPUTED, "x", Bytes.EMPTY))))
                .isFalse();
        assertThat(unique(index("a")).isFor(List.of())).isTrue();
    }
}
