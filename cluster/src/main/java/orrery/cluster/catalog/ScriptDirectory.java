package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.resource.Script;

/**
 * The scripts of all containers. Their bodies stay in the store: together they may be larger than
 * memory should be. One thread changes it, any thread looks things up.
 */
public final class ScriptDirectory {
    private final OwnedRecords<Owner, Script.Head> scripts =
            new OwnedRecords<>(head -> new Owner(head.container(), head.kind()), Script.Head::name);

    private record Owner(int container, Kind kind) {}

    public Optional<Script.Head> find(int number) {
        return scripts.find(number);
    }

    public Optional<Script.Head> find(int container, Kind kind, String name) {
        return scripts.find(new Owner(container, kind), name);
    }

    /** Returns the scripts with a number above {@code after}, in order of their numbers. */
    public List<Script.Head> after(int container, Kind kind, int after, int limit) {
        return scripts.after(new Owner(container, kind), after, limit);
    }

    public int count(int container, Kind kind) {
        return scripts.count(new Owner(container, kind));
    }

    List<Script.Head> all(int container) {
        return List.of(Kind.values()).stream()
                .flatMap(kind -> scripts.all(new Owner(container, kind)).stream())
                .toList();
    }

    void accept(int number, @Nullable Script value) {
        scripts.accept(number, value == null ? null : value.head());
    }
}
