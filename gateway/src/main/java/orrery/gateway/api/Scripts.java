package orrery.gateway.api;

import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Script;

/**
 * The part of the door for stored procedures, triggers and user-defined functions. A script is
 * named like a container, by its name or its rid, within its kind.
 */
public interface Scripts {
    Script create(RequestContext context, ContainerRef container, ScriptDefinition definition);

    Script read(
            RequestContext context,
            ContainerRef container,
            ScriptDefinition.Kind kind,
            ResourceRef script);

    /** Changes what a script does; its name stays. */
    Script replace(
            RequestContext context,
            ContainerRef container,
            ResourceRef script,
            ScriptDefinition definition,
            Precondition precondition);

    void delete(
            RequestContext context,
            ContainerRef container,
            ScriptDefinition.Kind kind,
            ResourceRef script,
            Precondition precondition);

    /** At most 4 MB of bodies, or one script. */
    Page<Script> list(
            RequestContext context,
            ContainerRef container,
            ScriptDefinition.Kind kind,
            PageRequest page);
}
