package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.Script;

/** The scripts of a {@link FakeEngine}. */
final class FakeScripts implements Scripts {
    private final FakeEngine engine;
    private final List<Script> scripts = new ArrayList<>();
    private int nextNumber = 1;
    private int nextEtag = 100;

    FakeScripts(FakeEngine engine) {
        this.engine = engine;
    }

    @Override
    public Script create(RequestContext context, ContainerRef ref, ScriptDefinition definition) {
        Container container = engine.readOwner(context, ref);
        Script script =
                new Script(
                        nextNumber++,
                        container.database(),
                        container.number(),
                        definition,
                        new Etag(nextEtag++, 0),
                        FakeEngine.NOW_MILLIS);
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
        engine.readOwner(context, container);
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
                        FakeEngine.NOW_MILLIS);
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

    /** The input of the last run of a procedure or the last write with triggers. */
    Optional<String> lastRun = Optional.empty();

    /** Answers its arguments. */
    @Override
    public ProcedureAnswer execute(
            RequestContext context,
            ContainerRef ref,
            PartitionKey key,
            ResourceRef procedure,
            Bytes arguments,
            boolean logs) {
        Script script = require(ScriptDefinition.Kind.PROCEDURE, procedure);
        lastRun = Optional.of(script.name() + " for " + key + " with " + arguments.toUtf8());
        engine.nextFailure.ifPresent(
                failure -> {
                    throw failure;
                });
        return new ProcedureAnswer(
                arguments.isEmpty() ? Optional.empty() : Optional.of(arguments),
                logs ? "a+b %\n\u00e9" : "",
                engine.readOwner(context, ref),
                0,
                12,
                RequestCharge.METADATA);
    }

    @Override
    public TriggeredAnswer write(
            RequestContext context, ContainerRef ref, ItemWrite write, TriggerNames triggers) {
        lastRun = Optional.of(triggers.before() + " before, " + triggers.after() + " after");
        return new TriggeredAnswer(
                engine.writeItem(context, ref, write),
                triggers.after().contains("answer")
                        ? Optional.of(Bytes.ofUtf8("{\"by\":\"trigger\"}"))
                        : Optional.empty(),
                triggers.logs() ? "done" : "");
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
