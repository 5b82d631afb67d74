package orrery.cluster.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.resource.Script;

/**
 * The scripts of all containers. Their bodies stay in the store: together they may be larger than
 * memory should be. One thread changes it, any thread looks things up.
 */
public final class ScriptDirectory {
    private final Map<Integer, Script.Head> byNumber = new ConcurrentHashMap<>();
    private final Map<Owner, ConcurrentSkipListMap<Integer, Script.Head>> byOwner =
            new ConcurrentHashMap<>();
    private final Map<Name, Integer> byName = new ConcurrentHashMap<>();

    private record Owner(int container, Kind kind) {}

    private record Name(Owner owner, String name) {}

    public Optional<Script.Head> find(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    public Optional<Script.Head> find(int container, Kind kind, String name) {
        return Optional.ofNullable(byName.get(new Name(new Owner(container, kind), name)))
                .flatMap(this::find);
    }

    /** Returns the scripts with a number above {@code after}, in order of their numbers. */
    public List<Script.Head> after(int container, Kind kind, int after, int limit) {
        ConcurrentSkipListMap<Integer, Script.Head> mine = byOwner.get(new Owner(container, kind));
        return mine == null
                ? List.of()
                : mine.tailMap(after, false).values().stream().limit(limit).toList();
    }

    public int count(int container, Kind kind) {
        ConcurrentSkipListMap<Integer, Script.Head> mine = byOwner.get(new Owner(container, kind));
        return mine == null ? 0 : mine.size();
    }

    List<Script.Head> all(int container) {
        return List.of(Kind.values()).stream()
                .flatMap(kind -> after(container, kind, 0, Integer.MAX_VALUE).stream())
                .toList();
    }

    void accept(int number, @Nullable Script value) {
        if (value != null) {
            Script.Head head = value.head();
            Owner owner = new Owner(head.container(), head.kind());
            byNumber.put(number, head);
            byName.put(new Name(owner, head.name()), number);
            byOwner.computeIfAbsent(owner, _ -> new ConcurrentSkipListMap<>()).put(number, head);
            return;
        }
        Script.Head before = byNumber.remove(number);
        if (before == null) {
            return;
        }
        Owner owner = new Owner(before.container(), before.kind());
        byName.remove(new Name(owner, before.name()), number);
        ConcurrentSkipListMap<Integer, Script.Head> siblings = byOwner.get(owner);
        if (siblings != null) {
            siblings.remove(number);
            if (siblings.isEmpty()) {
                byOwner.remove(owner);
            }
        }
    }
}
