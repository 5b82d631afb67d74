package orrery.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import orrery.document.BodyFormat;
import orrery.document.ByteSink;
import orrery.document.ItemBody;
import orrery.document.ItemLifetime;
import orrery.document.JsonText;
import orrery.document.NumberWidths;
import orrery.document.SqlId;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.RowKey;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.Rehearsal;
import orrery.query.PreparedQueries;
import orrery.query.Statement;
import orrery.script.ScriptHost;
import orrery.storage.format.Keys;

/**
 * The items of one logical partition as a script has them before it, its own changes included.
 * Whatever the script names, nothing outside of that logical partition is read or written.
 */
final class ScriptTransaction implements ScriptHost {
    private final Rehearsal rehearsal;
    private final PartitionId partition;
    private final ItemKey scope;
    private final ScriptPlace place;
    private final ScriptLinks links;
    private final ScriptBounds bounds;
    private final ScriptQueries queries;
    private final SystemProperties system;
    private final long stampMillis;
    private final List<Charge> charges = new ArrayList<>();
    private final List<Outcome.ItemOutcome> outcomes = new ArrayList<>();

    /**
     * @param scope any key of the logical partition
     */
    ScriptTransaction(
            Rehearsal rehearsal,
            PartitionId partition,
            ItemKey scope,
            ScriptPlace place,
            ScriptBounds bounds,
            PreparedQueries prepared,
            FunctionCalls functions,
            long stampMillis) {
        this.rehearsal = rehearsal;
        this.partition = partition;
        this.scope = scope;
        this.place = place;
        this.links = new ScriptLinks(place, partition.container());
        this.bounds = bounds;
        this.queries =
                new ScriptQueries(
                        rehearsal,
                        partition,
                        scope.partitionKey(),
                        place,
                        prepared,
                        functions,
                        stampMillis);
        this.system =
                new SystemProperties(
                        ResourceId.ofContainer(place.database(), partition.container()));
        this.stampMillis = stampMillis;
    }

    Rehearsal rehearsal() {
        return rehearsal;
    }

    ScriptLinks links() {
        return links;
    }

    /** Returns the outcomes of the changes, in order. */
    List<Outcome.ItemOutcome> outcomes() {
        return outcomes;
    }

    /** Returns the cost of all operations of the scripts. */
    Charge operations() {
        return RequestCharge.batch(1, charges);
    }

    @Override
    public Reply call(String operation, String link, @Nullable String body, String options) {
        if (!bounds.accepts(body == null ? 0 : body.length())) {
            return new Reply.NotAccepted();
        }
        try {
            Map<String, Value> given = options(options);
            return switch (operation) {
                case "read" -> read(link, given);
                case "create" -> write(newItem(link, required(body), given), given, true);
                case "upsert" -> write(newItem(link, required(body), given), given, false);
                case "replace" -> replace(link, required(body), given);
                case "delete" -> delete(link, given);
                case "query" -> query(link, ScriptQueries.parse(required(body)), given);
                case "feed" -> query(link, ScriptQueries.ALL_ITEMS, given);
                default -> throw bad("There is no operation '" + operation + "'.");
            };
        } catch (OrreryException refused) {
            if (refused.code() == ErrorCode.RANGE_GONE) {
                throw refused;
            }
            spend(refused.charge());
            return new Reply.Failed(refused.code().status(), refused.text());
        }
    }

    /** The item as clients see it. */
    Bytes shown(Item item) {
        ByteSink out = new ByteSink(item.body().length() + 256);
        system.splice(out, item, OptionalLong.empty());
        return out.toBytes();
    }

    Optional<Item> find(ItemKey key) {
        return rehearsal.find(key, stampMillis);
    }

    /** Makes a change; throws where it is refused. Not charged here. */
    Outcome.ItemOutcome change(Command.ItemChange change) {
        if (change instanceof Command.ItemChange.Storing put) {
            RuleCheck rule = new RuleCheck(definition(), false);
            rule.check(rule.needsPresent() ? find(put.key()) : Optional.empty(), put.body());
        }
        Command.ItemChange complete = Derivation.complete(change, rehearsal.state(), stampMillis);
        return switch (rehearsal.apply(complete, stampMillis)) {
            case Outcome.Written done -> {
                outcomes.add(done.items().getFirst());
                if (change instanceof Command.ItemChange.Storing put) {
                    bounds.wrote(put.body().length());
                } else {
                    bounds.wrote(0);
                }
                yield done.items().getFirst();
            }
            case Outcome.Rejected rejected -> throw Refusals.of(rejected, rehearsal.state());
            case Outcome.Done _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _,
                    Outcome.Stale _ ->
                    throw new IllegalStateException("a change was answered as another command");
        };
    }

