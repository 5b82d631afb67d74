package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;

final class PatchTest {
    private static final String ITEM =
            "{\"id\":\"1\",\"pk\":{\"k\":\"p\",\"other\":1},\"n\":1,\"a\":[10,20,30],"
                    + "\"o\":{\"x\":{\"y\":1}},\"t\":\"text\",\"e\":[],\"~\":1,\"/\":2}";

    private static Patch patch(String operations) {
        return Patch.parse(Bytes.ofUtf8("[" + operations.replace('\'', '"') + "]"));
    }

    private static Value.Obj item(String json) {
        return (Value.Obj) JsonText.parse(json);
    }

    private static String apply(String operations) {
        return JsonText.write(patch(operations).apply(item(ITEM), Samples.keyed("/pk/k")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // operation | replaced in the item | by
                "{'op':'add','path':'/new','value':[1]}|'/':2}|'/':2,'new':[1]}",
                "{'op':'add','path':'/n','value':null}|'n':1|'n':null",
                "{'op':'add','path':'/a/0','value':5}|[10,20,30]|[5,10,20,30]",
                "{'op':'add','path':'/a/3','value':5}|[10,20,30]|[10,20,30,5]",
                "{'op':'add','path':'/a/-','value':5}|[10,20,30]|[10,20,30,5]",
                "{'op':'add','path':'/o/x/z','value':2}|{'y':1}|{'y':1,'z':2}",
                "{'op':'set','path':'/n','value':'s'}|'n':1|'n':'s'",
                "{'op':'set','path':'/new','value':{}}|'/':2}|'/':2,'new':{}}",
                "{'op':'set','path':'/a/1','value':5}|[10,20,30]|[10,5,30]",
                "{'op':'set','path':'/a/3','value':5}|[10,20,30]|[10,20,30,5]",
                "{'op':'set','path':'/e/0','value':5}|'e':[]|'e':[5]",
                "{'op':'set','path':'/e/-','value':5}|'e':[]|'e':[5]",
                "{'op':'replace','path':'/o/x','value':3}|{'x':{'y':1}}|{'x':3}",
                "{'op':'replace','path':'/a/2','value':5}|[10,20,30]|[10,20,5]",
                "{'op':'remove','path':'/t'}|,'t':'text'|",
                "{'op':'remove','path':'/a/0'}|[10,20,30]|[20,30]",
                "{'op':'remove','path':'/~0'}|,'~':1|",
                "{'op':'remove','path':'/~1'}|,'/':2|",
                "{'op':'incr','path':'/n','value':2}|'n':1|'n':3",
                "{'op':'incr','path':'/n','value':-0.5}|'n':1|'n':0.5",
                "{'op':'incr','path':'/n','value':9223372036854775806}|'n':1|'n':9223372036854775807",
                "{'op':'incr','path':'/n','value':9223372036854775807}|'n':1|'n':9.223372036854776e+18",
                "{'op':'incr','path':'/n','value':9007199254740992}|'n':1|'n':9007199254740993",
                "{'op':'incr','path':'/a/1','value':1}|20|21",
                "{'op':'incr','path':'/new','value':7}|'/':2}|'/':2,'new':7}",
                "{'op':'move','from':'/n','path':'/o/n'}|'n':1,'a':[10,20,30],'o':{'x':{'y':1}}"
                        + "|'a':[10,20,30],'o':{'x':{'y':1},'n':1}",
                "{'op':'move','from':'/a/0','path':'/a/2'}|[10,20,30]|[20,30,10]",
                "{'op':'move','from':'/a/2','path':'/a/-'}|[10,20,30]|[10,20,30]",
                "{'op':'move','from':'/o/x','path':'/o'}|{'x':{'y':1}}|{'y':1}",
                "{'op':'move','from':'/o/x/y','path':'/t'}|{'y':1}},'t':'text'|{}},'t':1",
                "{'op':'set','path':'/pk2','value':1}|'/':2}|'/':2,'pk2':1}",
                "{'op':'set','path':'/pk/other','value':2}|'other':1|'other':2",
                "{'op':'set','path':'/o/id','value':2}|{'x':{'y':1}}|{'x':{'y':1},'id':2}",
                "{'op':'set','path':'/o/_ts','value':2}|{'x':{'y':1}}|{'x':{'y':1},'_ts':2}",
                "{'op':'remove','path':'/t','value':null,'from':null}|,'t':'text'|",
            })
    void changes(String operation, String from, String to) {
        String expected =
                ITEM.replace(from.replace('\'', '"'), to == null ? "" : to.replace('\'', '"'));
        assertThat(expected.equals(ITEM)).isEqualTo(from.equals(to));
        assertThat(apply(operation)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'op':'add','path':'/no/x','value':1}",
                "{'op':'add','path':'/t/x','value':1}",
                "{'op':'add','path':'/a/4','value':1}",
                "{'op':'add','path':'/a/x','value':1}",
                "{'op':'add','path':'/a/01','value':1}",
                "{'op':'add','path':'/a/-1','value':1}",
                "{'op':'add','path':'/a/99999999999','value':1}",
                "{'op':'set','path':'/a/4','value':1}",
                "{'op':'set','path':'/n/x','value':1}",
                "{'op':'set','path':'/a/-/x','value':1}",
                "{'op':'replace','path':'/no','value':1}",
                "{'op':'replace','path':'/a/3','value':1}",
                "{'op':'replace','path':'/a/-','value':1}",
                "{'op':'remove','path':'/no'}",
                "{'op':'remove','path':'/a/3'}",
                "{'op':'remove','path':'/a/-'}",
                "{'op':'incr','path':'/t','value':1}",
                "{'op':'incr','path':'/o','value':1}",
                "{'op':'move','from':'/no','path':'/x'}",
                "{'op':'move','from':'/o','path':'/o/x/z'}",
                "{'op':'move','from':'/n','path':'/no/x'}",
                "{'op':'move','from':'/id','path':'/x'}",
                "{'op':'move','from':'/n','path':'/id'}",
                "{'op':'move','from':'/pk','path':'/x'}",
                "{'op':'move','from':'/n','path':'/pk/k'}",
                "{'op':'set','path':'/id','value':'2'}",
                "{'op':'add','path':'/id/x','value':'2'}",
                "{'op':'set','path':'/_ts','value':1}",
                "{'op':'remove','path':'/_etag'}",
                "{'op':'set','path':'/_rid','value':1}",
                "{'op':'set','path':'/_self/x','value':1}",
                "{'op':'set','path':'/_attachments','value':1}",
                "{'op':'set','path':'/pk','value':1}",
                "{'op':'replace','path':'/pk/k','value':'q'}",
                "{'op':'add','path':'/pk/k/z','value':'q'}",
            })
    void refusesWhatCannotBeApplied(String operation) {
        String first = "{'op':'set','path':'/q','value':1},";
        assertThat(Samples.refusal(() -> apply(first + operation)))
                .startsWith("Patch operation 2 failed: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "{}",
                "{'path':'/a','value':1}",
                "{'op':'test','path':'/a','value':1}",
                "{'op':1,'path':'/a','value':1}",
                "{'op':'add','value':1}",
                "{'op':'add','path':'a','value':1}",
                "{'op':'add','path':'','value':1}",
                "{'op':'add','path':'/a~2','value':1}",
                "{'op':'add','path':'/a~','value':1}",
                "{'op':'add','path':'/a'}",
                "{'op':'set','path':'/a'}",
                "{'op':'replace','path':'/a'}",
                "{'op':'incr','path':'/a'}",
                "{'op':'incr','path':'/a','value':'1'}",
                "{'op':'move','path':'/a'}",
                "{'op':'move','from':'a','path':'/a'}",
                "{'op':'set','path':'/a','value':1,'unknown':1}",
                "{'op':'set','path':'/a','value':1,'unknown':null}",
                "{'op':'set','path':'/a','value':1,'from':'/b'}",
                "{'op':'remove','path':'/a','value':1}",
                "{'op':'move','from':'/a','path':'/b','value':1}",
            })
    void refusesWhatIsNoOperation(String operation) {
        assertThat(Samples.refusal(() -> patch(operation)))
                .startsWith("Patch operation 1 failed: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "\"a\"",
                "{}",
                "[]",
                "{\"operations\":[{\"op\":\"remove\",\"path\":\"/a\"}]}",
                "[",
            })
    void refusesWhatIsNoPatch(String json) {
        Samples.refusal(() -> Patch.parse(Bytes.ofUtf8(json)));
    }

