package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

/** {@code find}, {@code count} and {@code distinct}. */
final class ReadCommands {
    private static final FeedScope EVERYTHING = new FeedScope.Everything();

    private final Items items;
    private final Catalogue catalogue;
    private final Batches batches;
    private final InstantSource clock;

    ReadCommands(Items items, Catalogue catalogue, Batches batches, InstantSource clock) {
        this.items = items;
        this.catalogue = catalogue;
        this.batches = batches;
        this.clock = clock;
    }

    void addTo(CommandTable table) {
        table.read(
                        "find",
                        Set.of(
                                "filter",
                                "sort",
                                "projection",
                                "hint",
                                "skip",
                                "limit",
                                "batchSize",
                                "singleBatch",
                                "max",
                                "min",
                                "returnKey",
                                "showRecordId",
                                "tailable",
                                "awaitData",
                                "oplogReplay",
                                "noCursorTimeout",
                                "allowPartialResults",
                                "collation",
                                "allowDiskUse",
                                "let"),
                        this::find)
                .read(
                        "count",
                        Set.of("query", "limit", "skip", "hint", "collation", "fields"),
                        this::count)
                .read("distinct", Set.of("key", "query", "collation", "hint"), this::distinct);
    }

    private Bytes find(CommandRequest request) {
        Namespace namespace = request.namespace();
        Arguments arguments = request.arguments();
        for (String name : List.of("max", "min", "returnKey", "showRecordId", "tailable")) {
            refuse(arguments, name);
        }
        FindStatement statement = new FindStatement(options(arguments));
        boolean isSingle = arguments.flag("singleBatch", false);
        OptionalInt size = arguments.size("batchSize");
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        if (found.isEmpty()) {
            return Batches.nothing(namespace.toString());
        }
        Target target = Target.of(statement.options().filter(), found.get().container());
        if (target.key().isPresent()
                && target.id().isPresent()
                && size.orElse(1) > 0
                && statement.options().skip() == 0) {
            return RawDocuments.cursor(
                    "firstBatch",
                    point(request, found.get(), target, statement).stream().toList(),
                    0,
                    namespace.toString(),
                    Replies.OK);
        }
        Cursor cursor =
                new Cursor(
                        namespace.toString(),
                        statement,
                        scope(target),
                        Optional.empty(),
                        request.session());
        return batches.first(request, found.get(), cursor, size, isSingle);
    }

    /** Options that change what is answered are refused where they are not supported. */
    private static void refuse(Arguments arguments, String name) {
        Optional<Value> value = arguments.find(name);
        if (value.isPresent()
                && !(value.get() instanceof Value.Bool(boolean truth) && !truth)
                && !(value.get() instanceof Value.Obj(Map<String, Value> fields)
                        && fields.isEmpty())) {
            throw MongoCode.BAD_VALUE.failure(
                    "the option '" + name + "' of " + arguments.owner() + " is not supported");
        }
    }

    static FeedScope scope(Target target) {
        return target.key().<FeedScope>map(FeedScope.Key::new).orElse(EVERYTHING);
    }

    private FindOptions options(Arguments arguments) {
        return FindOptions.of(arguments.document("filter").orElse(FindOptions.NONE))
                .withProjection(arguments.document("projection").orElse(FindOptions.NONE))
                .withSort(sort(arguments.document("sort").orElse(FindOptions.NONE)))
                .within(arguments.count("skip").orElse(0), arguments.count("limit").orElse(0))
                .withLet(arguments.document("let").orElse(FindOptions.NONE))
                .withCollation(arguments.document("collation").orElse(FindOptions.NONE))
                .at(clock.instant());
    }

    /** The natural order is the one in which documents come where none is asked for. */
    static Value.Obj sort(Value.Obj sort) {
        return sort.properties().size() == 1
                        && Value.of(1).equals(sort.properties().get("$natural"))
                ? FindOptions.NONE
                : sort;
    }

    private Optional<Bytes> point(
            CommandRequest request,
            ContainerRef.Resolved container,
            Target target,
            FindStatement statement) {
        try {
            ItemAnswer answer =
                    items.readItem(
                            request.context(),
                            container,
                            target.key().orElseThrow(),
                            new ItemRef.Named(target.id().orElseThrow()));
            request.charge(answer.charge());
            Bytes body = answer.body(Encoding.BSON).orElseThrow().bytes();
            boolean isWhole =
                    statement.options().projection().properties().isEmpty()
                            && statement.options().filter().properties().size() == 1;
            return isWhole
                    ? Optional.of(body)
                    : statement
                            .result(BodyFormat.of(Encoding.BSON).value(body))
                            .map(BsonCodec::write);
        } catch (OrreryException missing) {
            if (missing.code() != ErrorCode.NOT_FOUND) {
                throw missing;
            }
            request.charge(missing.charge());
            return Optional.empty();
        }
    }

    // ---- count

    private Bytes count(CommandRequest request) {
        Namespace namespace = request.namespace();
        Arguments arguments = request.arguments();
        Value.Obj filter = arguments.document("query").orElse(FindOptions.NONE);
        OptionalLong limit = arguments.whole("limit");
        FindOptions options =
                FindOptions.of(filter)
                        .within(arguments.count("skip").orElse(0), Math.absExact(limit.orElse(0)))
                        .withCollation(arguments.document("collation").orElse(FindOptions.NONE))
                        .at(clock.instant());
        return new Doc().putCount("n", count(request, namespace, options)).ok();
    }

    /** Counts documents; a collection that does not exist has none. */
    long count(CommandRequest request, Namespace namespace, FindOptions options) {
        FindStatement statement = new FindStatement(options.counted());
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        if (found.isEmpty()) {
            return 0;
        }
        Target target = Target.of(options.filter(), found.get().container());
        Cursor cursor =
                new Cursor(
                        namespace.toString(),
                        statement,
                        scope(target),
                        Optional.empty(),
                        Optional.empty());
        long total = 0;
        for (Bytes row : batches.read(request, found.get(), cursor, Integer.MAX_VALUE).rows()) {
            total +=
                    Arguments.number(
                                    BsonCodec.read(row).properties().getOrDefault("n", Value.of(0)))
                            .orElseThrow()
                            .longValueExact();
        }
        return total;
    }

    // ---- distinct

    private Bytes distinct(CommandRequest request) {
        Namespace namespace = request.namespace();
        Arguments arguments = request.arguments();
        FindStatement statement =
                new FindStatement(
                        FindOptions.of(arguments.document("query").orElse(FindOptions.NONE))
                                .withCollation(
                                        arguments.document("collation").orElse(FindOptions.NONE))
                                .at(clock.instant())
                                .distinct(arguments.requiredText("key")));
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        List<Value> values = new ArrayList<>();
        if (found.isPresent()) {
            Target target = Target.of(statement.options().filter(), found.get().container());
            Cursor cursor =
                    new Cursor(
                            namespace.toString(),
                            statement,
                            scope(target),
                            Optional.empty(),
                            Optional.empty());
            Batches.Batch batch = batches.read(request, found.get(), cursor, Integer.MAX_VALUE);
            if (batch.next().isPresent()) {
                throw MongoCode.failure(17217, "distinct too big, 16mb cap");
            }
            for (Bytes row : batch.rows()) {
                values.add(BsonCodec.read(row).properties().getOrDefault("v", Value.Null.NULL));
            }
        }
        return new Doc().put("values", values).ok();
    }
}
