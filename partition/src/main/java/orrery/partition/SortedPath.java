package orrery.partition;

import java.util.Optional;
import java.util.Set;
import orrery.document.IndexPath;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Item;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.execute.ItemView;
import orrery.query.index.PathValues;

/** A path of properties that a query sorts by. */
record SortedPath(IndexPath path, ComputedProperties computed, ItemView view) {
    /** The definition that computes its values, if items do not hold them. */
    Optional<ComputedProperty> definition() {
        return computed.definition(name());
    }

    boolean isMissing(Item item) {
        Optional<Set<String>> names = computed.needs(Set.of(name()));
        return !new PathValues(
                        view.read(item, name -> names.isEmpty() || names.get().contains(name)),
                        computed)
                .has(path);
    }

    private String name() {
        return path.steps().getFirst() instanceof IndexPath.Step.Property(String name) ? name : "";
    }
}
