package orrery.bench.load;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Requests of the Table API as bytes, signed with SharedKeyLite for the account that Azurite and
 * Orrery both know. A signature covers the date and the path, so one serves all inserts.
 */
public final class TableMessages {
    private static final String ACCOUNT = "devstoreaccount1";
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final String TABLE = "Bench";
    private static final String BATCH = "batch_11111111-1111-1111-1111-111111111111";
    private static final String CHANGES = "changeset_22222222-2222-2222-2222-222222222222";

    /** Entities of one partition key. */
    public static final int ROWS = 100;

    private static final String FILLING = "0123456789abcdef".repeat(45);

    private final String date =
            DateTimeFormatter.RFC_1123_DATE_TIME
                    .withLocale(Locale.ROOT)
                    .format(ZonedDateTime.now(ZoneOffset.UTC));
    private final String insertHead;
    private final String batchHead;
    private final String queryHead;
    private final String url;

    /** Messages for the server on this port; they are good for a quarter of an hour. */
    public TableMessages(int port) {
        url = "http://127.0.0.1:" + port + "/" + ACCOUNT;
        insertHead =
                head("POST", "/" + TABLE, "")
                        + "Content-Type: application/json\r\nPrefer: return-no-content\r\n";
        batchHead =
                head("POST", "/$batch", "")
                        + "Content-Type: multipart/mixed; boundary="
                        + BATCH
                        + "\r\n";
        queryHead = signed("/" + TABLE + "()");
    }

    private String head(String method, String path, String query) {
        return method + " /" + ACCOUNT + path + query + " HTTP/1.1\r\n" + signed(path);
    }

    private String signed(String path) {
        return "Host: 127.0.0.1\r\nx-ms-date: "
                + date
                + "\r\nx-ms-version: 2019-02-02\r\nAccept: application/json;odata=minimalmetadata"
                + "\r\nDataServiceVersion: 3.0\r\nAuthorization: SharedKeyLite "
                + ACCOUNT
                + ":"
                + signature(date + "\n/" + ACCOUNT + "/" + ACCOUNT + path)
                + "\r\n";
    }

    private static String signature(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            return Base64.getEncoder()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] whole(String head, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return (head + "Content-Length: " + bytes.length + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    public byte[] createTable() {
        return whole(
                head("POST", "/Tables", "") + "Content-Type: application/json\r\n",
                "{\"TableName\":\"" + TABLE + "\"}");
    }

    public byte[] insert(long number) {
        return whole(insertHead, entity(number));
    }

    public byte[] read(long number) {
        return (head("GET", "/" + TABLE + "(" + keys(number) + ")", "") + "\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Asks for ten of the hundred entities of a partition key. */
    public byte[] query(long key) {
        return ("GET /"
                        + ACCOUNT
                        + "/"
                        + TABLE
                        + "()?$filter=PartitionKey%20eq%20%27"
                        + key(key)
                        + "%27%20and%20Score%20ge%2090 HTTP/1.1\r\n"
                        + queryHead
                        + "\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Inserts entities of one partition key, at most a hundred from a multiple of their number. */
    public byte[] batch(long first, int count) {
        StringBuilder body = new StringBuilder("--" + BATCH + "\r\n");
        body.append("Content-Type: multipart/mixed; boundary=" + CHANGES + "\r\n\r\n");
        for (long i = first; i < first + count; i++) {
            body.append("--" + CHANGES + "\r\nContent-Type: application/http\r\n")
                    .append("Content-Transfer-Encoding: binary\r\n\r\nPOST ")
                    .append(url)
                    .append("/" + TABLE + " HTTP/1.1\r\nContent-Type: application/json\r\n")
                    .append("Accept: application/json;odata=minimalmetadata\r\n")
                    .append("Prefer: return-no-content\r\nDataServiceVersion: 3.0\r\n\r\n")
                    .append(entity(i))
                    .append("\r\n");
        }
        body.append("--" + CHANGES + "--\r\n--" + BATCH + "--\r\n");
        return whole(batchHead, body.toString());
    }

    private static String key(long key) {
        return String.format(Locale.ROOT, "p%07d", key);
    }

    private static String keys(long number) {
        return "PartitionKey='"
                + key(number / ROWS)
                + "',RowKey='"
                + String.format(Locale.ROOT, "r%02d", number % ROWS)
                + "'";
    }

    private static String entity(long number) {
        return String.format(
                Locale.ROOT,
                "{\"PartitionKey\":\"%s\",\"RowKey\":\"r%02d\",\"Score\":%d,\"Ratio\":%d.5,"
                        + "\"IsOpen\":true,\"When\":\"2026-11-18T08:00:00Z\","
                        + "\"When@odata.type\":\"Edm.DateTime\",\"Total\":\"%d\","
                        + "\"Total@odata.type\":\"Edm.Int64\",\"Text\":\"%s\"}",
                key(number / ROWS),
                number % ROWS,
                number % ROWS,
                number,
                number,
                FILLING);
    }
}
