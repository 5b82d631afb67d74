package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeadersTest {
    /** Returns a value in the form in which the HTTP decoder hands it on. */
    private static String received(byte[] sent) {
        return new String(sent, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "plain,UTF-8",
        "é,UTF-8",
        "é,ISO-8859-1",
        "Ünïcödé,ISO-8859-1",
        "日本 𝄞,UTF-8",
        "\uFFFD,UTF-8",
        "é\uFFFD日,UTF-8"
    })
    void readsUtf8AndElseLatin1(String text, String charset) {
        byte[] sent = text.getBytes(Charset.forName(charset));
        Headers headers = Headers.builder().addUnchecked("Name", received(sent)).build();

        assertThat(headers.get("name")).isEqualTo(text);
        assertThat(headers.all("name")).containsExactly(text);
        headers.forEach((_, value) -> assertThat(value).isEqualTo(text));
    }

    /** One bad byte makes all of them Latin-1; none is lost. */
    @Test
    void keepsEveryByteThatIsNotUtf8() {
        byte[] sent = {'a', (byte) 0xC3, (byte) 0xA9, (byte) 0xE9};
        Headers headers = Headers.builder().addUnchecked("Name", received(sent)).build();

        assertThat(headers.get("name"))
                .isEqualTo(new String(sent, StandardCharsets.ISO_8859_1))
                .hasSize(4);
    }

    @Test
    void readsWhatComesFromASocketAlike() throws IOException {
        var seen = new CopyOnWriteArrayList<String>();
        HttpHandler handler =
                request -> {
                    seen.addAll(request.headers().all("x-key"));
                    return HttpReply.empty(200);
                };
        try (var server = HttpServer.builder(handler).start();
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nhost: x\r\n");
            client.send("x-key: [\"Zürich\"]\r\n".getBytes(StandardCharsets.UTF_8));
            client.send("x-key: [\"Zürich\"]\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(client.read().status()).isEqualTo(200);
        }
        assertThat(seen).containsExactly("[\"Zürich\"]", "[\"Zürich\"]");
    }
}
