package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import orrery.cluster.catalog.CatalogState.Change;
import orrery.model.ErrorCode;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Script;

/** Applies commands about scripts to the catalog. */
final class ScriptCommands {
    private final CatalogState state;

    ScriptCommands(CatalogState state) {
        this.state = state;
    }

    CatalogOutcome create(CatalogCommand.CreateScript command, List<Change> changes) {
        Optional<Container> container = state.livingContainer(command.container());
        if (container.isEmpty()) {
            return ownerMissing();
        }
        ScriptDefinition definition = command.definition();
        if (state.scripts()
                .find(command.container(), definition.kind(), definition.name())
                .isPresent()) {
            return CatalogMachine.exists("Script", definition.name());
        }
        Optional<CatalogOutcome> over = overQuota(command.container(), definition.kind());
        if (over.isPresent()) {
            return over.get();
        }
        Numbers numbers = new Numbers(state.account());
        Script script =
                new Script(
                        numbers.script(),
                        container.get().database(),
                        command.container(),
                        definition,
                        numbers.etag(),
                        command.stampMillis());
        changes.add(new Change.OfScript(script.number(), script));
        changes.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfScript(script);
    }

    /** Name and kind stay what they are. */
    CatalogOutcome replace(CatalogCommand.ReplaceScript command, List<Change> changes) {
        Optional<Script.Head> found = state.scripts().find(command.script());
        Optional<Container> container =
                found.flatMap(script -> state.livingContainer(script.container()));
        if (container.isEmpty()) {
            return CatalogMachine.missing();
        }
        Script.Head present = found.get();
        ScriptDefinition definition = command.definition();
        if (definition.kind() != present.kind() || !definition.name().equals(present.name())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    "The id of a script cannot be changed: it is '" + present.name() + "'.");
        }
        if (!Precondition.holds(command.precondition(), present.etag())) {
            return CatalogMachine.overtaken();
        }
        Numbers numbers = new Numbers(state.account());
        Script script =
                new Script(
                        present.number(),
                        container.get().database(),
                        present.container(),
                        definition,
                        numbers.etag(),
                        command.stampMillis());
        changes.add(new Change.OfScript(script.number(), script));
        changes.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfScript(script);
    }

    CatalogOutcome delete(CatalogCommand.DeleteScript command, List<Change> changes) {
        Optional<Script.Head> found = state.scripts().find(command.script());
        if (found.isEmpty()) {
            return CatalogMachine.missing();
        }
        if (!Precondition.holds(command.precondition(), found.get().etag())) {
            return CatalogMachine.overtaken();
        }
        changes.add(new Change.OfScript(command.script(), null));
        return new CatalogOutcome.Done();
    }

    private Optional<CatalogOutcome> overQuota(int container, ScriptDefinition.Kind kind) {
        int most = state.account().settings().scriptQuota(kind);
        if (state.scripts().count(container, kind) < most) {
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

    private static CatalogOutcome ownerMissing() {
        return new CatalogOutcome.Rejected(ErrorCode.OWNER_NOT_FOUND, "Resource Not Found.");
    }
}
