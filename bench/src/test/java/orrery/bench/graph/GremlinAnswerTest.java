package orrery.bench.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class GremlinAnswerTest {
    private static GremlinAnswer parse(String status, String data) throws IOException {
        String json =
                "{\"requestId\":\"r\",\"status\":{\"code\":"
                        + status
                        + ",\"attributes\":{\"code\":1,\"more\":[{}]}},\"result\":{\"data\":"
                        + data
                        + ",\"meta\":{}}}";
        return GremlinAnswer.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void resultsAreCountedAndScalarsAreKept() throws IOException {
        GremlinAnswer answer =
                parse("200,\"message\":\"fine\"", "[{\"id\":[1,2]},\"a\",[\"b\",3],7,true]");
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.message()).isEqualTo("fine");
        assertThat(answer.results()).isEqualTo(5);
        assertThat(answer.scalars()).containsExactly("a", "7", "true");
    }

    @Test
    void aFailureHasNoResults() throws IOException {
        GremlinAnswer answer = parse("597,\"message\":\"no\"", "null");
        assertThat(answer.code()).isEqualTo(597);
        assertThat(answer.results()).isZero();
    }

    @Test
    void partsAreJoinedUnderTheLastCode() throws IOException {
        GremlinAnswer answer = parse("206", "[1,2]").and(parse("200", "[3]"));
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.results()).isEqualTo(3);
        assertThat(answer.scalars()).containsExactly("1", "2", "3");
    }
}
