package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import orrery.document.BodyFormat;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.update.MongoUpdate;
import orrery.query.mongo.update.UpdateSpec;
import orrery.query.write.Images;

/** {@code findAndModify}. */
final class FindAndModifyCommand {
    private static final Value.Obj NONE = FindOptions.NONE;

    private final FilteredWrites writes;
    private final Catalogue catalogue;
    private final InstantSource clock;

    FindAndModifyCommand(FilteredWrites writes, Catalogue catalogue, InstantSource clock) {
        this.writes = writes;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    void addTo(CommandTable table) {
        table.write(
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

    private Bytes findAndModify(CommandRequest request) {
        Namespace namespace = request.namespace();
        Arguments arguments = request.arguments();
        Value.Obj filter = arguments.document("query").orElse(NONE);
        Value.Obj sort = ReadCommands.sort(arguments.document("sort").orElse(NONE));
        // The projection may ask for the element of an array that the query has found.
        FindStatement shown =
                new FindStatement(
                        FindOptions.of(filter)
                                .withLet(writes.let(arguments, NONE))
                                .withCollation(arguments.document("collation").orElse(NONE))
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
            throw new WriteErrors.Refused(
                    WriteErrors.failure(
                            namespace, () -> catalogue.present(request, namespace), refused, id));
        }
    }

    private static boolean isRemove(Arguments arguments) {
        boolean isRemove = arguments.flag("remove", false);
        if (!isRemove) {
            if (arguments.find("update").isEmpty()) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        "Either an update or remove=true must be specified");
            }
            return false;
        }
        if (arguments.find("update").isPresent()) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Cannot specify both an update and remove=true");
        }
        if (arguments.flag("upsert", false)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Cannot specify both upsert=true and remove=true");
        }
        if (arguments.find("arrayFilters").isPresent()) {
            throw MongoCode.FAILED_TO_PARSE.failure("Cannot specify arrayFilters and remove=true");
        }
        if (arguments.flag("new", false)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Cannot specify both new=true and remove=true; 'remove' always returns the deleted"
                            + " document");
        }
        return true;
    }

    /** Returns the search of a findAndModify. */
    Reading reading(CommandRequest request) {
        Arguments arguments = request.arguments();
        Value.Obj sort = ReadCommands.sort(arguments.document("sort").orElse(NONE));
        if (isRemove(arguments)) {
            return writes.reading(request, removal(arguments, sort), arguments, true, false);
        }
        boolean upsert = arguments.flag("upsert", false);
        UpdateSpec spec = modification(arguments, upsert);
        MongoUpdate.evaluation(spec);
        return writes.reading(request, FilteredWrites.search(spec, sort), arguments, true, upsert);
    }

    private WriteTargets.Search removal(Arguments arguments, Value.Obj sort) {
        return new WriteTargets.Search(
                arguments.document("query").orElse(NONE),
                sort,
                writes.let(arguments, NONE),
                arguments.document("collation").orElse(NONE),
                NONE);
    }

    private UpdateSpec modification(Arguments arguments, boolean upsert) {
        return writes.spec(
                arguments.document("query").orElse(NONE),
                arguments.find("update").orElseThrow(),
                arguments,
                writes.let(arguments, NONE),
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
                                        writes.one()
                                                .delete(
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
                writes.container(request, namespace, upsert)
                        .flatMap(
                                container ->
                                        writes.one()
                                                .update(
                                                        request,
                                                        container,
                                                        hinted(
                                                                FilteredWrites.search(spec, sort),
                                                                request,
                                                                container),
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
            last.put("upserted", FilteredWrites.newId(answer.orElseThrow(), spec));
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
                .map(item -> BodyFormat.of(Encoding.BSON).value(item.body()))
                .<Value>map(projection::projected)
                .orElse(Value.Null.NULL);
    }
}