    private ContainerDefinition definition() {
        return rehearsal.state().definition().current().definition();
    }

    PartitionKeyDefinition keyDefinition() {
        return definition().partitionKey();
    }

    /** The format of the items here; scripts see them in JSON, whatever it is. */
    BodyFormat format() {
        return BodyFormat.of(kind().encoding());
    }

    /** Checks an item as the gateway does with those of clients, and that it belongs here. */
    ItemBody checked(Bytes json) {
        return checked(Body.json(json));
    }

    ItemBody checked(Body sent) {
        ItemBody body = format().parse(sent, kind().limits(), keyDefinition());
        PartitionKey key = ItemRules.normalise(keyDefinition(), body.partitionKey(keyDefinition()));
        if (!key.equals(scope.partitionKey())) {
            throw new OrreryException(
                    ErrorCode.PARTITION_KEY_MISMATCH,
                    "The partition key of the item is not the one that this script runs for.");
        }
        rowKey(body); // refuses an id that may not be
        ItemLifetime.check(format().encoding(), body.stored());
        return body;
    }

    /** Scripts write items past every front-end, so the rules for ids are looked up by the kind. */
    Optional<RowKey> rowKey(ItemBody body) {
        return body.rowKey(kind().ids());
    }

    private ContainerKind kind() {
        return definition().kind();
    }

    ItemKey key(RowKey item) {
        return new ItemKey(scope.epk(), scope.partitionKey(), item);
    }

    /** Returns a body that came in JSON with the widths of numbers that the item here has. */
    Bytes keepingWidths(ItemKey key, Bytes body) {
        return format().encoding() == Encoding.JSON
                ? body
                : find(key)
                        .map(item -> NumberWidths.kept(format(), item.body(), body))
                        .orElse(body);
    }

    private record Sent(ItemKey key, Bytes body) {}

    private Sent newItem(String link, String json, Map<String, Value> options) {
        links.requireContainer(link);
        ItemBody body = checked(Bytes.ofUtf8(json));
        Optional<RowKey> own = rowKey(body);
        if (own.isPresent()) {
            return new Sent(key(own.get()), body.stored());
        }
        if (options.get("disableAutomaticIdGeneration") instanceof Value.Bool(boolean disabled)
                && disabled) {
            throw bad("The item has no id, and none was to be made.");
        }
        String id = UUID.randomUUID().toString();
        ByteSink out = new ByteSink().putAscii("{\"id\":\"" + id + '"');
        byte[] rest = format().toJson(body.stored()).unsafeArray();
        if (!body.isEmpty()) {
            out.put(',');
        }
        out.put(rest, 1, rest.length - 1);
        ItemBody named = checked(out.toBytes());
        return new Sent(key(rowKey(named).orElseThrow()), named.stored());
    }

    private Reply write(Sent item, Map<String, Value> options, boolean isCreate) {
        Bytes body = isCreate ? item.body() : keepingWidths(item.key(), item.body());
        Outcome.ItemOutcome done =
                change(
                        WriteRun.put(
                                item.key(),
                                isCreate ? Command.Expect.ABSENT : Command.Expect.ANY,
                                isCreate ? Precondition.NONE : precondition(options),
                                new Body(format().encoding(), body)));
        spend(Charges.of(new WriteAction.Upsert(body), done));
        return shownOf(item.key());
    }

    private Reply replace(String link, String json, Map<String, Value> options) {
        ItemKey key = existing(link);
        ItemBody body = checked(Bytes.ofUtf8(json));
        RowKey target = rowKey(body).orElseThrow(() -> bad("The item has no id."));
        Bytes kept = keepingWidths(key, body.stored());
        Outcome.ItemOutcome done =
                change(
                        WriteRun.replace(
                                key,
                                target,
                                precondition(options),
                                new Body(format().encoding(), kept)));
        spend(Charges.of(new WriteAction.Replace(kept), done));
        return shownOf(key(target));
    }

    private Reply delete(String link, Map<String, Value> options) {
        ItemKey key = existing(link);
        Outcome.ItemOutcome done =
                change(new Command.ItemChange.Remove(key, precondition(options)));
        spend(Charges.of(new WriteAction.Delete(), done));
        return new Reply.Done("{\"resource\":{},\"options\":{}}");
    }