    @Test
    void takesOneToTenOperations() {
        String increment = "{'op':'incr','path':'/n','value':1}";
        assertThat(apply(String.join(",", Collections.nCopies(10, increment))))
                .contains("\"n\":11,");
        assertThat(
                        Samples.refusal(
                                () -> patch(String.join(",", Collections.nCopies(11, increment)))))
                .contains("1 to 10", "11");
        assertThat(Samples.refusal(() -> patch(""))).contains("0");
    }

    @Test
    void refusesToOverflow() {
        Value.Obj item = item("{\"n\":1.7976931348623157e308}");
        Patch patch = patch("{'op':'incr','path':'/n','value':1.7976931348623157e308}");
        assertThat(Samples.refusal(() -> patch.apply(item, Samples.keyed()))).contains("range");
    }

    @Test
    void keepsItemsWithin128Levels() {
        String path = "/a".repeat(127);
        Value.Obj item = item(Samples.nested(128));
        assertThat(
                        patch("{'op':'set','path':'" + path + "/x','value':1}")
                                .apply(item, Samples.keyed()))
                .isNotNull();
        Patch deeper = patch("{'op':'set','path':'" + path + "/x','value':[]}");
        assertThat(Samples.refusal(() -> deeper.apply(item, Samples.keyed()))).contains("128");
        Patch moved =
                patch(
                        "{'op':'set','path':'/b','value':{}},{'op':'move','from':'/a','path':'/b/a'}");
        Samples.refusal(() -> moved.apply(item, Samples.keyed()));
    }

    @Test
    void keepsWhatItDoesNotTouch() {
        String json =
                "{\"id\":\"1\",\"n\":1.10,\"big\":9007199254740993,\"huge\":123456789012345678901234567890}";
        Value.Obj patched =
                patch("{'op':'set','path':'/x','value':1}").apply(item(json), Samples.keyed());
        assertThat(JsonText.write(patched))
                .isEqualTo(
                        "{\"id\":\"1\",\"n\":1.1,\"big\":9007199254740993,"
                                + "\"huge\":1.2345678901234568e+29,\"x\":1}");
    }
}
