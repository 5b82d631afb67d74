package orrery.frontend.table;

import java.util.Locale;
import java.util.Optional;
import orrery.frontend.http.Headers;
import orrery.model.FileTime;
import orrery.model.Precondition;

/** Reads requests that change an entity: whole ones, and parts of batches. */
final class EntityOperations {
    private static final String IF_MATCH = "If-Match";
    private static final String IF_NONE_MATCH = "If-None-Match";

    private EntityOperations() {}

    /**
     * Returns the change that a request asks for. Throws a refusal for what no such request is, and
     * for what the rules of entities forbid.
     */
    static EntityOperation of(TableRequest request) {
        request.allowOptions("$format");
        if (request.http().headers().contains(IF_NONE_MATCH)) {
            // Without it the request could overwrite what it is meant to spare.
            throw TableException.of(
                    TableErrorCode.UNSUPPORTED_HEADER,
                    "It is " + IF_NONE_MATCH + "; an insert spares what is there.");
        }
        return switch (request.path().target()) {
            case TablePath.Entities _ when request.method().equals("POST") -> {
                checkContentType(request);
                yield new EntityOperation.Insert(EntityInput.insert(request.body()));
            }
            case TablePath.Entity entity -> ofEntity(request, entity);
            default -> throw request.methodNotAllowed();
        };
    }

    private static EntityOperation ofEntity(TableRequest request, TablePath.Entity target) {
        return switch (request.method()) {
            case "PUT" -> {
                Entity entity = entity(request, target);
                yield precondition(request)
                        .<EntityOperation>map(
                                condition -> new EntityOperation.Replace(entity, condition))
                        .orElseGet(() -> new EntityOperation.InsertOrReplace(entity));
            }
            case "PATCH", "MERGE" -> {
                Entity entity = entity(request, target);
                yield precondition(request)
                        .<EntityOperation>map(
                                condition -> new EntityOperation.Merge(entity, condition))
                        .orElseGet(() -> new EntityOperation.InsertOrMerge(entity));
            }
            case "DELETE" -> delete(request, target);
            default -> throw request.methodNotAllowed();
        };
    }

    private static Entity entity(TableRequest request, TablePath.Entity target) {
        checkContentType(request);
        return EntityInput.update(request.body(), target.partitionKey(), target.rowKey());
    }

    /** A delete has to name a version, or say that any will do. */
    private static EntityOperation delete(TableRequest request, TablePath.Entity target) {
        EntityRules.checkKeys(target.partitionKey(), target.rowKey());
        Precondition condition =
                precondition(request)
                        .orElseThrow(
                                () ->
                                        TableException.of(
                                                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                                                "A delete needs If-Match: an etag, or * for any"
                                                        + " version."));
        return new EntityOperation.Delete(target.partitionKey(), target.rowKey(), condition);
    }

    /** Empty where the request does not ask for a version. */
    private static Optional<Precondition> precondition(TableRequest request) {
        Headers headers = request.http().headers();
        if (!headers.contains(IF_MATCH)) {
            return Optional.empty();
        }
        String text =
                headers.find(IF_MATCH)
                        .orElseThrow(
                                () ->
                                        TableException.of(
                                                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                                                "The header If-Match is empty."));
        if (text.equals("*")) {
            return Optional.of(new Precondition.Exists());
        }
        if (!TableTime.isEtag(text)) {
            throw TableException.of(
                    TableErrorCode.INVALID_INPUT,
                    "The etag specified in If-Match is not valid: one begins with W/\" and ends"
                            + " with a quote.");
        }
        return Optional.of(
                TableTime.ofEtag(text)
                        .map(FileTime::toEtag)
                        .<Precondition>map(Precondition.Matches::new)
                        .orElseGet(Precondition.Impossible::new));
    }

    static void checkContentType(TableRequest request) {
        String type = request.header("Content-Type").orElse("").toLowerCase(Locale.ROOT).strip();
        if (type.contains("atom")) {
            throw new TableException(
                    TableErrorCode.ATOM_NOT_SUPPORTED,
                    "Atom format is not supported. Send application/json.");
        }
        boolean isJson = type.split(";", 2)[0].strip().equals("application/json");
        // The verbose form of JSON has another shape, and none of it would be found.
        if (!type.isEmpty() && (!isJson || type.contains("odata=verbose"))) {
            throw TableException.of(
                    TableErrorCode.MEDIA_TYPE_NOT_SUPPORTED, "Send application/json.");
        }
    }
}
