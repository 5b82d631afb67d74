package orrery.frontend.mongo.command;

import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** {@code renameCollection}: gives a collection another name in its database, and moves nothing. */
final class RenameCommand {
    private final Catalogue catalogue;

    RenameCommand(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    void addTo(CommandTable table) {
        table.manage("renameCollection", Set.of("to", "dropTarget"), this::rename);
    }

    private Bytes rename(CommandRequest request) {
        RunningOperations.requireAdmin(request, "renameCollection");
        if (!(request.first() instanceof Value.Text(String from))) {
            throw request.arguments().mismatch("renameCollection", request.first(), "string");
        }
        Namespace source = Namespace.parse(from);
        Namespace target = Namespace.parse(request.arguments().requiredText("to"));
        boolean dropTarget = request.arguments().flag("dropTarget", false);
        if (source.equals(target)) {
            throw MongoCode.ILLEGAL_OPERATION.failure("Can't rename a collection to itself");
        }
        if (!source.database().equals(target.database())) {
            throw MongoCode.COMMAND_NOT_SUPPORTED.failure(
                    "a collection cannot be renamed into another database: "
                            + source
                            + " to "
                            + target);
        }
        ContainerRef.Resolved collection =
                catalogue
                        .find(request.context(), source)
                        .orElseThrow(
                                () ->
                                        MongoCode.NAMESPACE_NOT_FOUND.failure(
                                                "Source collection " + source + " does not exist"));
        Optional<ContainerRef.Resolved> replaced = catalogue.find(request.context(), target);
        if (replaced.isPresent() && !dropTarget) {
            throw MongoCode.NAMESPACE_EXISTS.failure("target namespace exists");
        }
        try {
            catalogue.takeName(request.context(), collection, target.collection(), replaced);
        } catch (OrreryException overtaken) {
            throw overtaken.code() == ErrorCode.PRECONDITION_FAILED
                    ? MongoCode.OPERATION_FAILED.failure(
                            "the collection "
                                    + target
                                    + " was changed, dropped or created while "
                                    + source
                                    + " was renamed")
                    : overtaken;
        }
        return new Doc().ok();
    }
}
