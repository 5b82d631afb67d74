package orrery.bench.load;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Requests of the Table API as bytes, signed with SharedKeyLite for the account that Azurite and
 * Orrery both know. A signature covers the date and the path, so one serves all inserts. Messages
 * are made before they are needed, or from a text with places for digits: the client shares the
 * processors with the server that is measured.
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

    private static final int KEY_DIGITS = 7;
    private static final int ROW_DIGITS = 2;
    private static final int TOTAL_DIGITS = 9;

    /** Reads go round the entities in steps, so that the next is not the neighbour of the last. */
    private static final int STEP = 7;

    private static final String FILLING = "0123456789abcdef".repeat(45);

    private final String date =
            DateTimeFormatter.RFC_1123_DATE_TIME
                    .withLocale(Locale.ROOT)
                    .format(ZonedDateTime.now(ZoneOffset.UTC));
    private final String url;

    /** Messages for the server on this port; they are good for a quarter of an hour. */
    public TableMessages(int port) {
        url = "http://127.0.0.1:" + port + "/" + ACCOUNT;
    }

    /** The start of a request, up to what its body needs. */
    private String head(String method, String path, String query) {
        return method
                + " /"
                + ACCOUNT
                + path
                + query
                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nx-ms-date: "
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

    public byte[] createTable() {
        return new Text()
                .add("{\"TableName\":\"" + TABLE + "\"}")
                .behind(head("POST", "/Tables", "") + "Content-Type: application/json\r\n")
                .with(0);
    }

    /** Inserts the entity of a number. */
    LongFunction<byte[]> inserts() {
        return new Text()
                        .entity(0)
                        .behind(
                                head("POST", "/" + TABLE, "")
                                        + "Content-Type: application/json\r\n"
                                        + "Prefer: return-no-content\r\n")
                ::with;
    }

    /** Reads an entity of those from 0 to a number. */
    LongFunction<byte[]> reads(int entities) {
        byte[][] all = new byte[entities][];
        for (int i = 0; i < entities; i++) {
            String keys =
                    String.format(
                            Locale.ROOT,
                            "(PartitionKey='p%07d',RowKey='r%02d')",
                            i / ROWS,
                            i % ROWS);
            all[i] = SampleItem.ascii(head("GET", "/" + TABLE + keys, "") + "\r\n");
        }
        return number -> all[(int) (number * STEP % all.length)];
    }

    /** Asks for ten of the hundred entities of a partition key. */
    LongFunction<byte[]> queries(int entities) {
        int keys = entities / ROWS;
        Text text = new Text().add("GET /" + ACCOUNT + "/" + TABLE + "()?");
        text.add("$filter=PartitionKey%20eq%20%27p").digits(KEY_DIGITS, 1, 0);
        text.add("%27%20and%20Score%20ge%20190");
        String signed = head("GET", "/" + TABLE + "()", "");
        text.add(signed.substring(signed.indexOf(" HTTP/1.1"))).add("\r\n");
        NumberedText messages = text.build();
        return number -> messages.with(number % keys);
    }

    /**
     * Inserts entities of one partition key, from that of a number on.
     *
     * @param count a number that divides {@link #ROWS}; the first has to be a multiple of it
     */
    public LongFunction<byte[]> batches(int count) {
        Text body = new Text().add("--" + BATCH + "\r\n");
        body.add("Content-Type: multipart/mixed; boundary=" + CHANGES + "\r\n\r\n");
        for (int i = 0; i < count; i++) {
            body.add("--" + CHANGES + "\r\nContent-Type: application/http\r\n")
                    .add("Content-Transfer-Encoding: binary\r\n\r\nPOST ")
                    .add(url)
                    .add("/" + TABLE + " HTTP/1.1\r\nContent-Type: application/json\r\n")
                    .add("Accept: application/json;odata=minimalmetadata\r\n")
                    .add("Prefer: return-no-content\r\nDataServiceVersion: 3.0\r\n\r\n")
                    .entity(i)
                    .add("\r\n");
        }
        return body.add("--" + CHANGES + "--\r\n--" + BATCH + "--\r\n")
                        .behind(
                                head("POST", "/$batch", "")
                                        + "Content-Type: multipart/mixed; boundary="
                                        + BATCH
                                        + "\r\n")
                ::with;
    }

    /** Collects a text with digits in it. */
    private static final class Text {
        private final StringBuilder text = new StringBuilder();
        private final List<NumberedText.Place> places = new ArrayList<>();

        Text add(String part) {
            text.append(part);
            return this;
        }

        Text digits(int digits, long divisor, int plus) {
            places.add(new NumberedText.Place(text.length(), digits, divisor, plus));
            text.repeat('0', digits);
            return this;
        }

        /** Numbers must not begin with a zero, hence the 1. */
        Text entity(int plus) {
            return add("{\"PartitionKey\":\"p")
                    .digits(KEY_DIGITS, ROWS, 0)
                    .add("\",\"RowKey\":\"r")
                    .digits(ROW_DIGITS, 1, plus)
                    .add("\",\"Score\":1")
                    .digits(ROW_DIGITS, 1, plus)
                    .add(",\"Ratio\":1")
                    .digits(TOTAL_DIGITS, 1, plus)
                    .add(".5,\"IsOpen\":true,\"When\":\"2026-11-18T08:00:00Z\",")
                    .add("\"When@odata.type\":\"Edm.DateTime\",\"Total\":\"1")
                    .digits(TOTAL_DIGITS, 1, plus)
                    .add("\",\"Total@odata.type\":\"Edm.Int64\",\"Text\":\"" + FILLING + "\"}");
        }

        /** Makes this the body of a request. */
        NumberedText behind(String head) {
            Text whole = new Text().add(head + "Content-Length: " + text.length() + "\r\n\r\n");
            int shift = whole.text.length();
            for (NumberedText.Place place : places) {
                whole.places.add(
                        new NumberedText.Place(
                                place.at() + shift, place.digits(), place.divisor(), place.plus()));
            }
            return whole.add(text.toString()).build();
        }

        NumberedText build() {
            return new NumberedText(SampleItem.ascii(text.toString()), places);
        }
    }
}
