package orrery.query.write;

import orrery.document.BodyFormat;
import orrery.model.ContainerDefinition;
import orrery.model.ResourceId;
import orrery.query.evaluate.ComputedProperties;

/**
 * The container in which a write is evaluated, and the moment.
 *
 * @param rid of the container
 * @param definition as it is in force at the leader
 * @param computed the computed properties of the definition
 * @param nowMillis the time for a condition that asks for it
 */
public record EvaluationPlace(
        ResourceId rid,
        ContainerDefinition definition,
        ComputedProperties computed,
        long nowMillis) {
    /** The format of the bodies that are kept here. */
    public BodyFormat format() {
        return BodyFormat.of(definition.kind().encoding());
    }
}
