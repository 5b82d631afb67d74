package orrery.frontend.mongo.command;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.BodyFormat;
import orrery.document.BsonKeys;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.Items;
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.query.mongo.Collation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.LetVariables;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.update.MongoUpdate;
import orrery.query.mongo.update.UpdateSpec;
import orrery.query.write.Images;

/** {@code update}, {@code delete} and {@code findAndModify}. */
final class UpdateCommands {
    private static final Value.Obj NONE = FindOptions.NONE;

    private final Catalogue catalogue;
    private final WriteTargets one;
    private final Items items;
    private final ObjectIds ids;
    private final InstantSource clock;

    UpdateCommands(
            Items items,
            Catalogue catalogue,
            Batches batches,
            SecureRandom random,
            InstantSource clock) {
        this.catalogue = catalogue;
        this.one = new WriteTargets(items, batches, clock);
        this.items = items;
        this.ids = new ObjectIds(random, clock);
        this.clock = clock;
    }

    void addTo(CommandTable table) {
        table.write(
                        "update",
                        Set.of("updates", "ordered", "let", "bypassDocumentValidation"),
                        this::update)
                .write("delete", Set.of("deletes", "ordered", "let"), this::delete)
                .write(
                        "findAndModify",
                        Set.of(
                                "query",
                                "sort",
                                "remove",
                                "update",
                                "new",
                                "fields",
                                "upsert",
                                "bypassDocumentValidation",
                                "collation",
                                "arrayFilters",
                                "hint",
                                "let"),
                        this::findAndModify)
                .alias("findandmodify", "findAndModify");
    }

    // ---- update

    private Bytes update(CommandRequest request) {
        Namespace namespace = request.namespace();
        boolean ordered = request.arguments().flag("ordered", true);
        List<Arguments> updates =
                WriteBatch.statements(request, "updates", UpdateCommands::checkUpdate);
        int count = updates.size();
        Statements statements = Statements.of(request, count);
        WriteErrors errors = new WriteErrors(request, namespace, statements);
        List<Value> upserted = new ArrayList<>();
        long matched = 0;
        long modified = 0;
        for (int i = 0; i < count && (errors.isEmpty() || !ordered); i++) {
            try {
                Updated done = update(request, namespace, statements, updates.get(i), i);
                matched += done.matched();
                modified += done.modified();
                if (done.upserted().isPresent()) {
                    upserted.add(
                            new Doc().put("index", i).put("_id", done.upserted().get()).build());
                }
                if (done.failure().isPresent()) {
                    errors.add(i, done.failure().get(), Value.Null.NULL);
                }
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                errors.add(i, refused, id(updates.get(i)));
            }
        }
        Doc reply = new Doc().putCount("n", matched).putCount("nModified", modified);
        if (!upserted.isEmpty()) {
            reply.put("upserted", upserted);
        }
        return statements.addTo(errors.addTo(reply)).ok();
    }

    private static Value id(Arguments statement) {
        return statement
                .document("q")
                .map(query -> query.properties().getOrDefault("_id", Value.Null.NULL))
                .orElse(Value.Null.NULL);
    }

    /**
     * The result of one statement; a document that was created counts as found.
     *
     * @param failure ended the statement when some documents had been written
     */
    private record Updated(
            long matched,
            long modified,
            Optional<Value> upserted,
            Optional<OrreryException> failure) {
        static final Updated NOTHING = new Updated(0, 0, Optional.empty());

        Updated(long matched, long modified, Optional<Value> upserted) {
            this(matched, modified, upserted, Optional.empty());
        }
    }

    /** One statement of an update, which means something. */
    private record Statement(Arguments arguments, boolean upsert, boolean isMany, UpdateSpec spec) {
        WriteTargets.Search search() {
            return UpdateCommands.search(spec, NONE);
        }
    }

