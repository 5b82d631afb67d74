package orrery.query.index;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/**
 * Finds the paths of the item for which the aliases of a query and the expressions over them stand.
 */
public final class PathNames {
    private final Map<String, IndexPath> aliases;
    private final Constants constants;

    private PathNames(Map<String, IndexPath> aliases, Constants constants) {
        this.aliases = aliases;
        this.constants = constants;
    }

    public static PathNames of(List<Source> from, Constants constants) {
        return new PathNames(Map.of(), constants).inside(from);
    }

    /** Includes the sources of a subquery. */
    PathNames inside(List<Source> from) {
        PathNames names = new PathNames(new HashMap<>(aliases), constants);
        for (Source source : from) {
            if (source.alias().isPresent()) {
                Optional<IndexPath> path = names.pathOf(source);
                if (path.isPresent()) {
                    names.aliases.put(source.alias().get(), path.get());
                } else {
                    names.aliases.remove(source.alias().get());
                }
            }
        }
        return names;
    }

    /** Returns the path of the values that a source yields, if they are parts of the item. */
    Optional<IndexPath> pathOf(Source source) {
        return switch (source) {
            case Source.Bound(_, Source.Collection.Single(Scalar value)) -> find(value);
            case Source.Iterated(_, Source.Collection.Single(Scalar value)) ->
                    find(value).map(IndexPath::element);
            case Source.Bound(_, Source.Collection.Results _),
                    Source.Iterated(_, Source.Collection.Results _) ->
                    Optional.empty();
        };
    }

    /** Positions in arrays are not indexed: {@code c.a[0]} is somewhere among the elements. */
    public Optional<IndexPath> find(Scalar scalar) {
        return switch (scalar) {
            case Scalar.Item _ -> Optional.of(IndexPath.ROOT);
            case Scalar.Reference(String alias) -> Optional.ofNullable(aliases.get(alias));
            case Scalar.Property(Scalar base, String name) ->
                    find(base).map(path -> path.property(name));
            case Scalar.Index(Scalar base, Scalar index) ->
                    constants
                            .find(index)
                            .flatMap(
                                    value ->
                                            switch (value) {
                                                case Value.Text(String name) ->
                                                        find(base).map(path -> path.property(name));
                                                case Value.Int _ ->
                                                        find(base).map(IndexPath::element);
                                                default -> Optional.empty();
                                            });
            default -> Optional.empty();
        };
    }

    /** The one path that an expression looks at; empty if it looks at several, or further. */
    Optional<Scalar> single(Scalar scalar) {
        Set<Scalar> paths = new LinkedHashSet<>();
        return collect(scalar, paths) && paths.size() == 1
                ? Optional.of(paths.iterator().next())
                : Optional.empty();
    }

    private boolean collect(Scalar scalar, Set<Scalar> paths) {
        if (find(scalar).isPresent()) {
            paths.add(scalar);
            return paths.size() <= 1;
        }
        return switch (scalar) {
            case Scalar.Item _, Scalar.Reference _, Scalar.Subquery _, Scalar.UdfCall _ -> false;
            case Scalar.Call(var function, _) when Constants.isVolatile(function) -> false;
            default -> {
                boolean isPlain = true;
                for (Scalar child : scalar.children()) {
                    isPlain = isPlain && collect(child, paths);
                }
                yield isPlain;
            }
        };
    }
}
