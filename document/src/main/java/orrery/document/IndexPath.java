package orrery.document;

import java.util.ArrayList;
import java.util.List;

/** The place of a value in an item: names of properties, and steps into the elements of arrays. */
public record IndexPath(List<Step> steps) {
    /** One step down. */
    public sealed interface Step {
        record Property(String name) implements Step {}

        /** Any element of an array: positions are not indexed. */
        enum Element implements Step {
            ELEMENT
        }
    }

    public static final IndexPath ROOT = new IndexPath(List.of());

    public IndexPath {
        steps = List.copyOf(steps);
    }

    public static IndexPath of(String... names) {
        IndexPath path = ROOT;
        for (String name : names) {
            path = path.property(name);
        }
        return path;
    }

    public IndexPath property(String name) {
        return with(new Step.Property(name));
    }

    public IndexPath element() {
        return with(Step.Element.ELEMENT);
    }

    /** Returns true if this is the property at which the path begins. */
    public boolean startsWith(String name) {
        return !steps.isEmpty() && steps.getFirst().equals(new Step.Property(name));
    }

    private IndexPath with(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new IndexPath(longer);
    }
}
