package orrery.cluster.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records that have a number of their own, and a name that is unique within their owner. One thread
 * changes it, any thread looks things up.
 */
final class OwnedRecords<O, T> {
    private final Function<T, O> ownerOf;
    private final Function<T, String> nameOf;
    private final Map<Integer, T> byNumber = new ConcurrentHashMap<>();
    private final Map<O, ConcurrentSkipListMap<Integer, T>> byOwner = new ConcurrentHashMap<>();
    private final Map<Name<O>, Integer> byName = new ConcurrentHashMap<>();

    private record Name<O>(O owner, String name) {}

    OwnedRecords(Function<T, O> ownerOf, Function<T, String> nameOf) {
        this.ownerOf = ownerOf;
        this.nameOf = nameOf;
    }

    Optional<T> find(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    Optional<T> find(O owner, String name) {
        return Optional.ofNullable(byName.get(new Name<>(owner, name))).flatMap(this::find);
    }

    /** Returns the records with a number above {@code after}, in order of their numbers. */
    List<T> after(O owner, int after, int limit) {
        ConcurrentSkipListMap<Integer, T> mine = byOwner.get(owner);
        return mine == null
                ? List.of()
                : mine.tailMap(after, false).values().stream().limit(limit).toList();
    }

    List<T> all(O owner) {
        return after(owner, 0, Integer.MAX_VALUE);
    }

    int count(O owner) {
        ConcurrentSkipListMap<Integer, T> mine = byOwner.get(owner);
        return mine == null ? 0 : mine.size();
    }

    /** Puts a record into the place of the one with its number, or removes that one. */
    void accept(int number, @Nullable T value) {
        T before = value == null ? byNumber.remove(number) : byNumber.put(number, value);
        if (value != null) {
            byOwner.computeIfAbsent(ownerOf.apply(value), _ -> new ConcurrentSkipListMap<>())
                    .put(number, value);
            byName.put(name(value), number);
        } else if (before != null) {
            leave(ownerOf.apply(before), number);
        }
        if (before != null && (value == null || !name(value).equals(name(before)))) {
            byName.remove(name(before), number);
        }
    }

    private void leave(O owner, int number) {
        ConcurrentSkipListMap<Integer, T> siblings = byOwner.get(owner);
        if (siblings != null) {
            siblings.remove(number);
            if (siblings.isEmpty()) {
                byOwner.remove(owner);
            }
        }
    }

    private Name<O> name(T value) {
        return new Name<>(ownerOf.apply(value), nameOf.apply(value));
    }
}
