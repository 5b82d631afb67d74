package orrery.frontend.mongo.command;

import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.Collation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;

/**
 * One statement that deletes documents, whichever command it came in.
 *
 * @param options the whole statement, for the options that have one name in all commands
 */
record DeleteStatement(Value.Obj filter, boolean isMany, Arguments options) {
    private static final String LIMIT = "limit";

    /** Reads a statement of {@code delete}. Throws if it lacks a field, or has a wrong one. */
    static DeleteStatement read(Arguments statement) {
        statement.allowOnly(Set.of("q", LIMIT, "collation", "hint"));
        Value.Obj filter = filter(statement, "q");
        long limit = statement.whole(LIMIT).orElseThrow(() -> statement.missing(LIMIT));
        if (limit != 0 && limit != 1) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "The limit field in delete objects must be 0 or 1. Got " + limit);
        }
        return checked(new DeleteStatement(filter, limit == 0, statement));
    }

    /** Reads an operation of {@code bulkWrite}. */
    static DeleteStatement readOperation(Arguments operation, Set<String> except) {
        operation.allowOnly(Set.of("filter", "multi", "collation", "hint"), except);
        return checked(
                new DeleteStatement(
                        filter(operation, "filter"), operation.flag("multi", false), operation));
    }

    private static Value.Obj filter(Arguments statement, String name) {
        return statement.document(name).orElseThrow(() -> statement.missing(name));
    }

    private static DeleteStatement checked(DeleteStatement statement) {
        Collation.order(statement.collation());
        Hint.check(statement.options());
        return statement;
    }

    Value.Obj collation() {
        return options.document("collation").orElse(FindOptions.NONE);
    }
}
