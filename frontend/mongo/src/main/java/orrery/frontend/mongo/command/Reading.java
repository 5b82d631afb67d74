package orrery.frontend.mongo.command;

import java.util.Optional;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.model.Bytes;
import orrery.query.Statement;
import orrery.query.mongo.find.FindStatement;

/**
 * The read that a command makes before anything else happens.
 *
 * @param container absent for a collection that does not exist, which has no documents
 * @param target the part of the collection in which it reads
 * @param isPoint true if it looks up the one document of the target, and asks no index
 */
record Reading(
        Namespace namespace,
        FindStatement statement,
        Optional<ContainerRef.Resolved> container,
        Target target,
        boolean isPoint) {
    private static final Target ANYWHERE = new Target(Optional.empty(), Optional.empty());

    /** A read by a query. Where the collection exists, the hint must name an index of it. */
    static Reading of(
            Namespace namespace,
            FindStatement statement,
            Arguments hinted,
            Optional<ContainerRef.Resolved> container) {
        return container
                .map(
                        found ->
                                new Reading(
                                        namespace,
                                        Hint.applied(statement, hinted, found.container()),
                                        container,
                                        Target.of(
                                                statement.options().filter(),
                                                statement.order(),
                                                found.container()),
                                        false))
                .orElseGet(
                        () -> new Reading(namespace, statement, Optional.empty(), ANYWHERE, false));
    }

    /** The same, as a look-up if the target is one document. */
    Reading orPoint(boolean mayBePoint) {
        return new Reading(
                namespace,
                statement,
                container,
                target,
                mayBePoint && target.key().isPresent() && target.id().isPresent());
    }

    FeedScope scope() {
        return ReadCommands.scope(target);
    }

    /** The place before the first result of another statement over what this one reads. */
    Cursor cursor(Statement other, Optional<Bytes> session) {
        return new Cursor(namespace.toString(), other, scope(), Optional.empty(), session);
    }

    Cursor cursor(Optional<Bytes> session) {
        return cursor(statement, session);
    }
}
