package orrery.model.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RequestSignerTest {
    /** The worked example of the service's documentation of its REST API. */
    @Test
    void signsAsTheServiceDocuments() {
        RequestSigner signer =
                new RequestSigner(
                        "dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw==");

        assertThat(
                        signer.authorization(
                                "GET", "dbs", "dbs/ToDoList", "Thu, 27 Apr 2017 00:51:12 GMT"))
                .isEqualTo(
                        "type%3dmaster%26ver%3d1.0%26sig%3dc09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2bc%2bc%3d");
    }

    @Test
    void writesDatesWithTwoDigits() {
        assertThat(RequestSigner.date(Instant.parse("2026-01-05T06:07:08.9Z")))
                .isEqualTo("Mon, 05 Jan 2026 06:07:08 GMT");
    }

    @Test
    void refusesWhatIsNoKey() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestSigner("no key!"));
    }
}
