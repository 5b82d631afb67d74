package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.structure.Element;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.graph.Setting;
import orrery.frontend.gremlin.traversal.graph.StoredElement;

/** Several property() calls on one element. */
@SuppressWarnings("serial")
final class SettingStep<S> extends SideEffectStep<S> {
    private static final long serialVersionUID = 1;

    private final transient List<Setting> settings;

    SettingStep(Traversal.Admin<?, ?> traversal, List<Setting> settings) {
        super(traversal);
        this.settings = List.copyOf(settings);
    }

    @Override
    protected void sideEffect(Traverser.Admin<S> traverser) {
        switch ((Object) traverser.get()) {
            case StoredElement element -> element.set(settings);
            // A property has properties too.
            case Element element ->
                    settings.forEach(each -> element.property(each.name(), each.value()));
            case null, default ->
                    throw new GraphException(
                            GraphException.Fault.EXECUTION,
                            "property() sets what a vertex, an edge or a property has, and was"
                                    + " given none of them.");
        }
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return Set.of(TraverserRequirement.OBJECT);
    }
}
