package orrery.query.execute;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.query.index.EntryCondition;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexFilter;
import orrery.query.index.IndexFilter.OnPath;
import orrery.query.index.IndexUse;
import orrery.query.index.NearCells;

/** Notes which indexes a page used, and which would have helped. */
final class IndexReport {
    private static final int MAX_SUGGESTED = 5;

    private final IndexAvailability index;
    private final Set<String> paths = new LinkedHashSet<>();
    private final Set<List<String>> composites = new LinkedHashSet<>();

    IndexReport(IndexAvailability index) {
        this.index = index;
    }

    void used(List<Branch> branches) {
        for (Branch branch : branches) {
            if (branch.driver().isPresent()) {
                branch.conditions().forEach(this::used);
            } else {
                index.composites().stream()
                        .filter(composite -> composite.termPrefix().equals(branch.prefix()))
                        .forEach(this::used);
            }
        }
    }

    void used(EntryCondition condition) {
        paths.add(
                switch (condition) {
                    case OnPath onPath -> spec(onPath.path());
                    case NearCells cells -> spatialSpec(cells.path());
                });
    }

    void used(Sorting sorting) {
        if (sorting.isComposite()) {
            index.composites().stream()
                    .filter(composite -> composite.termPrefix().equals(sorting.prefix()))
                    .forEach(this::used);
        } else {
            paths.add(spec(sorting.key().parts().getFirst().path()));
        }
    }

    private void used(CompositeIndex composite) {
        composites.add(
                composite.members().stream()
                        .map(
                                member ->
                                        IndexUse.text(member.path())
                                                + (member.descending() ? " DESC" : " ASC"))
                        .toList());
    }

    /** Returns what was used, without what would have helped. */
    IndexUse used() {
        return new IndexUse(
                new ArrayList<>(paths), new ArrayList<>(composites), List.of(), List.of());
    }

    IndexUse use(IndexFilter filter) {
        Set<String> missing = new LinkedHashSet<>();
        missing(filter, missing);
        return new IndexUse(
                new ArrayList<>(paths),
                new ArrayList<>(composites),
                new ArrayList<>(missing),
                composites.isEmpty() ? suggested(filter) : List.of());
    }

    private void missing(IndexFilter filter, Set<String> missing) {
        switch (filter) {
            case OnPath onPath -> {
                if (!onPath.path().steps().isEmpty() && !index.isIndexed(onPath.path())) {
                    missing.add(spec(onPath.path()));
                }
            }
            case IndexFilter.Near near -> {
                if (index.spatial(near.path()).isEmpty()) {
                    missing.add(spatialSpec(near.path()));
                }
            }
            case IndexFilter.AllOf(List<IndexFilter> parts) ->
                    parts.forEach(part -> missing(part, missing));
            case IndexFilter.AnyOf(List<IndexFilter> parts) ->
                    parts.forEach(part -> missing(part, missing));
            case IndexFilter.Everything _, IndexFilter.Nothing _ -> {}
        }
    }

    /** Equal values first, then one range each. */
    private static List<List<String>> suggested(IndexFilter filter) {
        List<String> equal = new ArrayList<>();
        List<String> ranges = new ArrayList<>();
        if (filter instanceof IndexFilter.AllOf(List<IndexFilter> parts)) {
            for (IndexFilter part : parts) {
                if (part instanceof OnPath onPath && !onPath.hasElements()) {
                    (onPath.isPoint() ? equal : ranges).add(IndexUse.text(onPath.path()) + " ASC");
                }
            }
        }
        List<List<String>> suggested = new ArrayList<>();
        if (ranges.isEmpty() && equal.size() > 1) {
            suggested.add(equal);
        }
        for (String range : ranges.subList(0, Math.min(MAX_SUGGESTED, ranges.size()))) {
            if (!equal.isEmpty()) {
                List<String> all = new ArrayList<>(equal);
                all.add(range);
                suggested.add(all);
            }
        }
        return suggested;
    }

    private static String spec(IndexPath path) {
        return IndexUse.text(path) + "/?";
    }

    /** Metrics have no place for kinds of indexes, so the text says it. */
    private static String spatialSpec(IndexPath path) {
        return spec(path) + " (spatial)";
    }
}
