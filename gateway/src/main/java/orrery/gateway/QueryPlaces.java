package orrery.gateway;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.query.plan.KeySpan;

/**
 * The parts of a container in which the results of a query can lie: those that the request names,
 * narrowed to the keys that the filter leaves possible.
 *
 * @param places sorted
 */
record QueryPlaces(List<Place> places) {
    /**
     * @param key the one key, or prefix, whose place it is
     */
    record Place(KeyRange keys, Optional<PartitionKey> key) {}

    QueryPlaces {
        places = List.copyOf(places);
    }

    /**
     * @param asked what the request names
     * @param key the key that the request names
     * @param wanted the keys that the filter leaves; empty if any
     */
    static QueryPlaces of(
            PartitionKeyDefinition definition,
            KeyRange asked,
            Optional<PartitionKey> key,
            Optional<List<PartitionKey>> wanted) {
        Place whole = new Place(asked, key);
        if (key.isPresent() || wanted.isEmpty()) {
            return new QueryPlaces(List.of(whole));
        }
        List<Place> places = new ArrayList<>();
        for (PartitionKey each : wanted.get()) {
            KeyRange span = KeySpan.of(definition, each).range();
            span.intersect(asked)
                    .ifPresent(common -> places.add(new Place(common, Optional.of(each))));
        }
        places.sort(Comparator.comparing(place -> place.keys().min()));
        // Even if nothing can match, one place is asked: an aggregate of nothing is a result.
        return new QueryPlaces(places.isEmpty() ? List.of(whole) : places);
    }

    /** Returns true if everything lies in one logical partition, and so in one partition. */
    boolean isOneKey(PartitionKeyDefinition definition) {
        return places.size() == 1
                && places.getFirst().key().isPresent()
                && places.getFirst().key().get().components().size() >= definition.paths().size();
    }

    /** Keeps the places in which keys lie that another filter leaves. */
    QueryPlaces narrowed(PartitionKeyDefinition definition, Optional<List<PartitionKey>> wanted) {
        boolean isNarrow = places.size() > 1 || places.getFirst().key().isPresent();
        return isNarrow ? this : of(definition, places.getFirst().keys(), Optional.empty(), wanted);
    }

    /** Returns the part of a range to be read, if any; neighbouring places become one. */
    Optional<Place> in(KeyRange range) {
        Optional<Place> found = Optional.empty();
        for (Place place : places) {
            Optional<KeyRange> common = place.keys().intersect(range);
            if (common.isPresent()) {
                Place part = new Place(common.get(), place.key());
                found =
                        Optional.of(
                                found.isEmpty()
                                        ? part
                                        : new Place(
                                                hull(found.get().keys(), part.keys()),
                                                Optional.empty()));
            }
        }
        return found;
    }

    private static KeyRange hull(KeyRange left, KeyRange right) {
        return new KeyRange(
                left.min().compareTo(right.min()) <= 0 ? left.min() : right.min(),
                left.max().compareTo(right.max()) >= 0 ? left.max() : right.max());
    }
}
