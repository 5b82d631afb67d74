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
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.Collation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.LetVariables;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

/** {@code find}, {@code count} and {@code distinct}. */
final class ReadCommands {
    private static final FeedScope EVERYTHING = new FeedScope.Everything();

    /** Options of find that would change what is answered. */
    private static final List<String> REFUSED =
            List.of("max", "min", "returnKey", "showRecordId", "tailable", "awaitData");

    /** A row of distinct has a name of one letter, and a length and an end of its own. */
    private static final int ROW_BYTES = 6;

    private final Items items;
    private final Catalogue catalogue;
    private final Batches batches;
    private final IndexUses uses;
    private final InstantSource clock;

    ReadCommands(
            Items items,
            Catalogue catalogue,
            Batches batches,
            IndexUses uses,
            InstantSource clock) {
        this.items = items;
        this.catalogue = catalogue;
        this.batches = batches;
        this.uses = uses;
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
        Arguments arguments = request.arguments();
        Reading reading = findReading(request);
        boolean isSingle = arguments.flag("singleBatch", false);
        OptionalInt size = arguments.size("batchSize");
        if (reading.container().isEmpty()) {
            return Batches.nothing(reading.namespace().toString());
        }
        if (reading.isPoint() && size.orElse(1) > 0) {
            return RawDocuments.cursor(
                    "firstBatch",
                    point(request, reading).stream().toList(),
                    0,
                    reading.namespace().toString(),
                    Replies.OK);
        }
        return batches.first(
                request,
                reading.container().get(),
                reading.cursor(request.session()),
                size,
                isSingle);
    }

    Reading findReading(CommandRequest request) {
        Namespace namespace = request.namespace();
        Arguments arguments = request.arguments();
        for (String name : REFUSED) {
            refuse(arguments, name);
        }
        FindStatement statement = new FindStatement(options(arguments));
        return Reading.of(
                        namespace,
                        statement,
                        arguments,
                        catalogue.find(request.context(), namespace))
                .orPoint(statement.options().skip() == 0);
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
                .withLet(let(arguments))
                .withCollation(arguments.document("collation").orElse(FindOptions.NONE))
                .at(clock.instant());
    }

    Value.Obj let(Arguments arguments) {
        return LetVariables.evaluated(
                arguments.document("let").orElse(FindOptions.NONE),
                Collation.order(arguments.document("collation").orElse(FindOptions.NONE)),
                clock.instant());
    }

    /** The natural order is the one in which documents come where none is asked for. */
    static Value.Obj sort(Value.Obj sort) {
        return sort.properties().size() == 1
                        && Value.of(1).equals(sort.properties().get("$natural"))
                ? FindOptions.NONE
                : sort;
    }

    /** Looks up the one document of a reading. */
    Optional<Bytes> point(CommandRequest request, Reading reading) {
        FindStatement statement = reading.statement();
        try {
            ItemAnswer answer =
                    items.readItem(
                            request.context(),
                            reading.container().orElseThrow(),
                            reading.target().key().orElseThrow(),
                            new ItemRef.Named(reading.target().id().orElseThrow()));
            request.charge(answer.charge());
            uses.countLookup(answer.container());
            Bytes body = answer.body(Encoding.BSON).orElseThrow().bytes();
            boolean isWhole =
                    statement.options().projection().properties().isEmpty()
                            && Target.isOfId(statement.options().filter());
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
        return new Doc().putCount("n", count(request, countReading(request))).ok();
    }

    Reading countReading(CommandRequest request) {
        Arguments arguments = request.arguments();
        Value.Obj filter = arguments.document("query").orElse(FindOptions.NONE);
        OptionalLong limit = arguments.whole("limit");
        FindOptions options =
                FindOptions.of(filter)
                        .within(arguments.count("skip").orElse(0), Math.absExact(limit.orElse(0)))
                        .withCollation(arguments.document("collation").orElse(FindOptions.NONE))
                        .at(clock.instant());
        return reading(request, options.counted());
    }

    /** A read by the filter of a command, which is what its namespace and its hint are for. */
    Reading reading(CommandRequest request, FindOptions options) {
        Namespace namespace = request.namespace();
        return Reading.of(
                namespace,
                new FindStatement(options),
                request.arguments(),
                catalogue.find(request.context(), namespace));
    }

    /** Counts documents; a collection that does not exist has none. */
    long count(CommandRequest request, Reading reading) {
        if (reading.container().isEmpty()) {
            return 0;
        }
        long total = 0;
        for (Bytes row :
                batches.read(
                                request,
                                reading.container().get(),
                                reading.cursor(Optional.empty()),
                                Integer.MAX_VALUE)
                        .rows()) {
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
        Reading reading = distinctReading(request);
        List<Value> values = new ArrayList<>();
        if (reading.container().isPresent()) {
            Batches.Batch batch =
                    batches.read(
                            request,
                            reading.container().get(),
                            reading.cursor(Optional.empty()),
                            Integer.MAX_VALUE);
            if (batch.next().isPresent()) {
                throw tooBig();
            }
            requireRoom(batch.rows());
            for (Bytes row : batch.rows()) {
                values.add(BsonCodec.read(row).properties().getOrDefault("v", Value.Null.NULL));
            }
        }
        return new Doc().put("values", values).ok();
    }

    /** The values become one array, which no document may exceed. */
    private static void requireRoom(List<Bytes> rows) {
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            int name = Integer.toString(i).length();
            bytes += rows.get(i).length() - ROW_BYTES + name;
        }
        if (bytes > Handshake.MAX_DOCUMENT_BYTES) {
            throw tooBig();
        }
    }

    private static OrreryException tooBig() {
        return MongoCode.failure(17217, "distinct too big, 16mb cap");
    }

    Reading distinctReading(CommandRequest request) {
        Arguments arguments = request.arguments();
        return reading(
                request,
                FindOptions.of(arguments.document("query").orElse(FindOptions.NONE))
                        .withCollation(arguments.document("collation").orElse(FindOptions.NONE))
                        .at(clock.instant())
                        .distinct(arguments.requiredText("key")));
    }
}
