package orrery.server.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.PropertyPath;

final class ItemMakerTest {
    private static final ItemMaker PLAIN = new ItemMaker(Optional.empty());

    private static Row row(int number, String text) {
        return new Row(number, number, Bytes.ofUtf8(text), false);
    }

    @Test
    void itemsStayAsTheyWereWritten() {
        String text =
                "{ \"id\" : \"a\", \"n\": -0, \"m\": 12345678901234567890.10, \"\\u0061\":[ ] }";
        assertThat(PLAIN.make(row(1, text)).body().toUtf8()).isEqualTo(text);
        assertThat(PLAIN.make(row(1, text + " \n")).body().toUtf8()).isEqualTo(text);
        assertThat(PLAIN.make(row(1, "{\"id\":\"a\",\"_ts\":1,\"_rid\":\"x\"}")).body().toUtf8())
                .isEqualTo("{\"id\":\"a\"}");
    }

    @Test
    void idsFollowFromTheRow() {
        ItemMaker.Made made = PLAIN.make(row(1, " {\"n\":1}"));
        assertThat(made.body().toUtf8()).isEqualTo("{\"id\":\"" + made.id() + "\",\"n\":1}");
        assertThat(PLAIN.make(row(1, " {\"n\":1}"))).isEqualTo(made);
        assertThat(PLAIN.make(row(2, " {\"n\":1}")).id()).isNotEqualTo(made.id());
        assertThat(PLAIN.make(row(1, "{ }")).body().toUtf8())
                .matches("\\{\"id\":\"[-0-9a-f]{36}\" ?}");
    }

    @Test
    void idsComeFromAPath() {
        ItemMaker maker = new ItemMaker(Optional.of(PropertyPath.parse("/key/no")));
        assertThat(maker.make(row(1, "{\"id\":7,\"key\":{\"no\":\"x\\u0022\"}} ")).body().toUtf8())
                .isEqualTo("{\"key\":{\"no\":\"x\\u0022\"},\"id\":\"x\\\"\"}");
        assertThat(maker.make(row(1, "{\"key\":{\"no\":12}}")).id()).isEqualTo("12");
        assertThatThrownBy(() -> maker.make(row(1, "{\"key\":1}")))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("/key/no to take the id from");
        assertThatThrownBy(() -> maker.make(row(1, "{\"key\":{\"no\":true}}")))
                .hasMessageContaining("neither a text nor an integer");
    }
}
