package orrery.query.evaluate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * The parts of an item that a query can look at. An item without the rest gives the same results. A
 * path is the names of properties from the root; all below it is read.
 */
public final class ReadPaths {
    private final Set<List<String>> paths = new LinkedHashSet<>();
    private boolean isWhole;

    private ReadPaths() {}

    /** Empty if the query may read the whole item; no paths if it reads nothing of it. */
    public static Optional<Set<List<String>>> of(Query query) {
        ReadPaths found = new ReadPaths();
        found.visit(query, Map.of());
        return found.isWhole ? Optional.empty() : Optional.of(Set.copyOf(found.paths));
    }

    /**
     * @param outer aliases in scope, and whether each stands for the item itself
     */
    private void visit(Query query, Map<String, Boolean> outer) {
        Map<String, Boolean> aliases = new HashMap<>(outer);
        for (Source source : query.from()) {
            boolean isItem =
                    source instanceof Source.Bound
                            && source.collection() instanceof Source.Collection.Single(Scalar value)
                            && isItem(value, aliases);
            if (!isItem) {
                switch (source.collection()) {
                    case Source.Collection.Single(Scalar value) -> visit(value, aliases);
                    case Source.Collection.Results(Query inner) -> visit(inner, aliases);
                }
            }
            source.alias().ifPresent(alias -> aliases.put(alias, isItem));
        }
        if (query.selection() instanceof Selection.Everything) {
            Source only = query.from().getFirst();
            visit(new Scalar.Reference(only.alias().orElse("")), aliases);
        }
        query.selection().values().forEach(value -> visit(value, aliases));
        query.where().ifPresent(where -> visit(where, aliases));
        query.groupBy().forEach(key -> visit(key, aliases));
        query.orderBy()
                .map(Ordering::items)
                .ifPresent(items -> items.forEach(item -> visit(item.value(), aliases)));
    }

    private static boolean isItem(Scalar scalar, Map<String, Boolean> aliases) {
        return switch (scalar) {
            case Scalar.Item _ -> true;
            case Scalar.Reference(String alias) -> aliases.getOrDefault(alias, false);
            default -> false;
        };
    }

    private void visit(Scalar scalar, Map<String, Boolean> aliases) {
        switch (scalar) {
            case Scalar.Item _, Scalar.Reference _ -> isWhole |= isItem(scalar, aliases);
            case Scalar.Property _, Scalar.Index _ -> visitPath(scalar, aliases);
            case Scalar.Subquery(_, Query inner) -> visit(inner, aliases);
            case Scalar.Call(BuiltIn function, List<Scalar> arguments)
                    when function == BuiltIn.DOCUMENTID && isItem(arguments.getFirst(), aliases) ->
                    paths.add(List.of("_rid"));
            case Scalar.Call(BuiltIn function, List<Scalar> arguments)
                    when function == BuiltIn.COUNT && isItem(arguments.getFirst(), aliases) -> {
                // An item is always defined.
            }
            default -> {
                for (Scalar child : scalar.children()) {
                    visit(child, aliases);
                }
            }
        }
    }

    /** The names that follow the item, up to the first index. */
    private void visitPath(Scalar path, Map<String, Boolean> aliases) {
        Deque<String> names = new ArrayDeque<>();
        Scalar base = path;
        while (true) {
            switch (base) {
                case Scalar.Property(Scalar next, String name) -> {
                    names.addFirst(name);
                    base = next;
                }
                case Scalar.Index(Scalar next, Scalar index) -> {
                    visit(index, aliases);
                    names.clear();
                    base = next;
                }
                default -> {
                    if (!isItem(base, aliases) || names.isEmpty()) {
                        visit(base, aliases);
                    } else {
                        paths.add(List.copyOf(names));
                    }
                    return;
                }
            }
        }
    }
}
