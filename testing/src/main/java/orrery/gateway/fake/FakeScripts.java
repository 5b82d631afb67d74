package orrery.gateway.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Script;

/** Scripts in memory. */
public final class FakeScripts implements Scripts {
    private final List<Script> scripts = new ArrayList<>();
    private int nextNumber = 1;
    private int nextEtag = 100;

    @Override
    public Script create(RequestContext context, ContainerRef ref, ScriptDefinition definition) {
        Container container = ((ContainerRef.Resolved) ref).container();
        Script script =
                new Script(
                        nextNumber++,
                        container.database(),
                        container.number(),
                        definition,
                        new Etag(nextEtag++, 0),
                        FakeItems.NOW_MILLIS);
        if (find(definition.kind(), new ResourceRef.Named(definition.name())).isPresent()) {
            throw new OrreryException(ErrorCode.CONFLICT, "exists");
        }
        scripts.add(script);
        return script;
    }

    @Override
    public Script read(
            RequestContext context,
            ContainerRef container,
            ScriptDefinition.Kind kind,
            ResourceRef script) {
        return require(kind, script);
    }

    @Override
    public Script replace(
            RequestContext context,
            ContainerRef container,
            ResourceRef ref,
            ScriptDefinition definition,
            Precondition precondition) {
        Script present = require(definition.kind(), ref);
        check(present, precondition);
        Script replaced =
                new Script(
                        present.number(),
                        present.database(),
                        present.container(),
                        definition,
                        new Etag(nextEtag++, 0),
                        FakeItems.NOW_MILLIS);
        scripts.set(scripts.indexOf(present), replaced);
        return replaced;
    }

    @Override
    public void delete(
            RequestContext context,
            ContainerRef container,
            ScriptDefinition.Kind kind,
            ResourceRef ref,
            Precondition precondition) {
        Script present = require(kind, ref);
        check(present, precondition);
        scripts.remove(present);
    }

    /** Continuations are the number of the last script. */
    @Override
    public Page<Script> list(
            RequestContext context,
            ContainerRef container,
            ScriptDefinition.Kind kind,
            PageRequest page) {
        int after = page.continuation().map(Integer::parseInt).orElse(0);
        int limit = page.maxItems().orElse(100);
        List<Script> rest =
                scripts.stream()
                        .filter(script -> script.definition().kind() == kind)
                        .filter(script -> script.number() > after)
                        .toList();
        List<Script> found = rest.stream().limit(limit).toList();
        return new Page<>(
                found,
                rest.size() > limit
                        ? Optional.of(Integer.toString(found.getLast().number()))
                        : Optional.empty());
    }

    private Script require(ScriptDefinition.Kind kind, ResourceRef ref) {
        return find(kind, ref)
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "missing"));
    }

    private Optional<Script> find(ScriptDefinition.Kind kind, ResourceRef ref) {
        return scripts.stream()
                .filter(script -> script.definition().kind() == kind)
                .filter(
                        script ->
                                switch (ref) {
                                    case ResourceRef.Named(String name) ->
                                            script.name().equals(name);
                                    case ResourceRef.Identified(ResourceId rid) ->
                                            script.rid().equals(rid);
                                })
                .findFirst();
    }

    private static void check(Script present, Precondition precondition) {
        if (!Precondition.holds(precondition, present.etag())) {
            throw new OrreryException(ErrorCode.PRECONDITION_FAILED, "overtaken");
        }
    }
}
