package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/**
 * A container's feed ranges, from their text form.
 *
 * @param min first effective key, in hexadecimal
 * @param max first effective key behind it
 */
record KeyRange(String min, String max) {

    /**
     * Returns when there are so many. The SDK answers from a look at the ranges that is under way
     * already, if there is one: a query that reads ahead may have begun it before the last split.
     */
    static void await(CosmosContainer container, int count) {
        while (of(container).size() != count) {
            Thread.onSpinWait();
        }
    }

    /** Likewise, where partitions may also outgrow their storage. */
    static void awaitAtLeast(CosmosContainer container, int count) {
        while (of(container).size() < count) {
            Thread.onSpinWait();
        }
    }

    /** In key order. Fails unless they tile the key space: every key is in exactly one. */
    static List<KeyRange> of(CosmosContainer container) {
        List<KeyRange> ranges = new ArrayList<>();
        for (FeedRange range : container.getFeedRanges()) {
            byte[] json = Base64.getDecoder().decode(range.toString());
            JsonNode bounds = Cosmos.json(new String(json, StandardCharsets.UTF_8)).get("Range");
            ranges.add(new KeyRange(bounds.get("min").asText(), bounds.get("max").asText()));
        }
        ranges.sort(Comparator.comparing(KeyRange::min));
        String end = "";
        for (KeyRange range : ranges) {
            assertThat(range.min()).as("ranges %s", ranges).isEqualTo(end).isLessThan(range.max());
            end = range.max();
        }
        assertThat(end).as("ranges %s", ranges).isEqualTo("FF");
        return ranges;
    }
}
