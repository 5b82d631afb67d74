package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.ResourceId;

final class SystemPropertiesTest {
    private static String splice(String body) {
        ByteSink out = new ByteSink();
        SystemProperties.splice(
                out,
                Bytes.ofUtf8(body),
                "AbC=",
                "dbs/x/",
                new Etag(0, 1).quoted(),
                123,
                OptionalLong.empty());
        return out.toBytes().toUtf8();
    }

    @Test
    void standsBeforeTheLastBrace() {
        String added =
                "\"_rid\":\"AbC=\",\"_self\":\"dbs/x/\",\"_etag\":"
                        + "\"\\\"00000000-0000-0000-0000-000000000001\\\"\","
                        + "\"_attachments\":\"attachments/\",\"_ts\":123}";
        assertThat(splice("{\"id\":\"1\"}")).isEqualTo("{\"id\":\"1\"," + added);
        assertThat(splice("{\"a\":{}}")).isEqualTo("{\"a\":{}," + added);
        assertThat(splice("{\"é\":\"é\"}")).isEqualTo("{\"é\":\"é\"," + added);
        assertThat(splice("{\"a\":1 }")).isEqualTo("{\"a\":1 ," + added);
        assertThat(splice("{}")).isEqualTo("{" + added);
        assertThat(splice(" { \n}")).isEqualTo(" { \n" + added);
    }

    @Test
    void appendsToASinkThatIsUsedAgain() {
        ByteSink out = new ByteSink();
        for (int round = 0; round < 2; round++) {
            out.clear();
            out.put('[');
            SystemProperties.splice(
                    out, Bytes.ofUtf8("{}"), "r", "s", "\"e\"", 1, OptionalLong.of(9));
            out.put(',');
            SystemProperties.splice(
                    out, Bytes.ofUtf8("{}"), "r", "s", "\"e\"", 1, OptionalLong.empty());
            out.put(']');
            String item =
                    "{\"_rid\":\"r\",\"_self\":\"s\",\"_etag\":\"\\\"e\\\"\","
                            + "\"_attachments\":\"attachments/\",\"_ts\":1";
            assertThat(out.toBytes().toUtf8())
                    .isEqualTo("[" + item + ",\"_lsn\":9}," + item + "}]");
        }
    }

    @Test
    void putsItsLsnInPlaceOfTheClients() {
        for (String name : java.util.List.of("_lsn", "\\u005flsn", "_ls\\u006e")) {
            Bytes body = Bytes.ofUtf8("{\"a\":{\"_lsn\":1},\"" + name + "\":5}");
            ByteSink out = new ByteSink();
            SystemProperties.splice(out, body, "r", "s", "e", 1, OptionalLong.of(9));
            Bytes seen = out.toBytes();
            assertThat(seen.toUtf8())
                    .startsWith("{\"a\":{\"_lsn\":1},\"_rid\"")
                    .endsWith(",\"_lsn\":9}");
            JsonText.parse(seen);
        }
    }

    @Test
    void areTheSameInTextAndInAnExpression() {
        Bytes body = Bytes.ofUtf8("{\"id\":\"1\",\"n\":1.50,\"_lsn\":4}");
        Item item = new Item(5, new Etag(0, 1), 123_456, 9, Encoding.JSON, body);
        SystemProperties properties = new SystemProperties(ResourceId.ofContainer(1, 1));
        ByteSink out = new ByteSink();
        properties.splice(out, item, OptionalLong.empty());

        Value seen = JsonText.parse(out.toBytes());

        assertThat(properties.read(item, _ -> true)).isEqualTo(seen);
        assertThat(((Value.Obj) seen).properties())
                .containsEntry("_rid", Value.of("AQAAAIAAAAEFAAAAAAAAAA=="))
                .containsEntry(
                        "_self",
                        Value.of("dbs/AQAAAA==/colls/AQAAAIAAAAE=/docs/AQAAAIAAAAEFAAAAAAAAAA==/"))
                .containsEntry("_ts", Value.of(123));
    }

    @Test
    void refusesWhatIsNoStoredBody() {
        assertThatThrownBy(() -> splice("{} ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> splice("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsOnlyWhatIsWanted() {
        SystemProperties system = new SystemProperties(ResourceId.ofContainer(1, 2));
        Item item =
                new Item(
                        7,
                        new Etag(0, 1),
                        5000,
                        9,
                        Encoding.JSON,
                        Bytes.ofUtf8("{\"a\":1,\"b\":{\"c\":2},\"d\":3}"));
        Value.Obj all = system.read(item, _ -> true);
        for (Set<String> wanted :
                List.of(
                        Set.of("a"),
                        Set.of("d", "a"),
                        Set.of("b", "_ts"),
                        Set.of("_rid", "_etag"),
                        Set.of("d", "missing"))) {
            Map<String, Value> expected = new HashMap<>(all.properties());
            expected.keySet().retainAll(wanted);
            assertThat(system.read(item, new PropertyNames(wanted)).properties())
                    .isEqualTo(expected);
        }
    }
}
