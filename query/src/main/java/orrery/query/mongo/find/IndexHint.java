package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.query.index.IndexFilter;

/**
 * Leaves a query those conditions for finding documents that lie on the fields of the index which
 * the client names. All conditions are still checked on what is found.
 */
final class IndexHint {
    private static final String WILDCARD = "$**";

    private final Set<String> fields;

    private IndexHint(Set<String> fields) {
        this.fields = fields;
    }

    static IndexFilter of(Value.Obj hint, IndexFilter filter) {
        return hint.properties().isEmpty()
                ? filter
                : new IndexHint(hint.properties().keySet()).left(filter);
    }

    /** Returns true if the index that the client names may have the order of these columns. */
    static boolean mayGiveOrder(Value.Obj hint, List<SortSpec.Column> columns) {
        List<String> fields = List.copyOf(hint.properties().keySet());
        List<String> wanted =
                columns.stream().map(column -> String.join(".", column.path().parts())).toList();
        return fields.isEmpty()
                || fields.equals(wanted)
                || (wanted.size() == 1 && fields.getFirst().equals(wanted.getFirst()));
    }

    private IndexFilter left(IndexFilter filter) {
        return switch (filter) {
            case IndexFilter.OnPath onPath when isOfIndex(onPath.path()) -> onPath;
            case IndexFilter.OnPath _, IndexFilter.Near _ -> new IndexFilter.Everything();
            case IndexFilter.AllOf(List<IndexFilter> parts) -> {
                List<IndexFilter> left = new ArrayList<>();
                for (IndexFilter part : parts) {
                    IndexFilter kept = left(part);
                    if (!(kept instanceof IndexFilter.Everything)) {
                        left.add(kept);
                    }
                }
                yield switch (left.size()) {
                    case 0 -> new IndexFilter.Everything();
                    case 1 -> left.getFirst();
                    default -> new IndexFilter.AllOf(left);
                };
            }
            case IndexFilter.AnyOf(List<IndexFilter> parts) -> {
                List<IndexFilter> left = parts.stream().map(this::left).toList();
                yield left.stream().anyMatch(IndexFilter.Everything.class::isInstance)
                        ? new IndexFilter.Everything()
                        : new IndexFilter.AnyOf(left);
            }
            case IndexFilter.Everything _, IndexFilter.Nothing _ -> filter;
        };
    }

    private boolean isOfIndex(IndexPath path) {
        List<String> names = new ArrayList<>();
        for (IndexPath.Step step : path.steps()) {
            if (step instanceof IndexPath.Step.Property(String name)) {
                names.add(name);
            }
        }
        String dotted = String.join(".", names);
        return fields.stream()
                .anyMatch(
                        field ->
                                field.equals(dotted)
                                        || field.equals(WILDCARD)
                                        || (field.endsWith("." + WILDCARD)
                                                && isWithin(dotted, field)));
    }

    private static boolean isWithin(String path, String wildcard) {
        String above = wildcard.substring(0, wildcard.length() - WILDCARD.length() - 1);
        return path.equals(above) || path.startsWith(above + ".");
    }
}
