package orrery.server.client;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import orrery.document.JsonText;

/**
 * The ratio of the largest range and the largest key to the mean of their kind, in bytes; 1 where
 * all are equal or there is only one.
 *
 * @param range the id of the largest
 * @param key the largest as JSON, of those that the sketches know; empty where they know none
 */
record Skew(long range, double ofRanges, String key, double ofKeys) {
    static Skew of(Answer report) {
        List<Answer> partitions = report.objects("partitions");
        Answer largest =
                partitions.stream()
                        .max(Comparator.comparingLong(PartitionsView::bytes))
                        .orElseThrow(() -> new ClientException("The container has no partitions."));
        List<Answer> keys =
                partitions.stream().flatMap(each -> each.objects("largestKeys").stream()).toList();
        Optional<Answer> key =
                keys.stream().max(Comparator.comparingDouble(each -> each.number("bytes")));
        return new Skew(
                largest.integer("id"),
                ratio(partitions.stream().map(each -> (double) PartitionsView.bytes(each))),
                key.map(each -> JsonText.write(each.value("key"))).orElse(""),
                ratio(keys.stream().map(each -> each.number("bytes"))));
    }

    private static double ratio(Stream<Double> amounts) {
        var seen = amounts.mapToDouble(Double::doubleValue).summaryStatistics();
        return seen.getSum() == 0 ? 1 : seen.getMax() / seen.getAverage();
    }

    /** Returns a hint if one of them is above a limit. */
    Optional<String> beyond(double limit) {
        if (ofRanges > limit) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "Range %d holds %.2f times the mean of the ranges, more than %s.",
                            range,
                            ofRanges,
                            limit));
        }
        if (ofKeys > limit) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "The key %s holds %.2f times the mean of the keys, more than %s.",
                            key,
                            ofKeys,
                            limit));
        }
        return Optional.empty();
    }
}