    private Reply read(String link, Map<String, Value> options) {
        ItemKey key = existing(link);
        Item item = find(key).orElseThrow(ScriptTransaction::notFound);
        spend(RequestCharge.read(Charges.billedBytes(item.body())));
        if (options.get("ifNoneMatch") instanceof Value.Text(String known)
                && Etag.parse(known).equals(Optional.of(item.etag()))) {
            return new Reply.Failed(304, "The item has not changed.");
        }
        return shownOf(key);
    }

    private Reply shownOf(ItemKey key) {
        String json = shown(find(key).orElseThrow(ScriptTransaction::notFound)).toUtf8();
        bounds.read(json.length());
        return new Reply.Done("{\"resource\":" + json + ",\"options\":{}}");
    }

    private Reply query(String link, Statement statement, Map<String, Value> options) {
        links.requireContainer(link);
        requireFunctions(statement);
        ReadResponse.QueryPage page = queries.page(statement, options);
        spend(page.charge());
        StringBuilder json = new StringBuilder("{\"resource\":[");
        for (int i = 0; i < page.rows().size(); i++) {
            json.append(i == 0 ? "" : ",").append(page.rows().get(i).toUtf8());
        }
        json.append("],\"options\":{");
        page.next()
                .ifPresent(
                        next ->
                                json.append("\"continuation\":\"")
                                        .append(ScriptQueries.token(next))
                                        .append('"'));
        bounds.read(json.length());
        return new Reply.Done(json.append("}}").toString());
    }

    /** Which functions a script will call is known when it does: its queries are texts. */
    private void requireFunctions(Statement statement) {
        List<String> needed = statement.functions().stream().filter(place::isOpen).toList();
        if (!needed.isEmpty()) {
            throw new FunctionsNeededException(
                    new WriteResponse.FunctionsNeeded(
                            needed, rehearsal.headLsn(), ScriptExecutor.charge(operations())));
        }
    }

    /**
     * A script that names an item of another key is told that the item does not exist, whether it
     * does or not.
     */
    private ItemKey existing(String link) {
        ScriptLinks.ItemLink named = links.item(link);
        if (named.id().isPresent()) {
            return key(SqlId.parse(kind().encoding(), named.id().get()));
        }
        if (named.docid().isEmpty()) {
            throw notFound();
        }
        return byDocid(named.docid().getAsLong())
                .filter(
                        key ->
                                key.partitionKey().equals(scope.partitionKey())
                                        && key.epk().equals(scope.epk()))
                .orElseThrow(ScriptTransaction::notFound);
    }

    private Optional<ItemKey> byDocid(long docid) {
        return DocidLookup.find(
                        rehearsal.view(), partition.container(), rehearsal.state().record(), docid)
                .map(suffix -> Keys.itemKey(suffix, keyDefinition()));
    }

    private static Map<String, Value> options(String json) {
        Map<String, Value> options =
                JsonText.parse(json) instanceof Value.Obj(Map<String, Value> members)
                        ? members
                        : new HashMap<>();
        Value action = options.getOrDefault("indexAction", Value.Null.NULL);
        boolean isDefault =
                action == Value.Null.NULL
                        || (action instanceof Value.Text(String text)
                                && text.equalsIgnoreCase("default"));
        if (!isDefault) {
            throw bad("Only the index action 'default' is supported: the indexing policy decides.");
        }
        return options;
    }

    /**
     * Reads a precondition from {@code etag} or from an access condition in the form of the SDKs.
     */
    private static Precondition precondition(Map<String, Value> options) {
        Value etag = options.get("etag");
        if (options.get("accessCondition") instanceof Value.Obj(Map<String, Value> condition)) {
            boolean isMatch =
                    condition.get("type") instanceof Value.Text(String type)
                            && type.equalsIgnoreCase("IfMatch");
            if (!isMatch) {
                throw bad("The type of an access condition must be 'IfMatch'.");
            }
            etag = condition.get("condition");
        }
        return switch (etag) {
            case null -> Precondition.NONE;
            case Value.Null _ -> Precondition.NONE;
            case Value.Text(String text) ->
                    Etag.parse(text)
                            .<Precondition>map(Precondition.Matches::new)
                            .orElseGet(Precondition.Impossible::new);
            default -> throw bad("An etag must be a string.");
        };
    }

    private static String required(@Nullable String body) {
        if (body == null) {
            throw bad("The operation needs a body.");
        }
        return body;
    }

    private void spend(Charge charge) {
        charges.add(charge);
        bounds.spent(charge);
    }

    private static OrreryException notFound() {
        return Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
    }

    static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
