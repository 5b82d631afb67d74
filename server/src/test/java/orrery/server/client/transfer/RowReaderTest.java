package orrery.server.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.server.client.ClientException;

final class RowReaderTest {
    private static List<String> rows(String text) throws IOException {
        List<String> rows = new ArrayList<>();
        RowReader reader = reader(text, Optional.empty());
        for (var row = reader.next(); row.isPresent(); row = reader.next()) {
            rows.add(row.get().line() + " " + row.get().text().toUtf8().strip());
        }
        assertThat(reader.next()).isEmpty();
        return rows;
    }

    private static RowReader reader(String text, Optional<RowReader.Layout> layout) {
        return new RowReader(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), layout);
    }

    @Test
    void elementsOfAnArray() throws IOException {
        assertThat(rows("[]")).isEmpty();
        assertThat(rows(" \n[ ] \n")).isEmpty();
        assertThat(rows("[{\"a\":\"],[\\\"}\"},\n{\"b\":[1,{}]}\n]\n"))
                .containsExactly("1 {\"a\":\"],[\\\"}\"}", "2 {\"b\":[1,{}]}");
        assertThat(rows("\uFEFF[1,\"two\",null]")).containsExactly("1 1", "1 \"two\"", "1 null");
    }

    @Test
    void lines() throws IOException {
        assertThat(rows("")).isEmpty();
        assertThat(rows("{\"a\":1}\r\n\n{\"b\":2}")).containsExactly("1 {\"a\":1}", "3 {\"b\":2}");
        // A line that is broken costs no other one.
        assertThat(rows("{\"a\":1}\n{\"b\":\n{\"c\":\"x\n{\"d\":4}\n"))
                .containsExactly("1 {\"a\":1}", "2 {\"b\":", "3 {\"c\":\"x", "4 {\"d\":4}");
        assertThat(rows("{\"a\":\"x\n{\"d\":4}\n")).containsExactly("1 {\"a\":\"x", "2 {\"d\":4}");
        assertThat(rows("nonsense\n{}")).containsExactly("1 nonsense", "2 {}");
    }

    @Test
    void objectsOverSeveralLines() throws IOException {
        assertThat(rows("{\n \"a\": 1\n}\n")).containsExactly("1 {\n \"a\": 1\n}");
        assertThat(rows("{\n}{\n\"b\":\"}\"\n}\nx\n{}"))
                .containsExactly("1 {\n}", "2 {\n\"b\":\"}\"\n}", "5 x", "6 {}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[{}", "[{},", "[{\"a\":\"]", "[,]", "[{},]", "[{}] x"})
    void brokenArraysAreTold(String text) {
        assertThatThrownBy(() -> rows(text))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("line 1");
    }

    /** A file of any size costs the memory of one row, and a row of any size a bounded one. */
    @Test
    void whatIsTooLargeIsNotKept() throws IOException {
        long size = 64L << 20;
        InputStream endless =
                new InputStream() {
                    private long at;

                    @Override
                    public int read() {
                        at++;
                        return at == 1 ? '"' : at < size ? 'x' : at == size ? '"' : -1;
                    }

                    @Override
                    public int read(byte[] bytes, int from, int length) {
                        if (at >= size) {
                            return -1;
                        }
                        int count = (int) Math.min(length, size - at);
                        for (int i = 0; i < count; i++) {
                            bytes[from + i] = (byte) read();
                        }
                        return count;
                    }
                };
        RowReader reader = new RowReader(endless, Optional.of(RowReader.Layout.LINES));
        Row row = reader.next().orElseThrow();
        assertThat(row.isTooLarge()).isTrue();
        assertThat(row.text().isEmpty()).isTrue();
        assertThat(reader.next()).isEmpty();
    }
}
