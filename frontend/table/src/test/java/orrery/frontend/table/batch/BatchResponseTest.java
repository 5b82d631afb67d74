package orrery.frontend.table.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import orrery.frontend.http.HttpReply;
import orrery.model.Bytes;

class BatchResponseTest {
    private static final UUID ID = UUID.fromString("00000000-0000-0000-0000-00000000000a");

    private static String text(BatchResponse response) {
        return response.body(ID).toUtf8();
    }

    @Test
    void eachOperationOfAChangeSetHasAPart() {
        HttpReply done =
                HttpReply.status(204)
                        .header("X-Content-Type-Options", "nosniff")
                        .header("ETag", "W/\"x\"")
                        .build();
        HttpReply created =
                HttpReply.status(201)
                        .header("Content-Type", "application/json")
                        .body(Bytes.ofUtf8("{\"A\":\"é\"}"))
                        .build();
        BatchResponse response =
                new BatchResponse(
                        List.of(
                                new BatchResponse.Part(done, Optional.empty()),
                                new BatchResponse.Part(created, Optional.of("7"))),
                        true);

        assertThat(BatchResponse.contentType(ID))
                .isEqualTo("multipart/mixed; boundary=batchresponse_" + ID);
        assertThat(text(response))
                .isEqualTo(
                        """
                        --batchresponse_I
                        Content-Type: multipart/mixed; boundary=changesetresponse_I

                        --changesetresponse_I
                        Content-Type: application/http
                        Content-Transfer-Encoding: binary

                        HTTP/1.1 204 No Content
                        X-Content-Type-Options: nosniff
                        ETag: W/"x"


                        --changesetresponse_I
                        Content-Type: application/http
                        Content-Transfer-Encoding: binary

                        HTTP/1.1 201 Created
                        Content-ID: 7
                        Content-Type: application/json

                        {"A":"é"}
                        --changesetresponse_I--
                        --batchresponse_I--
                        """
                                .replace("_I", "_" + ID)
                                .replace("\n", "\r\n"));
    }

    @Test
    void theAnswerToAQueryStandsInNoChangeSet() {
        HttpReply found = HttpReply.json(200, Bytes.ofUtf8("{}"));
        assertThat(
                        text(
                                new BatchResponse(
                                        List.of(new BatchResponse.Part(found, Optional.empty())),
                                        false)))
                .isEqualTo(
                        """
                        --batchresponse_I
                        Content-Type: application/http
                        Content-Transfer-Encoding: binary

                        HTTP/1.1 200 OK
                        Content-Type: application/json

                        {}
                        --batchresponse_I--
                        """
                                .replace("_I", "_" + ID)
                                .replace("\n", "\r\n"));
    }
}
