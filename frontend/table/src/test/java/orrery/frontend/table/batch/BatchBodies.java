package orrery.frontend.table.batch;

import java.nio.charset.StandardCharsets;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;

/** Batches as the SDKs write them, each with its own habits. */
public final class BatchBodies {
    public static final String BATCH = "batch_7fa8a7ee-2a8e-4b0a-9e9b-3f3a3b1f8f44";
    public static final String CHANGES = "changeset_0e1a52a1-5d3e-4ad0-8c0f-1bdc2a0b9a01";
    public static final String TYPE = "multipart/mixed; boundary=" + BATCH;

    private BatchBodies() {}

    /**
     * As npm's data-tables writes it: lower case, a blank line before the change set, two before
     * each body, neither length nor id, and a path of the emulator's form.
     */
    public static String javaScript(String... requests) {
        StringBuilder body = new StringBuilder("--" + BATCH + "\r\n");
        body.append("content-type: multipart/mixed; boundary=" + CHANGES + "\r\n\r\n\r\n");
        for (String request : requests) {
            String[] parts = request.split("\n\n", 2);
            body.append("--" + CHANGES + "\r\n");
            body.append("content-type: application/http\r\n");
            body.append("content-transfer-encoding: binary\r\n\r\n");
            body.append(parts[0].replace("\n", "\r\n")).append("\r\n\r\n\r\n");
            body.append(parts.length > 1 ? parts[1] : "").append("\r\n");
        }
        return body + "--" + CHANGES + "--\r\n--" + BATCH + "--\r\n";
    }

    /**
     * As the Java SDK writes it: lengths, one blank line before a body, and one between the two
     * last delimiters.
     */
    public static String java(String... requests) {
        StringBuilder body = new StringBuilder("--" + BATCH + "\r\n");
        body.append("Content-Type: multipart/mixed; boundary=" + CHANGES + "\r\n\r\n");
        for (String request : requests) {
            String[] parts = request.split("\n\n", 2);
            String json = parts.length > 1 ? parts[1] : "";
            body.append("--" + CHANGES + "\r\n");
            body.append("Content-Type: application/http\r\n");
            body.append("Content-Transfer-Encoding: binary\r\n\r\n");
            body.append(parts[0].replace("\n", "\r\n")).append("\r\n");
            body.append("Content-Length: ")
                    .append(json.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n\r\n")
                    .append(json)
                    .append("\r\n");
        }
        return body + "--" + CHANGES + "--\r\n\r\n--" + BATCH + "--\r\n";
    }

    /**
     * As the older SDK for Node writes it: bare LF, ids in the requests, and no line break at the
     * end.
     */
    public static String oldNode(String... requests) {
        StringBuilder body = new StringBuilder("--" + BATCH + "\n");
        body.append("content-type: multipart/mixed;charset=\"utf-8\";boundary=" + CHANGES + "\n\n");
        for (int i = 0; i < requests.length; i++) {
            String[] parts = requests[i].split("\n\n", 2);
            body.append("--" + CHANGES + "\n");
            body.append("content-type: application/http\n");
            body.append("content-transfer-encoding: binary\n\n");
            body.append(parts[0]).append("\ncontent-id: ").append(i).append("\n\n");
            body.append(parts.length > 1 ? parts[1] : "").append("\n");
        }
        return body + "--" + CHANGES + "--\n--" + BATCH + "--";
    }

    /** A query, which stands in no change set. */
    public static String lone(String request) {
        return "--"
                + BATCH
                + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                + request.replace("\n", "\r\n")
                + "\r\n\r\n--"
                + BATCH
                + "--\r\n";
    }

    public static HttpRequest request(String contentType, String body) {
        return request(contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    public static HttpRequest request(String contentType, byte[] body) {
        return HttpRequest.of(
                "POST",
                "/$batch",
                Headers.of("Host", "here:8902", "Content-Type", contentType),
                Bytes.wrap(body));
    }
}
