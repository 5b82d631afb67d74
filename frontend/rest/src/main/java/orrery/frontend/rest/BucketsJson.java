package orrery.frontend.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.ThroughputBuckets;

/**
 * Throughput buckets as the service writes them: {@code [{"id":1,"maxThroughputPercentage":20}]},
 * and {@code "isDefaultBucket":true} in one of them perhaps.
 */
public final class BucketsJson {
    private static final String ID = "id";
    private static final String PERCENT = "maxThroughputPercentage";
    private static final String DEFAULT = "isDefaultBucket";

    private BucketsJson() {}

    public static Value write(ThroughputBuckets buckets) {
        List<Value> all = new ArrayList<>();
        for (ThroughputBuckets.Bucket bucket : buckets.list()) {
            Json.Builder json = Json.builder().put(ID, bucket.id()).put(PERCENT, bucket.percent());
            all.add(bucket.isDefault() ? json.put(DEFAULT, true).build() : json.build());
        }
        return new Value.Array(all);
    }

    /** Reads the buckets in a member of an object; absent where the member is. */
    public static Optional<ThroughputBuckets> parse(BodyReader reader, String member) {
        if (reader.find(member).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ThroughputBuckets(
                            reader.objects(member).stream().map(BucketsJson::bucket).toList()));
        } catch (IllegalArgumentException notPossible) {
            throw reader.refused(member, "cannot be set: " + notPossible.getMessage());
        }
    }

    private static ThroughputBuckets.Bucket bucket(BodyReader json) {
        int id = number(json, ID, ThroughputBuckets.MOST);
        int percent = number(json, PERCENT, ThroughputBuckets.MOST_PERCENT);
        boolean isDefault = json.bool(DEFAULT).orElse(false);
        json.finish();
        return new ThroughputBuckets.Bucket(id, percent, isDefault);
    }

    private static int number(BodyReader json, String name, int most) {
        long number = json.integer(name).orElseThrow(() -> json.refused(name, "is missing"));
        if (number < 1 || number > most) {
            throw json.refused(name, "must be between 1 and " + most);
        }
        return (int) number;
    }
}
