package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/** {@code explain}: tells how another command would find its documents. */
final class ExplainCommand {
    private static final List<String> VERBOSITIES =
            List.of("queryPlanner", "executionStats", "allPlansExecution");

    private final CommandTable table;
    private final Explanations explanations;
    private final Map<String, Function<CommandRequest, Reading>> readings;

    ExplainCommand(
            CommandTable table,
            Explanations explanations,
            ReadCommands reads,
            AggregateCommand pipelines,
            UpdateCommands writes,
            FindAndModifyCommand modify) {
        this.table = table;
        this.explanations = explanations;
        this.readings =
                Map.of(
                        "find", reads::findReading,
                        "count", reads::countReading,
                        "distinct", reads::distinctReading,
                        "aggregate", pipelines::reading,
                        "update", writes::updateReading,
                        "delete", writes::deleteReading,
                        "findAndModify", modify::reading);
    }

    void addTo() {
        table.read("explain", Set.of("verbosity"), this::explain);
    }

    private Bytes explain(CommandRequest request) {
        String verbosity = request.arguments().text("verbosity").orElse("allPlansExecution");
        if (!VERBOSITIES.contains(verbosity)) {
            throw MongoCode.BAD_VALUE.failure(
                    "Enumeration value '"
                            + verbosity
                            + "' for field 'explain.verbosity' is not a valid value.");
        }
        CommandRequest explained = explained(request);
        try {
            Reading reading =
                    Optional.ofNullable(readings.get(explained.name()))
                            .orElseThrow(
                                    () ->
                                            MongoCode.ILLEGAL_OPERATION.failure(
                                                    "Cannot explain cmd: " + explained.name()))
                            .apply(explained);
            return explanations.explain(
                    explained,
                    reading,
                    switch (verbosity) {
                        case "queryPlanner" -> Explanations.Verbosity.PLAN;
                        case "executionStats" -> Explanations.Verbosity.RUN;
                        default -> Explanations.Verbosity.ALL;
                    });
        } finally {
            request.charge(explained.charge());
        }
    }

    /** The command inside, as if its client had sent it. */
    private CommandRequest explained(CommandRequest request) {
        if (!(request.first() instanceof Value.Obj inner) || inner.properties().isEmpty()) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "BSON field 'explain.explain' is not a command to explain");
        }
        String spelling = inner.properties().keySet().iterator().next();
        Command command =
                table.find(spelling)
                        .orElseThrow(
                                () ->
                                        MongoCode.COMMAND_NOT_FOUND.failure(
                                                "Explain failed due to unknown command: "
                                                        + spelling));
        if (command.access().mayWrite() && request.client().isReader()) {
            throw MongoCode.UNAUTHORIZED.failure(
                    "not authorized on "
                            + request.database()
                            + " to explain command "
                            + command.name());
        }
        Arguments arguments = new Arguments(command.name(), inner);
        arguments.allow(spelling, command.fields());
        if (TransactionFields.of(arguments, command.name(), request.database()).isPresent()) {
            throw MongoCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION.failure(
                    "Cannot run 'explain' in a multi-document transaction.");
        }
        CommonFields.check(arguments, false);
        arguments
                .text("$db")
                .filter(database -> !database.equals(request.database()))
                .ifPresent(
                        database -> {
                            throw MongoCode.INVALID_NAMESPACE.failure(
                                    "Mismatched $db in explain command. Expected "
                                            + request.database()
                                            + " but got "
                                            + database);
                        });
        return request.inner(command.name(), arguments);
    }
}