    private static void checkUpdate(Arguments statement) {
        statement.allowOnly(
                Set.of("q", "u", "c", "upsert", "multi", "collation", "arrayFilters", "hint"));
        var _ = statement.document("q").orElseThrow(() -> statement.missing("q"));
        switch (statement.find("u").orElseThrow(() -> statement.missing("u"))) {
            case Value.Obj _, Value.Array _ -> {}
            default ->
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            "Update argument must be either an object or an array");
        }
        statement.flag("upsert", false);
        statement.flag("multi", false);
        statement.document("c");
        statement.array("arrayFilters");
        Collation.order(statement.document("collation").orElse(NONE));
        Hint.check(statement);
    }

    private Statement updateStatement(CommandRequest request, Arguments statement) {
        Value.Obj filter = statement.document("q").orElseThrow();
        boolean upsert = statement.flag("upsert", false);
        boolean isMany = statement.flag("multi", false);
        UpdateSpec spec =
                spec(
                        filter,
                        statement.find("u").orElseThrow(),
                        statement,
                        joined(request.arguments(), statement),
                        upsert);
        if (isMany && spec.isReplacement()) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "multi update is not supported for replacement-style update");
        }
        return new Statement(statement, upsert, isMany, spec);
    }

    private Updated update(
            CommandRequest request,
            Namespace namespace,
            Statements statements,
            Arguments given,
            int i) {
        Statement statement = updateStatement(request, given);
        if (statement.isMany() && statements.areNumbered()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "Cannot use (or request) retryable writes with multi=true");
        }
        UpdateSpec spec = statement.spec();
        boolean upsert = statement.upsert();
        Optional<ContainerRef.Resolved> found = container(request, namespace, upsert);
        var evaluation = MongoUpdate.evaluation(spec);
        if (found.isEmpty()) {
            return Updated.NOTHING;
        }
        WriteTargets.Search search =
                statement.search().hinted(Hint.of(statement.arguments(), found.get().container()));
        if (statement.isMany()) {
            ManyAnswer all =
                    many(request, found.get(), search, new ManyWrite.Change.Evaluate(evaluation));
            if (all.matched() > 0 || all.failure().isPresent() || !upsert) {
                return new Updated(all.matched(), all.modified(), Optional.empty(), all.failure());
            }
        }
        Optional<ItemAnswer> answer =
                one.update(
                        request,
                        found.get(),
                        search,
                        evaluation,
                        upsert,
                        Images.NONE,
                        statements.name(i));
        answer.flatMap(ItemAnswer::remembered).ifPresent(_ -> statements.retried(i));
        return answer.map(made -> updated(made, spec)).orElse(Updated.NOTHING);
    }

    private ManyAnswer many(
            CommandRequest request,
            ContainerRef.Resolved container,
            WriteTargets.Search search,
            ManyWrite.Change change) {
        Target target = search.target(container.container());
        ManyAnswer answer =
                items.changeMany(
                        request.context(),
                        container,
                        new ManyWrite(ReadCommands.scope(target), search.statement(clock), change));
        request.charge(answer.charge());
        return answer;
    }

    /** Returns the search of the one statement of an update. */
    Reading updateReading(CommandRequest request) {
        Statement statement =
                updateStatement(
                        request, WriteBatch.one(request, "updates", UpdateCommands::checkUpdate));
        MongoUpdate.evaluation(statement.spec());
        return reading(
                request,
                statement.search(),
                statement.arguments(),
                !statement.isMany(),
                statement.upsert());
    }

    /** Returns the search of a write; nothing is written. */
    private Reading reading(
            CommandRequest request,
            WriteTargets.Search search,
            Arguments hinted,
            boolean isOne,
            boolean upsert) {
        Namespace namespace = request.namespace();
        Optional<ContainerRef.Resolved> container = catalogue.find(request.context(), namespace);
        FindStatement all = search.statement(clock);
        if (!isOne) {
            return Reading.of(namespace, all, hinted, container);
        }
        container.ifPresent(found -> WriteTargets.target(found, search, upsert));
        FindStatement first = new FindStatement(all.options().within(0, 1));
        return Reading.of(namespace, first, hinted, container).orPoint(true);
    }

    private static Updated updated(ItemAnswer answer, UpdateSpec spec) {
        return switch (answer.outcome()) {
            case CREATED -> new Updated(1, 0, Optional.of(newId(answer, spec)));
            case UNCHANGED -> new Updated(1, 0, Optional.empty());
            case READ, REPLACED, DELETED -> new Updated(1, 1, Optional.empty());
        };
    }

    /** A document that was created before may have another generated {@code _id} than this time. */
    private static Value newId(ItemAnswer answer, UpdateSpec spec) {
        Value id = MongoUpdate.newDocument(spec).properties().getOrDefault("_id", Value.Null.NULL);
        return answer.remembered()
                .filter(first -> !first.equals(BsonKeys.rowKey(id)))
                .map(BsonKeys::id)
                .orElse(id);
    }

    private Optional<ContainerRef.Resolved> container(
            CommandRequest request, Namespace namespace, boolean upsert) {
        return upsert
                ? Optional.of(catalogue.findOrCreate(request, namespace))
                : catalogue.find(request.context(), namespace);
    }

    /** The variables of the command and the constants of a statement. */
    private Value.Obj joined(Arguments command, Arguments statement) {
        return LetVariables.evaluated(
                new Doc()
                        .putAll(command.document("let").orElse(NONE))
                        .putAll(statement.document("c").orElse(NONE))
                        .build(),
                MongoOrder.SIMPLE,
                clock.instant());
    }

    private Value.Obj let(Arguments command) {
        return LetVariables.evaluated(
                command.document("let").orElse(NONE), MongoOrder.SIMPLE, clock.instant());
    }

    private UpdateSpec spec(
            Value.Obj filter,
            Value change,
            Arguments statement,
            Value.Obj variables,
            boolean upsert) {
        List<Value.Obj> filters = new ArrayList<>();
        for (Value each : statement.array("arrayFilters").orElse(List.of())) {
            if (!(each instanceof Value.Obj condition)) {
                throw statement.mismatch("arrayFilters", each, "object");
            }
            filters.add(condition);
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        return new UpdateSpec(
                filter,
                change,
                filters,
                variables,
                statement.document("collation"),
                upsert ? Optional.of(ids.next()) : Optional.empty(),
                now,
                new BsonValue.Timestamp((int) now.getEpochSecond(), 1));
    }

    private static WriteTargets.Search search(UpdateSpec spec, Value.Obj sort) {
        return new WriteTargets.Search(
                spec.query(), sort, spec.let(), spec.collation().orElse(NONE), NONE);
    }

    // ---- delete

    private Bytes delete(CommandRequest request) {
        Namespace namespace = request.namespace();
        boolean ordered = request.arguments().flag("ordered", true);
        List<Arguments> deletes =
                WriteBatch.statements(request, "deletes", UpdateCommands::checkDelete);
        int count = deletes.size();
        Statements statements = Statements.of(request, count);
        WriteErrors errors = new WriteErrors(request, namespace, statements);
        long deleted = 0;
        for (int i = 0; i < count && (errors.isEmpty() || !ordered); i++) {
            try {
                Updated done = delete(request, namespace, statements, deletes.get(i), i);
                deleted += done.modified();
                if (done.failure().isPresent()) {
                    errors.add(i, done.failure().get(), Value.Null.NULL);
                }
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                errors.add(i, refused, Value.Null.NULL);
            }
        }
        return statements.addTo(errors.addTo(new Doc().putCount("n", deleted))).ok();
    }

    /** One statement of a delete. */
    private record Deletion(Arguments arguments, WriteTargets.Search search, boolean isOne) {}

    private static void checkDelete(Arguments statement) {
        statement.allowOnly(Set.of("q", "limit", "collation", "hint"));
        var _ = statement.document("q").orElseThrow(() -> statement.missing("q"));
        long limit = statement.whole("limit").orElseThrow(() -> statement.missing("limit"));
        if (limit != 0 && limit != 1) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "The limit field in delete objects must be 0 or 1. Got " + limit);
        }
        Collation.order(statement.document("collation").orElse(NONE));
        Hint.check(statement);
    }

    private Deletion deletion(CommandRequest request, Arguments statement) {
        return new Deletion(
                statement,
                new WriteTargets.Search(
                        statement.document("q").orElseThrow(),
                        NONE,
                        let(request.arguments()),
                        statement.document("collation").orElse(NONE),
                        NONE),
                statement.whole("limit").orElseThrow() == 1);
    }

    private Updated delete(
            CommandRequest request,
            Namespace namespace,
            Statements statements,
            Arguments given,
            int i) {
        Deletion deletion = deletion(request, given);
        if (!deletion.isOne() && statements.areNumbered()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "Cannot use (or request) retryable writes with limit=0");
        }
        // A filter that means nothing is refused where there is no collection, too.
        deletion.search().statement(clock);
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        if (found.isEmpty()) {
            return Updated.NOTHING;
        }
        WriteTargets.Search search =
                deletion.search().hinted(Hint.of(deletion.arguments(), found.get().container()));
        if (!deletion.isOne()) {
            ManyAnswer many = many(request, found.get(), search, new ManyWrite.Change.Delete());
            return new Updated(many.matched(), many.modified(), Optional.empty(), many.failure());
        }
        Optional<ItemAnswer> answer =
                one.delete(request, found.get(), search, false, statements.name(i));
        answer.flatMap(ItemAnswer::remembered).ifPresent(_ -> statements.retried(i));
        long deleted = answer.stream().count();
        return new Updated(deleted, deleted, Optional.empty());
    }

    /** Returns the search of the one statement of a delete. */
    Reading deleteReading(CommandRequest request) {
        Deletion deletion =
                deletion(request, WriteBatch.one(request, "deletes", UpdateCommands::checkDelete));
        return reading(request, deletion.search(), deletion.arguments(), deletion.isOne(), false);
    }

    // ---- findAndModify

    private Bytes findAndModify(CommandRequest request) {
        Namespace namespace = request.namespace();
        Arguments arguments = request.arguments();
        Value.Obj filter = arguments.document("query").orElse(NONE);
        Value.Obj sort = ReadCommands.sort(arguments.document("sort").orElse(NONE));
        FindStatement shown =
                new FindStatement(
                        FindOptions.of(NONE)
                                .withProjection(arguments.document("fields").orElse(NONE))
                                .at(clock.instant()));
        boolean isRemove = isRemove(arguments);
        try {
            return isRemove
                    ? findAndRemove(request, namespace, sort, shown)
                    : findAndUpdate(request, namespace, sort, shown);
        } catch (OrreryException refused) {
            request.charge(refused.charge());
            Value id = filter.properties().getOrDefault("_id", Value.Null.NULL);
            throw new WriteErrors.Refused(WriteErrors.failure(namespace, refused, id));
        }
    }

    private static boolean isRemove(Arguments arguments) {
        boolean isRemove = arguments.flag("remove", false);
        if (isRemove == arguments.find("update").isPresent()) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    isRemove
                            ? "Cannot specify both an update and remove=true"
                            : "Either an update or remove=true must be specified");
        }
        return isRemove;
    }

    /** Returns the search of a findAndModify. */
    Reading findAndModifyReading(CommandRequest request) {
        Arguments arguments = request.arguments();
        Value.Obj sort = ReadCommands.sort(arguments.document("sort").orElse(NONE));
        if (isRemove(arguments)) {
            return reading(request, removal(arguments, sort), arguments, true, false);
        }
        boolean upsert = arguments.flag("upsert", false);
        UpdateSpec spec = modification(arguments, upsert);
        MongoUpdate.evaluation(spec);
        return reading(request, search(spec, sort), arguments, true, upsert);
    }

    private WriteTargets.Search removal(Arguments arguments, Value.Obj sort) {
        if (arguments.flag("new", false) || arguments.flag("upsert", false)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Cannot specify both new=true or upsert=true and remove=true");
        }
        return new WriteTargets.Search(
                arguments.document("query").orElse(NONE),
                sort,
                let(arguments),
                arguments.document("collation").orElse(NONE),
                NONE);
    }

    private UpdateSpec modification(Arguments arguments, boolean upsert) {
        return spec(
                arguments.document("query").orElse(NONE),
                arguments.find("update").orElseThrow(),
                arguments,
                let(arguments),
                upsert);
    }

    private Bytes findAndRemove(
            CommandRequest request, Namespace namespace, Value.Obj sort, FindStatement shown) {
        Statements statements = Statements.of(request, 1);
        WriteTargets.Search search = removal(request.arguments(), sort);
        Optional<ItemAnswer> answer =
                catalogue
                        .find(request.context(), namespace)
                        .flatMap(
                                container ->
                                        one.delete(
                                                request,
                                                container,
                                                hinted(search, request, container),
                                                true,
                                                statements.name(0)));
        return modified(
                new Doc().put("n", answer.isPresent() ? 1 : 0),
                shown(answer.flatMap(ItemAnswer::before), shown),
                answer,
                statements);
    }

    private static WriteTargets.Search hinted(
            WriteTargets.Search search, CommandRequest request, ContainerRef.Resolved container) {
        return search.hinted(Hint.of(request.arguments(), container.container()));
    }

    private Bytes findAndUpdate(
            CommandRequest request, Namespace namespace, Value.Obj sort, FindStatement shown) {
        Arguments arguments = request.arguments();
        boolean upsert = arguments.flag("upsert", false);
        boolean isAfter = arguments.flag("new", false);
        Statements statements = Statements.of(request, 1);
        UpdateSpec spec = modification(arguments, upsert);
        var evaluation = MongoUpdate.evaluation(spec);
        Optional<ItemAnswer> answer =
                container(request, namespace, upsert)
                        .flatMap(
                                container ->
                                        one.update(
                                                request,
                                                container,
                                                hinted(search(spec, sort), request, container),
                                                evaluation,
                                                upsert,
                                                isAfter ? Images.AFTER : Images.BEFORE,
                                                statements.name(0)));
        boolean isNew =
                answer.filter(made -> made.outcome() == ItemAnswer.Outcome.CREATED).isPresent();
        Doc last =
                new Doc()
                        .put("n", answer.isPresent() ? 1 : 0)
                        .put("updatedExisting", answer.isPresent() && !isNew);
        if (isNew) {
            last.put("upserted", newId(answer.orElseThrow(), spec));
        }
        Optional<Item> image =
                isAfter ? answer.flatMap(ItemAnswer::item) : answer.flatMap(ItemAnswer::before);
        return modified(last, shown(image, shown), answer, statements);
    }

    private static Bytes modified(
            Doc last, Value value, Optional<ItemAnswer> answer, Statements statements) {
        answer.flatMap(ItemAnswer::remembered).ifPresent(_ -> statements.retried(0));
        return statements.addOneTo(new Doc().put("lastErrorObject", last).put("value", value)).ok();
    }

    private static Value shown(Optional<Item> image, FindStatement projection) {
        return image.filter(item -> !item.body().isEmpty())
                .flatMap(item -> projection.result(BodyFormat.of(Encoding.BSON).value(item.body())))
                .<Value>map(document -> document)
                .orElse(Value.Null.NULL);
    }
}
