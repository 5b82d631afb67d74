package orrery.partition;

import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.document.ItemBody;
import orrery.document.ItemLifetime;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.RowKey;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteAction;
import orrery.partition.machine.Command;
import orrery.partition.machine.OpenDefinition;
import orrery.query.write.EvaluationPlace;
import orrery.query.write.ItemUpdate;
import orrery.query.write.WriteDialects;

/**
 * Computes the change that an action makes of one version of an item after another. The change
 * holds only while the version that it was computed from is there.
 */
final class ChangeEvaluation {
    private final Precondition precondition;
    private final ContainerDefinition definition;
    private final RuleCheck rule;
    private final Work work;

    /** The action, made ready. */
    private sealed interface Work {
        record Remove() implements Work {}

        /**
         * @param id the other id that it gives the item
         */
        record Update(ItemUpdate update, boolean upsert, Optional<RowKey> id) implements Work {}
    }

    /**
     * @param change a check where the action leaves the item as it is
     * @param body what the action made of the item; empty for a delete
     */
    record Change(Command.ItemChange change, Optional<Bytes> body) {
        /** The key that the item has afterwards, or had if it was deleted. */
        ItemKey target() {
            return change instanceof Command.ItemChange.Storing put ? put.target() : change.key();
        }

        /** Returns true if the item is what the action would make of it. */
        boolean isNone() {
            return change instanceof Command.ItemChange.Check;
        }

        /** Returns true if the refusal says that the item is no longer what was seen. */
        boolean isStale(ErrorCode refusal) {
            return switch (refusal) {
                case PRECONDITION_FAILED, NOT_FOUND -> true;
                case CONFLICT ->
                        change instanceof Command.ItemChange.Put put
                                && put.expect() == Command.Expect.ABSENT;
                default -> false;
            };
        }
    }

    /**
     * Throws where the action cannot be read.
     *
     * @param nowMillis the time for a condition that asks for it
     * @param isUnchecked whether what it makes need not meet the validator of the container
     */
    ChangeEvaluation(
            WriteAction.Computed action,
            Precondition precondition,
            int container,
            OpenDefinition open,
            WriteDialects dialects,
            long nowMillis,
            boolean isUnchecked) {
        this.precondition = precondition;
        this.definition = open.current().definition();
        this.rule = new RuleCheck(definition, isUnchecked);
        this.work =
                switch (action) {
                    case WriteAction.Delete _ -> new Work.Remove();
                    case WriteAction.Evaluate evaluate ->
                            new Work.Update(
                                    dialects.read(
                                            evaluate.evaluation(),
                                            new EvaluationPlace(
                                                    ResourceId.ofContainer(
                                                            evaluate.database(), container),
                                                    definition,
                                                    ComputedCache.of(open),
                                                    nowMillis)),
                                    evaluate.upsert(),
                                    evaluate.id());
                };
    }

    /**
     * Returns true if the leader has to see the item; a delete that shows nothing is left to the
     * log.
     */
    static boolean isNeeded(WriteAction.Computed action) {
        return action instanceof WriteAction.Evaluate || action.images().before();
    }

    /**
     * The change of the item under a key; throws where it must not or cannot be made.
     *
     * @param still holds while the item is what was seen
     */
    Change of(ItemKey key, Optional<Item> present, Precondition still) {
        if (present.isEmpty() && !mayCreate()) {
            throw Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
        }
        if (present.isPresent() && !Precondition.holds(precondition, present.get().etag())) {
            throw unmet(present);
        }
        return switch (work) {
            case Work.Remove _ ->
                    new Change(new Command.ItemChange.Remove(key, still), Optional.empty());
            case Work.Update(ItemUpdate update, boolean _, Optional<RowKey> id) -> {
                Bytes body = body(update, present);
                if (update.leavesEqualBodies()
                        && present.isPresent()
                        && present.get().body().equals(body)) {
                    yield new Change(new Command.ItemChange.Check(key, still), Optional.of(body));
                }
                if (!named(key, body).equals(id.orElse(key.rowKey()))) {
                    throw bad("A write cannot change the id of its item.");
                }
                rule.check(present, body);
                Command.ItemChange.Storing change =
                        id.isPresent()
                                ? rename(key, id.get(), still, body)
                                : put(key, present, still, body);
                yield new Change(
                        change.asUpdate(present.isPresent() && !update.isReplacement()),
                        Optional.of(body));
            }
        };
    }

    /**
     * The change that creates an item where a search found none.
     *
     * @param scope any key of the logical partition
     */
    Change onAbsence(ItemKey scope) {
        if (!(work instanceof Work.Update(ItemUpdate update, boolean upsert, var _)) || !upsert) {
            throw Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
        }
        Bytes body = body(update, Optional.empty());
        ItemKey key = scope.withRowKey(named(scope, body));
        rule.check(body);
        return new Change(put(key, Optional.empty(), Precondition.NONE, body), Optional.of(body));
    }

    private boolean mayCreate() {
        return work instanceof Work.Update(ItemUpdate _, boolean upsert, var _) && upsert;
    }

    private Bytes body(ItemUpdate update, Optional<Item> present) {
        Bytes body = update.bodyAfter(present).orElseThrow(() -> unmet(present));
        ItemRules.checkBody(kind().limits(), body);
        if (present.isPresent()) {
            ItemLifetime.checkChange(kind().encoding(), present.get().body(), body);
        } else {
            ItemLifetime.check(kind().encoding(), body);
        }
        return body;
    }

    private Command.ItemChange.Storing rename(
            ItemKey key, RowKey id, Precondition still, Bytes body) {
        return WriteRun.replace(key, id, still, new Body(kind().encoding(), body));
    }

    private Command.ItemChange.Storing put(
            ItemKey key, Optional<Item> present, Precondition still, Bytes body) {
        return WriteRun.put(
                key,
                present.isPresent() ? Command.Expect.PRESENT : Command.Expect.ABSENT,
                present.isPresent() ? still : Precondition.NONE,
                new Body(kind().encoding(), body));
    }

    /**
     * The id in a body, which no front-end has seen; the partition key must be that of the write.
     */
    private RowKey named(ItemKey scope, Bytes body) {
        PartitionKeyDefinition keys = definition.partitionKey();
        ItemBody parsed = BodyFormat.of(kind().encoding()).parse(body, keys);
        PartitionKey own = ItemRules.normalise(keys, parsed.partitionKey(keys));
        if (!own.equals(scope.partitionKey())) {
            throw bad("A write cannot change the partition key of its item.");
        }
        return parsed.rowKey(kind().ids())
                .orElseThrow(() -> bad("The write made an item without an id."));
    }

    private ContainerKind kind() {
        return definition.kind();
    }

    private static OrreryException unmet(Optional<Item> present) {
        return Refusals.of(
                ErrorCode.PRECONDITION_FAILED,
                RequestCharge.refusedWrite(
                        present.map(item -> Charges.billedBytes(item.body())).orElse(0)));
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
