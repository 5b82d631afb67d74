package orrery.frontend.table.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.table.batch.BatchRequest.Part;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class BatchRequestTest {
    private static final String INSERT =
            """
            POST http://other:1234/People HTTP/1.1
            Accept: application/json
            Prefer: return-no-content

            {"PartitionKey":"p","RowKey":"é"}""";
    private static final String MERGE =
            """
            MERGE https://h/acct/People(PartitionKey='p',RowKey='r')?timeout=9 HTTP/1.1
            If-Match: *

            {"A":1}""";
    private static final String DELETE =
            """
            DELETE /People(PartitionKey='p',RowKey='d''%2520') HTTP/1.1
            If-Match: *

            """;

    private static BatchRequest read(String body) {
        return BatchRequest.read(BatchBodies.request(BatchBodies.TYPE, body));
    }

    private static void isRefused(String contentType, String body, String says) {
        assertThatThrownBy(() -> BatchRequest.read(BatchBodies.request(contentType, body)))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> {
                            assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
                            assertThat(failure.text()).contains(says);
                        });
    }

    @Test
    void theWritingsOfAllSdksAreTheSameBatch() {
        List<Function<String[], String>> writers =
                List.of(BatchBodies::javaScript, BatchBodies::java, BatchBodies::oldNode);
        for (Function<String[], String> writer : writers) {
            BatchRequest batch = read(writer.apply(new String[] {INSERT, MERGE, DELETE}));

            assertThat(batch.isChangeSet()).isTrue();
            List<HttpRequest> requests = batch.parts().stream().map(Part::request).toList();
            assertThat(requests)
                    .extracting(HttpRequest::method)
                    .containsExactly("POST", "MERGE", "DELETE");
            assertThat(requests)
                    .extracting(HttpRequest::path)
                    .containsExactly(
                            "/People",
                            "/acct/People(PartitionKey='p',RowKey='r')",
                            "/People(PartitionKey='p',RowKey='d''%2520')");
            assertThat(requests)
                    .extracting(HttpRequest::query)
                    .containsExactly("", "timeout=9", "");
            assertThat(requests)
                    .extracting(request -> request.body().toUtf8().strip())
                    .containsExactly("{\"PartitionKey\":\"p\",\"RowKey\":\"é\"}", "{\"A\":1}", "");
            assertThat(requests.get(0).header("PREFER")).contains("return-no-content");
            assertThat(requests.get(1).header("if-match")).contains("*");
            // The host of the batch counts, whatever its parts say.
            assertThat(requests).extracting(HttpRequest::authority).containsOnly("here:8902");
        }
    }

    @Test
    void partsKeepTheirIds() {
        assertThat(read(BatchBodies.oldNode(INSERT, MERGE)).parts())
                .extracting(Part::contentId)
                .containsExactly(Optional.of("0"), Optional.of("1"));
        String inMime =
                BatchBodies.java(INSERT)
                        .replace(
                                "Content-Transfer-Encoding: binary",
                                "Content-Transfer-Encoding: binary\r\nContent-ID: 7");
        assertThat(read(inMime).parts().getFirst().contentId()).contains("7");
    }

    @Test
    void aDeleteMayEndWithItsLastHeader() {
        // The old Java SDK writes the blank line and the delimiter, and nothing between.
        String body =
                BatchBodies.java(DELETE)
                        .replace("Content-Length: 0\r\n\r\n\r\n", "")
                        .replace("If-Match: *\r\n\r\n", "If-Match: *\r\n");
        assertThat(body).contains("If-Match: *\r\n--" + BatchBodies.CHANGES + "--");

        HttpRequest request = read(body).parts().getFirst().request();
        assertThat(request.header("If-Match")).contains("*");
        assertThat(request.body().isEmpty()).isTrue();
    }

    @Test
    void aQueryStandsByItself() {
        BatchRequest batch =
                read(BatchBodies.lone("GET http://h/People(PartitionKey='p',RowKey='r') HTTP/1.1"));
        assertThat(batch.isChangeSet()).isFalse();
        assertThat(batch.parts()).hasSize(1);
        assertThat(batch.parts().getFirst().request().method()).isEqualTo("GET");
    }

    @Test
    void theBoundaryIsFoundInEveryWriting() {
        String b = BatchBodies.BATCH;
        for (String type :
                List.of(
                        "multipart/mixed;boundary=" + b,
                        "Multipart/Mixed; Boundary=\"" + b + "\"",
                        "multipart/mixed; charset=\"utf-8\"; boundary=" + b,
                        "multipart/mixed; charset=\"a;boundary=x\"; boundary=\"" + b + "\"; x=y",
                        "multipart/mixed; boundary=" + b + " ; type=entry")) {
            assertThat(
                            BatchRequest.read(BatchBodies.request(type, BatchBodies.java(INSERT)))
                                    .parts())
                    .as(type)
                    .hasSize(1);
        }
    }

    @Test
    void whatStandsBeforeAndBehindCountsForNothing() {
        String body = BatchBodies.java(INSERT);
        assertThat(read("for old readers\r\n\r\n" + body + "\r\nthe end\r\n").parts()).hasSize(1);
        // Blanks may follow a delimiter, and a longer one is not it.
        String spaced =
                body.replace(
                                "--" + BatchBodies.CHANGES + "\r\n",
                                "--" + BatchBodies.CHANGES + " \r\n")
                        .replace("{", "--" + BatchBodies.CHANGES + "x\r\n{");
        assertThat(read(spaced).parts().getFirst().request().body().toUtf8())
                .startsWith("--" + BatchBodies.CHANGES + "x\r\n{");
    }

    @Test
    void everyBatchThatWasCutOffIsRefused() {
        String body = BatchBodies.javaScript(INSERT, MERGE, DELETE);
        int end = body.indexOf("--" + BatchBodies.BATCH + "--") + BatchBodies.BATCH.length() + 4;
        for (int length = 0; length < end; length++) {
            String cut = body.substring(0, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(OrreryException.class);
        }
        assertThat(read(body.substring(0, end)).parts()).hasSize(3);
    }

    @Test
    void whatIsNoBatchSaysSo() {
        String body = BatchBodies.java(INSERT);
        isRefused("application/json", body, "multipart/mixed");
        isRefused("multipart/mixed", body, "names no boundary");
        isRefused("multipart/mixed; boundary=", body, "1 to 70");
        isRefused("multipart/mixed; boundary=" + "b".repeat(71), body, "has 71");
        isRefused("multipart/mixed; boundary=\"b", body, "names no boundary");
        String type = BatchBodies.TYPE;
        isRefused(type, "--" + BatchBodies.BATCH + "--", "neither");
        isRefused(type, BatchBodies.java(), "no operations");
        isRefused(type, body.replace("--" + BatchBodies.BATCH + "--", "") + body, "several");
        isRefused(type, body.replace("application/http", "text/plain"), "application/http");
        String delimiter = "--" + BatchBodies.CHANGES;
        String two = BatchBodies.java(INSERT, DELETE);
        isRefused(type, two.replaceFirst(delimiter, "-" + delimiter), "no operation");
        isRefused(
                type,
                two.replaceFirst("(?s)(.*)" + delimiter + "\r\n", "$1" + delimiter + "--\r\n"),
                "no operation");
        isRefused(type, body.replace(" HTTP/1.1", ""), "request line");
        isRefused(type, body.replace("http://other:1234/People", "People"), "not valid");
        isRefused(type, body.replace("http://other:1234/People", "/Pe\u0001ple"), "not valid");
        isRefused(type, body.replace("Prefer: return", "Prefer return"), "not a header");
        isRefused(type, body.replace("Prefer: return", "Pre fer: return"), "not a header");
    }

    @Test
    void aHundredOperationsAreReadAndOneMoreIsTold() {
        String[] many = Collections.nCopies(100, INSERT).toArray(String[]::new);
        assertThat(read(BatchBodies.java(many)).isTooLong()).isFalse();
        assertThat(read(BatchBodies.java(many)).parts()).hasSize(100);
        String[] more = Collections.nCopies(500, INSERT).toArray(String[]::new);
        BatchRequest batch = read(BatchBodies.java(more));
        assertThat(batch.isTooLong()).isTrue();
        assertThat(batch.parts()).hasSize(101);
    }

    @Test
    void aHeadHasABound() {
        String longest = "X: " + "x".repeat(BatchRequest.MAX_HEAD_BYTES - 300) + "\r\nPrefer";
        assertThat(read(BatchBodies.java(INSERT).replace("Prefer", longest)).parts()).hasSize(1);
        isRefused(
                BatchBodies.TYPE,
                BatchBodies.java(INSERT)
                        .replace(
                                "Prefer",
                                "X: " + "x".repeat(BatchRequest.MAX_HEAD_BYTES) + "\r\nPrefer"),
                "32768");
        isRefused(
                BatchBodies.TYPE,
                BatchBodies.java(INSERT).replace("Prefer", "X: y\r\n".repeat(65) + "Prefer"),
                "64 headers");
    }
}
