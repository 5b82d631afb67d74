package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.Collation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.update.UpdateSpec;

/**
 * One statement that updates documents, whichever command it came in.
 *
 * @param sort says which of several documents is the one that is updated
 * @param options the whole statement, for the options that have one name in all commands
 */
record UpdateStatement(
        Value.Obj filter,
        Value change,
        Value.Obj constants,
        boolean isMany,
        boolean upsert,
        Value.Obj sort,
        Arguments options) {
    private static final Set<String> OPTIONS =
            Set.of("upsert", "multi", "sort", "collation", "arrayFilters", "hint");

    /** The names that a command has for the parts of a statement. */
    record Names(String filter, String change, String constants) {
        static final Names UPDATE = new Names("q", "u", "c");
        static final Names BULK_WRITE = new Names("filter", "updateMods", "constants");
    }

    /**
     * Reads a statement. Throws if it lacks a field, or has one that it cannot have.
     *
     * @param except fields that the command has looked at
     */
    static UpdateStatement read(Arguments statement, Names names, Set<String> except) {
        Set<String> parts = new HashSet<>(except);
        parts.addAll(List.of(names.filter, names.change, names.constants));
        statement.allowOnly(OPTIONS, parts);
        Value.Obj filter =
                statement.document(names.filter).orElseThrow(() -> statement.missing(names.filter));
        Value change =
                statement.find(names.change).orElseThrow(() -> statement.missing(names.change));
        switch (change) {
            case Value.Obj _, Value.Array _ -> {}
            default ->
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            "Update argument must be either an object or an array");
        }
        boolean upsert = statement.flag("upsert", false);
        boolean isMany = statement.flag("multi", false);
        Value.Obj constants = statement.document(names.constants).orElse(FindOptions.NONE);
        statement.array("arrayFilters");
        Collation.order(collation(statement));
        Hint.check(statement);
        Value.Obj sort = ReadCommands.sort(statement.document("sort").orElse(FindOptions.NONE));
        if (isMany && !sort.properties().isEmpty()) {
            throw MongoCode.FAILED_TO_PARSE.failure("Cannot specify sort with multi=true");
        }
        return new UpdateStatement(filter, change, constants, isMany, upsert, sort, statement);
    }

    /** Throws if a whole document is to take the place of many, or has constants. */
    void requireMeaning(UpdateSpec spec) {
        boolean hasConstants =
                options.find(Names.UPDATE.constants).isPresent()
                        || options.find(Names.BULK_WRITE.constants).isPresent();
        if (hasConstants && !(change instanceof Value.Array)) {
            throw MongoCode.failure(
                    51198, "Constant values may only be specified for pipeline updates");
        }
        if (isMany && spec.isReplacement()) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "multi update is not supported for replacement-style update");
        }
    }

    private static Value.Obj collation(Arguments statement) {
        return statement.document("collation").orElse(FindOptions.NONE);
    }

    /** Returns the array filters of a statement or a command. */
    static List<Value.Obj> arrayFilters(Arguments statement) {
        List<Value.Obj> filters = new ArrayList<>();
        for (Value each : statement.array("arrayFilters").orElse(List.of())) {
            if (!(each instanceof Value.Obj condition)) {
                throw statement.mismatch("arrayFilters", each, "object");
            }
            filters.add(condition);
        }
        return filters;
    }

    /** The id of the documents that it is about, for what is told of a failure. */
    Value id() {
        return filter.properties().getOrDefault("_id", Value.Null.NULL);
    }
}
