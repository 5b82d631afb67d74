package orrery.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.NamedIndex;

/**
 * The end of items by a date that they hold: so many seconds after it. Of several dates, in an
 * array, the first counts; an item without a date does not end. Nothing is stored for it but the
 * item and the entries of the index, so a change of the seconds holds for all items at once.
 *
 * @param path the names on the way to the date
 */
public record FieldExpiry(List<String> path, int seconds) {
    public FieldExpiry {
        path = List.copyOf(path);
    }

    /** The expiries among the indexes of a container. */
    public static List<FieldExpiry> among(List<NamedIndex> indexes) {
        return indexes.stream()
                .filter(index -> index.expireAfterSeconds().isPresent() && !index.isByLastWrite())
                .map(
                        index ->
                                new FieldExpiry(
                                        index.key().getFirst().segments(),
                                        index.expireAfterSeconds().getAsInt()))
                .toList();
    }

    /** Items with a date up to this one, in milliseconds, have ended. */
    public long lastEnded(long nowMillis) {
        return nowMillis - seconds * 1000L;
    }

    public boolean isOver(Encoding encoding, Bytes storedBody, long nowMillis) {
        String top = path.getFirst();
        Map<String, Value> found = BodyFormat.of(encoding).properties(storedBody, top::equals, 1);
        Value value = found.get(top);
        return value != null && hasDate(value, 1, lastEnded(nowMillis));
    }

    /** Returns true if a date up to the given one stands at the rest of the path. */
    private boolean hasDate(Value value, int depth, long lastMillis) {
        return switch (value) {
            case BsonValue.DateTime(long millis) -> depth == path.size() && millis <= lastMillis;
            case Value.Obj(Map<String, Value> properties) -> {
                Value next = depth == path.size() ? null : properties.get(path.get(depth));
                yield next != null && hasDate(next, depth + 1, lastMillis);
            }
            case Value.Array(List<Value> elements) ->
                    elements.stream()
                            .anyMatch(
                                    element ->
                                            !(element instanceof Value.Array)
                                                    && hasDate(element, depth, lastMillis));
            default -> false;
        };
    }

    /** The paths of the dates in the index. An array may stand at every step. */
    public List<IndexPath> indexPaths() {
        List<IndexPath> paths = List.of(IndexPath.ROOT);
        for (String name : path) {
            List<IndexPath> longer = new ArrayList<>();
            for (IndexPath each : paths) {
                longer.add(each.property(name));
                longer.add(each.property(name).element());
            }
            paths = longer;
        }
        return paths;
    }
}
