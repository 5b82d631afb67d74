package orrery.model;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A half-open range of effective keys, {@code [min, max)}. */
public record KeyRange(EffectiveKey min, EffectiveKey max) {
    /** The whole hash space. */
    public static final KeyRange FULL = new KeyRange(EffectiveKey.MIN, EffectiveKey.MAX);

    public KeyRange {
        if (min.compareTo(max) >= 0) {
            throw new IllegalArgumentException("a key range needs min < max");
        }
    }

    public boolean contains(EffectiveKey key) {
        return min.compareTo(key) <= 0 && key.compareTo(max) < 0;
    }

    public boolean overlaps(KeyRange other) {
        return min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
    }

    public Optional<KeyRange> intersect(KeyRange other) {
        if (!overlaps(other)) {
            return Optional.empty();
        }
        return Optional.of(
                new KeyRange(
                        min.compareTo(other.min) >= 0 ? min : other.min,
                        max.compareTo(other.max) <= 0 ? max : other.max));
    }

    public void write(BinaryWriter out) {
        out.bytes(min.bytes()).bytes(max.bytes());
    }

    public static KeyRange read(BinaryReader in) {
        return in.checked(
                r -> new KeyRange(new EffectiveKey(r.bytes()), new EffectiveKey(r.bytes())));
    }

    @Override
    public String toString() {
        return "[" + min + "," + max + ")";
    }
}
