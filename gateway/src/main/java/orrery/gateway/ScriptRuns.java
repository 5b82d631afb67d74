package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import orrery.cluster.api.Catalog;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.RequestId;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.When;
import orrery.model.TriggerOperation;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Script;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.Trigger;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Takes scripts to the partition of the key that they run for. */
final class ScriptRuns {
    /** The service lets a write name one trigger on each side. */
    private static final int MAX_TRIGGERS = 1;

    private final Catalog catalog;
    private final PartitionCalls partitions;
    private final ItemRouter items;
    private final ScriptFunctions functions;

    ScriptRuns(Catalog catalog, PartitionCalls partitions, ItemRouter items) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.items = items;
        this.functions = new ScriptFunctions(catalog);
    }

    ProcedureAnswer execute(
            RequestContext context,
            Container container,
            PartitionKey key,
            Script procedure,
            Bytes arguments,
            boolean logs) {
        if (!arguments.isEmpty() && !(JsonText.parse(arguments) instanceof Value.Array)) {
            throw bad("The arguments of a stored procedure must be a JSON array.");
        }
        PartitionKey wholeKey = ItemRouter.wholeKey(container, key);
        EffectiveKey epk = EffectiveKeys.of(container.definition().partitionKey(), wholeKey);
        ScriptPlace place =
                place(container, List.of(procedure.source().body(), arguments.toUtf8()));
        RequestId requestId = items.newRequestId();
        return items.routed(
                context,
                container,
                wholeKey,
                partition -> {
                    WriteResponse.Executed done =
                            (WriteResponse.Executed)
                                    functions.call(
                                            container,
                                            place,
                                            told ->
                                                    partitions.call(
                                                            context,
                                                            partition,
                                                            new WriteRequest.Execute(
                                                                    container.partition(partition),
                                                                    requestId,
                                                                    epk,
                                                                    wholeKey,
                                                                    procedure.source(),
                                                                    arguments,
                                                                    told,
                                                                    logs,
                                                                    partitions.minLsn(
                                                                            context, partition))));
                    return new ProcedureAnswer(
                            done.body(),
                            done.log(),
                            container,
                            partition.range(),
                            done.headLsn(),
                            done.charge());
                });
    }

    TriggeredAnswer write(
            RequestContext context, Container container, ItemWrite write, TriggerNames names) {
        List<Trigger> before = triggers(container, write, names.before(), When.PRE);
        List<Trigger> after = triggers(container, write, names.after(), When.POST);
        ItemRouter.CheckedWrite checked = items.plain(context, container, write);
        ScriptPlace place =
                place(
                        container,
                        Stream.concat(before.stream(), after.stream())
                                .map(trigger -> trigger.source().body())
                                .toList());
        RequestId requestId = items.newRequestId();
        return items.routed(
                context,
                container,
                checked.key().partitionKey(),
                partition -> {
                    WriteResponse.Triggered done =
                            (WriteResponse.Triggered)
                                    functions.call(
                                            container,
                                            place,
                                            told ->
                                                    partitions.call(
                                                            context,
                                                            partition,
                                                            new WriteRequest.WriteWithTriggers(
                                                                    ItemRouter.request(
                                                                            container, partition,
                                                                            requestId, checked),
                                                                    before,
                                                                    after,
                                                                    told,
                                                                    names.logs())));
                    return new TriggeredAnswer(
                            new ItemAnswer(
                                    ItemRouter.outcome(done.change()),
                                    done.item(),
                                    container,
                                    partition.range(),
                                    done.headLsn(),
                                    done.charge()),
                            done.body(),
                            done.log());
                });
    }

    private List<Trigger> triggers(
            Container container, ItemWrite write, List<String> names, When when) {
        if (names.size() > MAX_TRIGGERS) {
            throw bad("A write may name one pre-trigger and one post-trigger.");
        }
        return names.stream().map(name -> trigger(container, write, name, when)).toList();
    }

    private Trigger trigger(Container container, ItemWrite write, String name, When when) {
        Script script =
                catalog.findScript(container, Kind.TRIGGER, name)
                        .orElseThrow(
                                () ->
                                        bad(
                                                "The trigger '"
                                                        + name
                                                        + "' of the request does not exist."));
        var rule = script.definition().trigger().orElseThrow();
        if (rule.when() != when) {
            throw bad(
                    "The trigger '"
                            + name
                            + "' is of the type "
                            + rule.when()
                            + " and cannot be run as a trigger of the type "
                            + when
                            + ".");
        }
        Optional<TriggerOperation> operation = operation(write, rule.operation());
        return new Trigger(
                script.source(),
                operation.orElseThrow(
                        () ->
                                bad(
                                        "The trigger '"
                                                + name
                                                + "' is for the operation "
                                                + rule.operation()
                                                + " and cannot be run with this one.")));
    }

    /**
     * Returns the operation for which the trigger runs, if it is meant for such a write. The
     * partition decides what an upsert turns into, and so whether its triggers run.
     */
    private static Optional<TriggerOperation> operation(ItemWrite write, TriggerOperation rule) {
        boolean isMeant =
                switch (write) {
                    case ItemWrite.Create _ -> rule.covers(TriggerOperation.CREATE);
                    case ItemWrite.Replace _, ItemWrite.Evaluate _ ->
                            rule.covers(TriggerOperation.REPLACE);
                    case ItemWrite.Delete _, ItemWrite.Take _ ->
                            rule.covers(TriggerOperation.DELETE);
                    case ItemWrite.Upsert _ -> rule != TriggerOperation.DELETE;
                };
        if (!isMeant) {
            return Optional.empty();
        }
        return Optional.of(rule == TriggerOperation.UPSERT ? TriggerOperation.ALL : rule);
    }

    /**
     * Returns the links by which scripts name their container, and the functions that they seem to
     * name.
     */
    private ScriptPlace place(Container container, List<String> texts) {
        String database =
                catalog.findDatabase(container.database())
                        .map(Database::name)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.OWNER_NOT_FOUND, "Resource Not Found."));
        return new ScriptPlace(
                container.database(),
                database,
                container.name(),
                functions.namedIn(container, texts),
                Set.of());
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
