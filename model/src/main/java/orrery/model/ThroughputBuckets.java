package orrery.model;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The buckets of a container: each holds the requests that name it to a part of the throughput. No
 * part is reserved, so all parts together may be more than the whole.
 *
 * @param list in the order of their ids
 */
public record ThroughputBuckets(List<Bucket> list) {
    /** A container of the service has up to this many; their ids are 1 to this. */
    public static final int MOST = 5;

    public static final int MOST_PERCENT = 100;

    public static final ThroughputBuckets NONE = new ThroughputBuckets(List.of());

    /**
     * @param percent of the throughput that its requests may use, 1 to {@value #MOST_PERCENT}
     * @param isDefault requests that name no bucket belong to it
     */
    public record Bucket(int id, int percent, boolean isDefault) {
        public Bucket {
            if (id < 1 || id > MOST) {
                throw new IllegalArgumentException("the id of a bucket is 1 to " + MOST);
            }
            if (percent < 1 || percent > MOST_PERCENT) {
                throw new IllegalArgumentException(
                        "a bucket may use 1 to " + MOST_PERCENT + " percent of the throughput");
            }
        }

        private void write(BinaryWriter out) {
            out.u8(id).u8(percent).bool(isDefault);
        }

        private static Bucket read(BinaryReader in) {
            return new Bucket(in.u8(), in.u8(), in.bool());
        }
    }

    public ThroughputBuckets {
        list = list.stream().sorted(Comparator.comparingInt(Bucket::id)).toList();
        if (list.stream().map(Bucket::id).distinct().count() < list.size()) {
            throw new IllegalArgumentException("no two buckets have the same id");
        }
        if (list.stream().filter(Bucket::isDefault).count() > 1) {
            throw new IllegalArgumentException("only one bucket is the default");
        }
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** Returns the bucket of requests that name none, if one is set for them. */
    public Optional<Bucket> defaultBucket() {
        return list.stream().filter(Bucket::isDefault).findFirst();
    }

    public void write(BinaryWriter out) {
        out.list(list, (w, bucket) -> bucket.write(w));
    }

    public static ThroughputBuckets read(BinaryReader in) {
        return in.checked(r -> new ThroughputBuckets(r.list(Bucket::read)));
    }
}
