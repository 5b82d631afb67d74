package orrery.frontend.mongo.command;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import orrery.document.BsonKeys;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.Items;
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.LetVariables;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.update.MongoUpdate;
import orrery.query.mongo.update.UpdateSpec;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * Carries out statements that change or delete what a filter finds, whichever command they came in.
 */
final class FilteredWrites {
    private static final Value.Obj NONE = FindOptions.NONE;

    private final Items items;
    private final Catalogue catalogue;
    private final WriteTargets one;
    private final ObjectIds ids;
    private final InstantSource clock;

    FilteredWrites(
            Items items, Catalogue catalogue, Batches batches, ObjectIds ids, InstantSource clock) {
        this.items = items;
        this.catalogue = catalogue;
        this.one = new WriteTargets(items, batches, clock);
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * The result of one statement; a document that was created counts as found.
     *
     * @param failure ended the statement when some documents had been written
     */
    record Done(
            long matched,
            long modified,
            Optional<Value> upserted,
            Optional<OrreryException> failure) {
        static final Done NOTHING = new Done(0, 0, Optional.empty());

        Done(long matched, long modified, Optional<Value> upserted) {
            this(matched, modified, upserted, Optional.empty());
        }
    }

    StatementFailures failures(CommandRequest request, Statements statements) {
        return StatementFailures.of(request, statements, catalogue);
    }

    // ---- update

    /**
     * Carries out an update.
     *
     * @param statements those of the command
     * @param i the position of this one in the command
     */
    Done update(
            CommandRequest request,
            Namespace namespace,
            Statements statements,
            UpdateStatement statement,
            int i) {
        UpdateSpec spec = spec(request, statement);
        boolean upsert = statement.upsert();
        Evaluation evaluation = MongoUpdate.evaluation(spec);
        Optional<ContainerRef.Resolved> found = container(request, namespace, upsert);
        if (found.isEmpty()) {
            return Done.NOTHING;
        }
        WriteTargets.Search search =
                search(spec, statement.sort())
                        .hinted(Hint.of(statement.options(), found.get().container()));
        if (statement.isMany()) {
            ManyAnswer all =
                    many(request, found.get(), search, new ManyWrite.Change.Evaluate(evaluation));
            if (all.matched() > 0 || all.failure().isPresent() || !upsert) {
                return new Done(all.matched(), all.modified(), Optional.empty(), all.failure());
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
        return answer.map(made -> done(made, spec)).orElse(Done.NOTHING);
    }

    private UpdateSpec spec(CommandRequest request, UpdateStatement statement) {
        UpdateSpec spec =
                spec(
                        statement.filter(),
                        statement.change(),
                        statement.options(),
                        let(request.arguments(), statement.constants()),
                        statement.upsert());
        statement.requireMeaning(spec);
        return spec;
    }

    private static Done done(ItemAnswer answer, UpdateSpec spec) {
        return switch (answer.outcome()) {
            case CREATED -> new Done(1, 0, Optional.of(newId(answer, spec)));
            case UNCHANGED -> new Done(1, 0, Optional.empty());
            case READ, REPLACED, DELETED -> new Done(1, 1, Optional.empty());
        };
    }

    /** A document that was created before may have another generated {@code _id} than this time. */
    static Value newId(ItemAnswer answer, UpdateSpec spec) {
        Value id = MongoUpdate.newDocument(spec).properties().getOrDefault("_id", Value.Null.NULL);
        return answer.remembered()
                .filter(first -> !first.equals(BsonKeys.rowKey(id)))
                .map(BsonKeys::id)
                .orElse(id);
    }

    /** Returns the search of an update; nothing is written. */
    Reading reading(CommandRequest request, UpdateStatement statement) {
        UpdateSpec spec = spec(request, statement);
        MongoUpdate.evaluation(spec);
        return reading(
                request,
                search(spec, statement.sort()),
                statement.options(),
                !statement.isMany(),
                statement.upsert());
    }

    // ---- delete

    /** Carries out a delete; the parameters are those of an update. */
    Done delete(
            CommandRequest request,
            Namespace namespace,
            Statements statements,
            DeleteStatement statement,
            int i) {
        WriteTargets.Search plain = search(request, statement);
        // A filter that means nothing is refused where there is no collection, too.
        plain.statement(clock);
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        if (found.isEmpty()) {
            return Done.NOTHING;
        }
        WriteTargets.Search search =
                plain.hinted(Hint.of(statement.options(), found.get().container()));
        if (statement.isMany()) {
            ManyAnswer all = many(request, found.get(), search, new ManyWrite.Change.Delete());
            return new Done(all.matched(), all.modified(), Optional.empty(), all.failure());
        }
        Optional<ItemAnswer> answer =
                one.delete(request, found.get(), search, false, statements.name(i));
        answer.flatMap(ItemAnswer::remembered).ifPresent(_ -> statements.retried(i));
        long deleted = answer.stream().count();
        return new Done(deleted, deleted, Optional.empty());
    }

    private WriteTargets.Search search(CommandRequest request, DeleteStatement statement) {
        return new WriteTargets.Search(
                statement.filter(),
                NONE,
                let(request.arguments(), NONE),
                statement.collation(),
                NONE);
    }

    /** Returns the search of a delete; nothing is written. */
    Reading reading(CommandRequest request, DeleteStatement statement) {
        return reading(
                request,
                search(request, statement),
                statement.options(),
                !statement.isMany(),
                false);
    }

    // ---- both

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
        one.searched(container, answer);
        return answer;
    }

    /** Returns the search of a write; nothing is written. */
    Reading reading(
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

    /** Returns the place of writes to one document. */
    WriteTargets one() {
        return one;
    }

    /** Returns the collection of a write, which an upsert makes where there is none. */
    Optional<ContainerRef.Resolved> container(
            CommandRequest request, Namespace namespace, boolean upsert) {
        return upsert
                ? Optional.of(catalogue.findOrCreate(request, namespace))
                : catalogue.find(request.context(), namespace);
    }

    /** Returns the variables of a command and the constants of a statement, with their values. */
    Value.Obj let(Arguments command, Value.Obj constants) {
        return LetVariables.evaluated(
                new Doc().putAll(command.document("let").orElse(NONE)).putAll(constants).build(),
                MongoOrder.SIMPLE,
                clock.instant());
    }

    /** Returns what an update does, as partitions are told. */
    UpdateSpec spec(
            Value.Obj filter,
            Value change,
            Arguments statement,
            Value.Obj variables,
            boolean upsert) {
        List<Value.Obj> filters = UpdateStatement.arrayFilters(statement);
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

    static WriteTargets.Search search(UpdateSpec spec, Value.Obj sort) {
        return new WriteTargets.Search(
                spec.query(), sort, spec.let(), spec.collation().orElse(NONE), NONE);
    }
}
