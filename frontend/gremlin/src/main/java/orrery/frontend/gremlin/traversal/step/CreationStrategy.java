package orrery.frontend.gremlin.traversal.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.PropertiesHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddVertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AddPropertyStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.NewValue;
import orrery.frontend.gremlin.traversal.graph.Setting;

/**
 * Makes addV() and the property() calls behind it one write. TinkerPop does so only for properties
 * without a cardinality; the partition key must be there from the beginning, however it is given.
 * Calls on an element that is there become one write too.
 */
final class CreationStrategy extends ContainerStrategy {
    static final CreationStrategy INSTANCE = new CreationStrategy();
    private static final long serialVersionUID = 1;

    @Override
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof AddVertexStepContract<?> creation) {
                foldInto(creation, traversal);
            }
        }
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof AddPropertyStep<?> first && first.getTraversal() == traversal) {
                join(first, traversal);
            }
        }
    }

    private static void foldInto(
            AddVertexStepContract<?> creation, Traversal.Admin<?, ?> traversal) {
        while ((Step<?, ?>) creation.getNextStep() instanceof AddPropertyStep<?> property) {
            Optional<Setting> setting = setting(property);
            if (setting.isEmpty() || setting.get().value() == null) {
                // It is computed from the vertex, which must be there.
                return;
            }
            ((PropertiesHolder) creation)
                    .addProperty(
                            setting.get().name(),
                            new NewValue(
                                    setting.get()
                                            .cardinality()
                                            .orElse(VertexProperty.Cardinality.single),
                                    setting.get().value(),
                                    setting.get().meta()));
            TraversalHelper.copyLabels(property, creation, false);
            traversal.removeStep(property);
        }
    }

    /** Makes one step of property() calls that follow each other. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void join(AddPropertyStep<?> first, Traversal.Admin<?, ?> traversal) {
        if (TraversalHelper.stepIndex((Step) first, traversal) < 0) {
            return;
        }
        List<Setting> settings = new ArrayList<>();
        List<Step<?, ?>> joined = new ArrayList<>();
        Step<?, ?> next = first;
        while (next instanceof AddPropertyStep<?> property) {
            Optional<Setting> setting = setting(property);
            if (setting.isEmpty()) {
                break;
            }
            settings.add(setting.get());
            joined.add(next);
            next = next.getNextStep();
        }
        if (joined.size() > 1) {
            SettingStep<?> step = new SettingStep<>(traversal, settings);
            joined.forEach(each -> TraversalHelper.copyLabels(each, step, false));
            joined.subList(1, joined.size()).forEach(each -> traversal.removeStep(each));
            TraversalHelper.replaceStep((Step) first, (Step) step, traversal);
        }
    }

    /** Returns what a call sets; empty where that is computed from the element. */
    private static Optional<Setting> setting(AddPropertyStep<?> property) {
        if (!(property.getKey() instanceof String name)
                || property.getValue() instanceof Traversal<?, ?>) {
            return Optional.empty();
        }
        List<Object> meta = new ArrayList<>();
        for (Map.Entry<Object, List<Object>> each : property.getProperties().entrySet()) {
            for (Object own : each.getValue()) {
                if (own == null || own instanceof Traversal<?, ?>) {
                    return Optional.empty();
                }
                meta.add(each.getKey());
                meta.add(own);
            }
        }
        return Optional.of(
                new Setting(
                        Optional.ofNullable(property.getCardinality()),
                        name,
                        property.getValue(),
                        meta));
    }
}
