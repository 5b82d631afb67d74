package orrery.cluster.catalog;

import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Script;

/** Applies commands about scripts to the catalog. */
final class ScriptChanges {
    private final CatalogState state;

    ScriptChanges(CatalogState state) {
        this.state = state;
    }

    CatalogOutcome apply(ScriptCommand command, CatalogDraft draft) {
        return switch (command) {
            case ScriptCommand.CreateScript c -> create(c, draft);
            case ScriptCommand.ReplaceScript c -> replace(c, draft);
            case ScriptCommand.DeleteScript c -> delete(c, draft);
        };
    }

    private CatalogOutcome create(ScriptCommand.CreateScript command, CatalogDraft draft) {
        Optional<Container> container = state.livingContainer(command.container());
        if (container.isEmpty()) {
            return CatalogOutcome.Rejected.ownerMissing();
        }
        ScriptDefinition definition = command.definition();
        if (state.scripts()
                .find(command.container(), definition.kind(), definition.name())
                .isPresent()) {
            return CatalogOutcome.Rejected.exists("Script", definition.name());
        }
        Optional<CatalogOutcome> over =
                overQuota(command.container(), definition.kind(), draft.level());
        if (over.isPresent()) {
            return over.get();
        }
        Numbers numbers = new Numbers(state.account());
        return put(numbers, numbers.script(), container.get(), definition, draft);
    }

    /** Name and kind stay what they are. */
    private CatalogOutcome replace(ScriptCommand.ReplaceScript command, CatalogDraft draft) {
        Optional<Script.Head> found = state.scripts().find(command.script());
        Optional<Container> container =
                found.flatMap(script -> state.livingContainer(script.container()));
        if (container.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        Script.Head present = found.get();
        ScriptDefinition definition = command.definition();
        if (definition.kind() != present.kind() || !definition.name().equals(present.name())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    "The id of a script cannot be changed: it is '" + present.name() + "'.");
        }
        if (!Precondition.holds(command.precondition(), present.etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        return put(
                new Numbers(state.account()), present.number(), container.get(), definition, draft);
    }

    private static CatalogOutcome put(
            Numbers numbers,
            int number,
            Container container,
            ScriptDefinition definition,
            CatalogDraft draft) {
        Script script =
                new Script(
                        number,
                        container.database(),
                        container.number(),
                        definition,
                        numbers.etag(),
                        draft.stampMillis());
        draft.add(new Change.OfScript(script.number(), script));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfScript(
                script.number(), script.etag(), script.timestampMillis());
    }

    private CatalogOutcome delete(ScriptCommand.DeleteScript command, CatalogDraft draft) {
        Optional<Script.Head> found = state.scripts().find(command.script());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (!Precondition.holds(command.precondition(), found.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        draft.add(new Change.OfScript(command.script(), null));
        return new CatalogOutcome.Done();
    }

    private Optional<CatalogOutcome> overQuota(
            int container, ScriptDefinition.Kind kind, CatalogLevel level) {
        int most = level.scriptQuota(kind);
        if (!state.account().settings().serviceQuotas()
                || state.scripts().count(container, kind) < most) {
            return Optional.empty();
        }
        return Optional.of(
                new CatalogOutcome.Rejected(
                        ErrorCode.FORBIDDEN,
                        "The container has "
                                + most
                                + " scripts of this kind, the quota of the service. Delete some, or"
                                + " switch quotas off with `orrery account set --no-service-quotas`."));
    }
}
