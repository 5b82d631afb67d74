package orrery.gateway;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.cluster.api.Catalog;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.SizeLimits;
import orrery.model.resource.Container;
import orrery.model.resource.Script;

/** Scripts as resources of the catalog. */
final class ScriptRouter implements Scripts {
    /** One script has room in a log entry and on a page, and the engine in its memory. */
    private static final int MAX_BODY_BYTES = SizeLimits.DEFAULT.maxScriptBytes();

    private static final int MAX_PAGE_BYTES = SizeLimits.DEFAULT.maxPageBytes();

    private final Catalog catalog;
    private final Doorkeeper door;
    private final Continuations continuations;
    private final ServiceQuotas quotas;

    ScriptRouter(
            Catalog catalog, Doorkeeper door, Continuations continuations, ServiceQuotas quotas) {
        this.catalog = catalog;
        this.door = door;
        this.continuations = continuations;
        this.quotas = quotas;
    }

    @Override
    public Script create(RequestContext context, ContainerRef ref, ScriptDefinition definition) {
        Container container = door.owner(context, ref, Action.CHANGE_SCRIPTS);
        check(definition);
        quotas.countMetadata(catalog.settings());
        return catalog.createScript(context, container, definition);
    }

    @Override
    public Script read(
            RequestContext context,
            ContainerRef ref,
            ScriptDefinition.Kind kind,
            ResourceRef script) {
        quotas.countMetadata(catalog.settings());
        return require(context, ref, Action.READ_SCRIPTS, kind, script);
    }

    @Override
    public Script replace(
            RequestContext context,
            ContainerRef ref,
            ResourceRef script,
            ScriptDefinition definition,
            Precondition precondition) {
        Script present = require(context, ref, Action.CHANGE_SCRIPTS, definition.kind(), script);
        check(definition);
        quotas.countMetadata(catalog.settings());
        return catalog.replaceScript(context, present, definition, precondition);
    }

    @Override
    public void delete(
            RequestContext context,
            ContainerRef ref,
            ScriptDefinition.Kind kind,
            ResourceRef script,
            Precondition precondition) {
        Script present = require(context, ref, Action.CHANGE_SCRIPTS, kind, script);
        quotas.countMetadata(catalog.settings());
        catalog.deleteScript(context, present, precondition);
    }

    @Override
    public Page<Script> list(
            RequestContext context,
            ContainerRef ref,
            ScriptDefinition.Kind kind,
            PageRequest request) {
        quotas.countMetadata(catalog.settings());
        Container container = door.owner(context, ref, Action.READ_SCRIPTS);
        String feed = "scripts " + kind + " of " + container.number();
        int limit = ResourcePages.limit(request);
        int after =
                request.continuation().map(text -> continuations.openNumber(feed, text)).orElse(0);
        List<Script.Head> heads = catalog.scripts(container, kind, after, limit + 1);
        List<Script> page = new ArrayList<>();
        int last = after;
        int bytes = 0;
        int seen = 0;
        for (Script.Head head : heads) {
            if (seen == limit) {
                break;
            }
            Optional<Script> script = catalog.findScript(container, kind, head.number());
            // One that is gone meanwhile leaves its place empty.
            int size = script.map(found -> found.definition().body().length()).orElse(0);
            if (!page.isEmpty() && bytes + size > MAX_PAGE_BYTES) {
                break;
            }
            script.ifPresent(page::add);
            bytes += size;
            last = head.number();
            seen++;
        }
        return new Page<>(
                page,
                seen < heads.size()
                        ? Optional.of(continuations.sealNumber(feed, last))
                        : Optional.empty());
    }

    /** Only who may see all scripts hears that one is missing. */
    private Script require(
            RequestContext context,
            ContainerRef ref,
            Action action,
            ScriptDefinition.Kind kind,
            ResourceRef script) {
        Container container = door.owner(context, ref, Action.RESOLVE);
        Optional<Script> found = find(container, kind, script);
        door.check(
                context,
                action,
                found.<Reach>map(present -> new Reach.OneScript(container, present.rid()))
                        .orElseGet(() -> new Reach.Whole(container)));
        return found.orElseThrow(ScriptRouter::missing);
    }

    /** The script as it is now, with its body. */
    Script require(Container container, ScriptDefinition.Kind kind, ResourceRef ref) {
        return find(container, kind, ref).orElseThrow(ScriptRouter::missing);
    }

    private static OrreryException missing() {
        return new OrreryException(ErrorCode.NOT_FOUND, "Resource Not Found.");
    }

    private Optional<Script> find(
            Container container, ScriptDefinition.Kind kind, ResourceRef ref) {
        return switch (ref) {
            case ResourceRef.Named(String name) -> catalog.findScript(container, kind, name);
            case ResourceRef.Identified(ResourceId rid) -> find(container, kind, rid);
        };
    }

    private Optional<Script> find(Container container, ScriptDefinition.Kind kind, ResourceId rid) {
        OptionalInt number = rid.script(kind);
        return number.isPresent()
                ? catalog.findScript(container, kind, number.getAsInt())
                        .filter(script -> script.rid().equals(rid))
                : Optional.empty();
    }

    /**
     * Checks the size only. The service, too, stores a body that is no JavaScript; its runs fail.
     */
    private static void check(ScriptDefinition definition) {
        int bytes = definition.body().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BODY_BYTES) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "Request size is too large: the body of a script may have 256 KB and this one"
                            + " has "
                            + bytes
                            + " bytes.");
        }
    }
}
