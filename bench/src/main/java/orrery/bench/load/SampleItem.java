package orrery.bench.load;

import java.nio.charset.StandardCharsets;

/** The item that every measurement writes and reads: 1 KB of JSON with 20 leaves. */
public final class SampleItem {
    /** The number of digits of a number in {@link #id}. */
    public static final int DIGITS = 12;

    /** Stands in a text wherever the digits of the number go. */
    public static final String MARK = "#".repeat(DIGITS);

    private static final int BYTES = 1024;
    private static final int KEY_AT = text().indexOf("\"pk\":\"") + "\"pk\":\"".length();
    private static final NumberedText BODY = new NumberedText(ascii(text()));

    private SampleItem() {}

    /** The id of an item, which is also its partition key. */
    public static String id(long number) {
        byte[] digits = new byte[DIGITS];
        NumberedText.putDigits(digits, 0, number);
        return new String(digits, StandardCharsets.US_ASCII);
    }

    public static byte[] body(long number) {
        return BODY.with(number);
    }

    /** The item under the key of another. */
    public static byte[] body(long number, long keyOf) {
        byte[] body = BODY.with(number);
        NumberedText.putDigits(body, KEY_AT, keyOf);
        return body;
    }

    /** The body with {@link #MARK} in place of the digits. */
    static String text() {
        String start =
                "{\"id\":\"%1$s\",\"pk\":\"%1$s\",\"order\":%2$s,\"status\":\"shipped\","
                        + "\"total\":129.95,\"currency\":\"EUR\",\"paid\":true,\"gift\":false,"
                        + "\"coupon\":null,\"customer\":{\"number\":\"C-%1$s\",\"name\":\"Ada"
                        + " Lovelace\",\"email\":\"ada@example.com\",\"city\":\"London\","
                        + "\"zip\":\"W1\"},\"lines\":[{\"sku\":\"A-100\",\"quantity\":2,"
                        + "\"price\":49.5},{\"sku\":\"B-200\",\"quantity\":1,\"price\":30.95}],"
                        + "\"note\":\"";
        // A number must not begin with a zero, hence the 9.
        String head = start.formatted(MARK, "9" + MARK);
        String tail = "\"}";
        return head + "x".repeat(BYTES - head.length() - tail.length()) + tail;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
