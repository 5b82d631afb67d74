package orrery.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import orrery.bench.load.SampleItem;

/**
 * Items for queries: the usual item, or a short one where very many are needed, with properties
 * whose values are known to be rare.
 */
final class QueryItem {
    /** Items that share a value of {@code bucket}. */
    static final int PER_BUCKET = 10;

    /** Values of {@code state}. */
    static final int STATES = 100;

    private QueryItem() {}

    /** About 100 bytes. */
    static byte[] brief(long number, long items) {
        return ascii(
                "{\"id\":\"%1$s\",\"pk\":\"%1$s\",%2$s\"order\":9%1$s}"
                        .formatted(SampleItem.id(number), found(number, items)));
    }

    /** About 1 KB. */
    static byte[] usual(long number, long items) {
        String sample = new String(SampleItem.body(number), StandardCharsets.US_ASCII);
        return ascii("{" + found(number, items) + sample.substring(1));
    }

    static long buckets(long items) {
        return items / PER_BUCKET;
    }

    /** Items of a bucket are far from each other, those of a state too. */
    private static String found(long number, long items) {
        return String.format(
                Locale.ROOT,
                "\"bucket\":%d,\"state\":\"s%d\",\"amount\":%d,",
                number % buckets(items),
                number % STATES,
                number % 1000);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
