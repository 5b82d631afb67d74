package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** {@code update} and {@code delete}. */
final class UpdateCommands {
    private final FilteredWrites writes;

    UpdateCommands(FilteredWrites writes) {
        this.writes = writes;
    }

    void addTo(CommandTable table) {
        table.write(
                        "update",
                        Set.of("updates", "ordered", "let", "bypassDocumentValidation"),
                        this::update)
                .write("delete", Set.of("deletes", "ordered", "let"), this::delete);
    }

    // ---- update

    private Bytes update(CommandRequest request) {
        Namespace namespace = request.namespace();
        boolean ordered = request.arguments().flag("ordered", true);
        List<UpdateStatement> updates =
                WriteBatch.statements(request, "updates", UpdateCommands::readUpdate);
        Statements statements = Statements.of(request, updates.size());
        WriteErrors errors =
                new WriteErrors(writes.failures(request, statements), namespace, ordered);
        List<Value> upserted = new ArrayList<>();
        long matched = 0;
        long modified = 0;
        for (int i = 0; i < updates.size() && !errors.isOver(); i++) {
            UpdateStatement statement = updates.get(i);
            try {
                requireOne(statements, statement.isMany(), "multi=true");
                FilteredWrites.Done done =
                        writes.update(request, namespace, statements, statement, i);
                matched += done.matched();
                modified += done.modified();
                if (done.upserted().isPresent()) {
                    upserted.add(
                            new Doc().put("index", i).put("_id", done.upserted().get()).build());
                }
                if (done.failure().isPresent()) {
                    errors.failed(i, done.failure().get(), Value.Null.NULL);
                }
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                errors.failed(i, refused, statement.id());
            }
        }
        Doc reply = new Doc().putCount("n", matched).putCount("nModified", modified);
        if (!upserted.isEmpty()) {
            reply.put("upserted", upserted);
        }
        return statements.addTo(errors.addTo(reply)).ok();
    }

    private static UpdateStatement readUpdate(Arguments statement) {
        return UpdateStatement.read(statement, UpdateStatement.Names.UPDATE, Set.of());
    }

    /** A write to many documents has no number, because it could not be told what was made. */
    private static void requireOne(Statements statements, boolean isMany, String option) {
        if (isMany && statements.areNumbered()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "Cannot use (or request) retryable writes with " + option);
        }
    }

    /** Returns the search of the one statement of an update. */
    Reading updateReading(CommandRequest request) {
        return writes.reading(
                request, WriteBatch.one(request, "updates", UpdateCommands::readUpdate));
    }

    // ---- delete

    private Bytes delete(CommandRequest request) {
        Namespace namespace = request.namespace();
        boolean ordered = request.arguments().flag("ordered", true);
        List<DeleteStatement> deletes =
                WriteBatch.statements(request, "deletes", DeleteStatement::read);
        Statements statements = Statements.of(request, deletes.size());
        WriteErrors errors =
                new WriteErrors(writes.failures(request, statements), namespace, ordered);
        long deleted = 0;
        for (int i = 0; i < deletes.size() && !errors.isOver(); i++) {
            try {
                requireOne(statements, deletes.get(i).isMany(), "limit=0");
                FilteredWrites.Done done =
                        writes.delete(request, namespace, statements, deletes.get(i), i);
                deleted += done.modified();
                if (done.failure().isPresent()) {
                    errors.failed(i, done.failure().get(), Value.Null.NULL);
                }
            } catch (OrreryException refused) {
                request.charge(refused.charge());
                errors.failed(i, refused, Value.Null.NULL);
            }
        }
        return statements.addTo(errors.addTo(new Doc().putCount("n", deleted))).ok();
    }

    /** Returns the search of the one statement of a delete. */
    Reading deleteReading(CommandRequest request) {
        return writes.reading(request, WriteBatch.one(request, "deletes", DeleteStatement::read));
    }
}
