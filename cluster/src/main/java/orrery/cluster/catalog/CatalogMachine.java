package orrery.cluster.catalog;

import java.util.List;
import java.util.OptionalInt;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/**
 * Applies catalog commands, one per batch: they are rare, and each then sees the one before it in
 * the state itself.
 */
public final class CatalogMachine {
    private final StoreView store;
    private final CatalogState state;
    private final AccountChanges account;
    private final ResourceChanges resources;
    private final RangeChanges ranges;
    private final ScriptChanges scripts;
    private final AccessChanges access;
    private final CatalogLevel level;
    private AppliedRecord applied;

    public CatalogMachine(StoreView store) {
        byte[] position = store.get(Table.META, Keys.applied());
        this.store = store;
        this.applied = position == null ? AppliedRecord.NOTHING : AppliedRecord.decode(position);
        this.level = CatalogLevel.of(applied.level());
        this.state = CatalogState.load(store);
        this.account = new AccountChanges(state);
        this.ranges = new RangeChanges(state);
        this.resources = new ResourceChanges(state, store, ranges);
        this.scripts = new ScriptChanges(state);
        this.access = new AccessChanges(state);
    }

    public CatalogState state() {
        return state;
    }

    public long appliedPosition() {
        return applied.position();
    }

    /** The changes of a command; {@link #committed} puts them into effect. */
    public static final class Effects {
        private final CatalogOutcome outcome;
        private final List<Change> changes;

        private Effects(CatalogOutcome outcome, List<Change> changes) {
            this.outcome = outcome;
            this.changes = changes;
        }

        public CatalogOutcome outcome() {
            return outcome;
        }
    }

    /**
     * Adds the effects of a request to a batch without changing the state. The effects of all
     * requests before it must be in the store and in the state. A request that was carried out
     * within the last minute changes nothing more; it has the outcome that it had then.
     */
    public Effects apply(long position, CatalogRequest request, StoreBatch batch) {
        long timeMillis = Math.max(applied.timeMillis(), request.stampMillis());
        CatalogDraft draft = new CatalogDraft(level, request.stampMillis());
        OptionalInt first = state.requests().find(request.id(), timeMillis, level);
        CatalogOutcome outcome =
                first.isPresent()
                        ? CatalogState.readOutcome(store, first.getAsInt())
                        : run(request.command(), draft);
        if (outcome instanceof CatalogOutcome.Rejected) {
            draft.discard();
        }
        if (first.isEmpty()) {
            for (int number : state.requests().overdue(timeMillis, level)) {
                draft.add(new Change.OfRequest(number, null));
            }
            RequestRecord answered = new RequestRecord(request.id(), position, timeMillis, outcome);
            draft.add(new Change.OfRequest(answered.number(), answered));
        }
        List<Change> changes = draft.changes();
        for (Change change : changes) {
            state.write(change, batch);
        }
        applied = applied.next(position, timeMillis, position);
        batch.put(Table.META, Keys.applied(), applied.encode());
        return new Effects(outcome, changes);
    }

    public void committed(Effects effects) {
        effects.changes.forEach(state::accept);
    }

    private CatalogOutcome run(CatalogCommand command, CatalogDraft draft) {
        return switch (command) {
            case AccountCommand c -> account.apply(c, draft);
            case AccessCommand c -> access.apply(c, draft);
            case ResourceCommand c -> resources.apply(c, draft);
            case RangeCommand c -> ranges.apply(c, draft);
            case ScriptCommand c -> scripts.apply(c, draft);
            case TableCommand c -> change(c, draft);
            case RegisterNode c -> register(c, draft);
        };
    }

    private CatalogOutcome change(TableCommand command, CatalogDraft draft) {
        switch (command) {
            case TableCommand.SetTablePolicies(int container, var policies) -> {
                if (state.livingContainer(container).isEmpty()) {
                    return CatalogOutcome.Rejected.missing();
                }
                draft.add(
                        new Change.OfTablePolicies(
                                container,
                                policies.isEmpty() ? null : new TablePolicies(policies)));
            }
            case TableCommand.SetTableService(var properties) ->
                    draft.add(new Change.OfTableService(properties));
        }
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome register(RegisterNode command, CatalogDraft draft) {
        draft.add(new Change.OfNode(command.node()));
        if (state.sets().isEmpty()) {
            draft.add(new Change.OfSet(SetRecord.founded(command.node().number())));
        }
        return new CatalogOutcome.Done();
    }
}
