package orrery.query.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;

/**
 * The part of the hash space that one key, or all keys with one prefix, can lie in.
 *
 * @param isPoint whether it is the place of a single key
 */
public record KeySpan(KeyRange range, boolean isPoint) {
    public static KeySpan of(PartitionKeyDefinition definition, PartitionKey key) {
        if (key.components().isEmpty() && !definition.paths().isEmpty()) {
            return new KeySpan(KeyRange.FULL, false);
        }
        if (key.components().size() < definition.paths().size()) {
            return new KeySpan(EffectiveKeys.prefixRange(definition, key), false);
        }
        EffectiveKey point = EffectiveKeys.of(definition, key);
        byte[] next = new byte[point.bytes().length() + 1];
        System.arraycopy(point.bytes().unsafeArray(), 0, next, 0, next.length - 1);
        return new KeySpan(new KeyRange(point, new EffectiveKey(Bytes.wrap(next))), true);
    }

    /** Sorted, and none inside another: prefixes hold the keys that begin with them. */
    public static List<KeySpan> all(PartitionKeyDefinition definition, List<PartitionKey> keys) {
        List<KeySpan> sorted =
                keys.stream()
                        .map(key -> of(definition, key))
                        .sorted(
                                Comparator.comparing((KeySpan span) -> span.range().min())
                                        .thenComparing(
                                                span -> span.range().max(),
                                                Comparator.reverseOrder()))
                        .toList();
        List<KeySpan> spans = new ArrayList<>();
        for (KeySpan span : sorted) {
            if (spans.isEmpty() || !spans.getLast().range().contains(span.range().min())) {
                spans.add(span);
            }
        }
        return List.copyOf(spans);
    }
}
