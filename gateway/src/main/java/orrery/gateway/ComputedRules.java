package orrery.gateway;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import orrery.document.IndexPlan;
import orrery.document.SystemProperties;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.IndexingPolicy;
import orrery.model.PropertyPath;
import orrery.query.PlanningThreads;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.syntax.QueryError;

/** The rules for the computed properties of a container and the policy that indexes them. */
final class ComputedRules {
    static final int MAX_PROPERTIES = 20;

    private ComputedRules() {}

    /** Compiling tells whether we can honour the definition, before anything is written. */
    static void check(ContainerDefinition definition) {
        List<ComputedProperty> properties = definition.computedProperties();
        if (properties.isEmpty()) {
            IndexPlan.compile(definition.indexingPolicy());
            return;
        }
        if (properties.size() > MAX_PROPERTIES) {
            throw QueryError.engine(
                    "The container has "
                            + properties.size()
                            + " computed properties, at most "
                            + MAX_PROPERTIES
                            + " are allowed.");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < properties.size(); i++) {
            checkName(properties.get(i), definition);
            checkSpatial(properties.get(i).name(), i, definition.indexingPolicy());
            if (!names.add(properties.get(i).name())) {
                throw QueryError.engine(
                        "Computed property name '"
                                + properties.get(i).name()
                                + "' cannot be used in multiple definitions.");
            }
        }
        // Rare enough to be sent there whatever their length.
        PlanningThreads.ofProcess()
                .plan(PlanningThreads.NO_CONTAINER, () -> ComputedProperties.of(properties));
        IndexPlan.compile(definition.indexingPolicy(), properties, definition.kind());
    }

    private static void checkName(ComputedProperty property, ContainerDefinition definition) {
        String name = property.name();
        if (name.isEmpty()) {
            throw QueryError.engine("Computed property 'name' is either empty or unspecified.");
        }
        if (property.query().isEmpty()) {
            throw QueryError.engine("Computed property 'query' is either empty or unspecified.");
        }
        if (name.equals("id") || SystemProperties.isSystemProperty(name)) {
            throw QueryError.engine(
                    "The system property name '"
                            + name
                            + "' cannot be used as a computed property name.");
        }
        if (name.indexOf('/') >= 0) {
            throw QueryError.engine(
                    "Computed property name '"
                            + name
                            + "' is not the name of a top-level property: it must not contain"
                            + " '/'.");
        }
        // A query that fixes the key is sent to its partition: there the key must mean the stored.
        for (PropertyPath path : definition.partitionKey().paths()) {
            if (path.segments().getFirst().equals(name)) {
                throw QueryError.engine(
                        "Computed property name '"
                                + name
                                + "' cannot be used: the partition key path '"
                                + path
                                + "' begins with it.");
            }
        }
    }

    private static void checkSpatial(String name, int index, IndexingPolicy policy) {
        for (IndexingPolicy.SpatialPath spatial : policy.spatialIndexes()) {
            if (IndexPlan.startsWith(spatial.path(), name)) {
                throw QueryError.engine(
                        "Computed property '"
                                + name
                                + "' at index ("
                                + index
                                + ") has a spatial index. Remove the spatial index on this path.");
            }
        }
    }
}
