package orrery.frontend.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.frontend.http.HttpReply;
import orrery.frontend.table.batch.BatchRequest;
import orrery.frontend.table.batch.BatchResponse;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.Items;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.metering.Charge;

/**
 * {@code $batch}: a group of changes to entities of one partition key, all of them or none. The
 * answer has a part for each, or one for the first that was refused.
 */
final class BatchRoutes {
    private static final int ACCEPTED = 202;

    private static final String ERROR_TYPE = "application/json;odata=minimalmetadata;charset=utf-8";

    /** The headers of a part, in the order of the service; all others are for the whole answer. */
    private static final List<String> PART_HEADERS =
            List.of("Preference-Applied", "Location", "DataServiceId", "ETag", "Content-Type");

    private final Items items;
    private final EntityRoutes entities;
    private final TableConfig config;

    BatchRoutes(Items items, EntityRoutes entities, TableConfig config) {
        this.items = items;
        this.entities = entities;
        this.config = config;
    }

    /** A refusal of one operation, which refuses all of them. */
    private static final class Refusal extends RuntimeException {
        final int index;
        final TableException reason;

        Refusal(int index, TableException reason) {
            super(reason.text(), null, false, false);
            this.index = index;
            this.reason = reason;
        }
    }

    HttpReply run(TableRequest request, RequestContext context) {
        if (!request.method().equals("POST")) {
            throw request.methodNotAllowed();
        }
        if (request.body().length() > BatchRequest.MAX_BODY_BYTES) {
            throw new TableException(TableErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        BatchRequest batch = BatchRequest.read(request.http());
        try {
            return carriedOut(request, context, batch);
        } catch (Refusal refused) {
            Optional<String> id = batch.parts().get(refused.index).contentId();
            return reply(
                    request,
                    new BatchResponse(
                            List.of(new BatchResponse.Part(error(request, refused), id)),
                            batch.isChangeSet()),
                    refused.reason.charge());
        }
    }

    private HttpReply carriedOut(TableRequest request, RequestContext context, BatchRequest batch) {
        if (batch.isTooLong()) {
            throw new Refusal(
                    0,
                    new TableException(
                            TableErrorCode.INVALID_INPUT,
                            "The batch request operation exceeds the maximum "
                                    + BatchRequest.MAX_PARTS
                                    + " changes per change set."));
        }
        BatchRequest.Part first = batch.parts().getFirst();
        return batch.parts().size() == 1 && first.request().method().equals("GET")
                ? query(request, context, batch, first)
                : change(request, context, batch);
    }

    /** A query is answered as if it had come alone. */
    private HttpReply query(
            TableRequest request,
            RequestContext context,
            BatchRequest batch,
            BatchRequest.Part part) {
        HttpReply found;
        try {
            TableRequest asked = TableRequest.parse(request.id(), part.request());
            found =
                    switch (asked.path().target()) {
                        case TablePath.Entity entity -> entities.entity(asked, context, entity);
                        case TablePath.Entities(String table) ->
                                entities.feed(asked, context, table);
                        default -> throw notForBatches(asked);
                    };
        } catch (TableException refused) {
            throw new Refusal(0, refused);
        } catch (OrreryException failure) {
            throw refusal(0, failure);
        }
        return reply(
                request,
                new BatchResponse(
                        List.of(new BatchResponse.Part(part(found), part.contentId())),
                        batch.isChangeSet()),
                Charge.NONE);
    }

    /**
     * Failures that are about the request as a whole, such as throttling, are those of the whole
     * answer: clients come again by themselves. Those of an operation are not for coming again.
     */
    private static Refusal refusal(int index, OrreryException failure) {
        return switch (failure.code()) {
            case NOT_FOUND, OWNER_NOT_FOUND ->
                    new Refusal(index, TableErrors.of(failure, TableErrors.Subject.ENTITY));
            default -> throw failure;
        };
    }

    private HttpReply change(TableRequest request, RequestContext context, BatchRequest batch) {
        List<TableRequest> requests = new ArrayList<>();
        List<EntityOperation> operations = new ArrayList<>();
        List<BatchOperation> writes = new ArrayList<>();
        Set<String> rows = new HashSet<>();
        for (BatchRequest.Part part : batch.parts()) {
            int index = operations.size();
            try {
                TableRequest one = TableRequest.parse(request.id(), part.request());
                EntityOperation operation = operation(one);
                checkGroup(requests, operations, one, operation);
                if (!rows.add(operation.rowKey())) {
                    throw new TableException(
                            TableErrorCode.INVALID_DUPLICATE_ROW,
                            "A command with RowKey '"
                                    + operation.rowKey()
                                    + "' is already present in the batch. An entity can appear"
                                    + " only once in a batch.");
                }
                // An entity that is too large is refused here.
                writes.add(new BatchOperation.Write(operation.write()));
                requests.add(one);
                operations.add(operation);
            } catch (TableException refused) {
                throw new Refusal(index, refused);
            } catch (OrreryException malformed) {
                throw new Refusal(index, TableErrors.of(malformed, TableErrors.Subject.ENTITY));
            }
        }
        ItemBatch group = new ItemBatch.Atomic(operations.getFirst().key(), writes);
        BatchAnswer answer = answer(context, requests.getFirst(), group);
        List<BatchResponse.Part> parts = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Result.Done done = (Result.Done) answer.results().get(i);
            HttpReply reply =
                    EntityReply.written(
                            requests.get(i),
                            requests.get(i).account(config),
                            operations.get(i),
                            done.item().map(Item::etag),
                            done.charge());
            parts.add(new BatchResponse.Part(part(reply), batch.parts().get(i).contentId()));
        }
        return reply(request, new BatchResponse(parts, batch.isChangeSet()), answer.charge());
    }

    private static EntityOperation operation(TableRequest request) {
        switch (request.path().target()) {
            case TablePath.Entity _, TablePath.Entities _ -> {}
            default -> throw notForBatches(request);
        }
        if (request.method().equals("GET")) {
            throw TableException.of(
                    TableErrorCode.INVALID_INPUT,
                    "A query must be the only operation of its batch.");
        }
        EntityOperation operation = EntityOperations.of(request);
        if (operation instanceof EntityOperation.Delete && !request.body().toUtf8().isBlank()) {
            // Another operation, whose delimiter was damaged, would be left out.
            throw TableException.of(TableErrorCode.INVALID_INPUT, "A delete has no body.");
        }
        if (operation instanceof EntityOperation.Insert
                && Preference.of(request) == Preference.CONTENT) {
            // Refused now: later the entity would be there.
            request.level();
        }
        return operation;
    }

    private static TableException notForBatches(TableRequest request) {
        return TableException.of(
                TableErrorCode.INVALID_INPUT,
                "A batch has operations on entities only, and not "
                        + request.method()
                        + " "
                        + request.path().sent()
                        + ".");
    }

    private static void checkGroup(
            List<TableRequest> requests,
            List<EntityOperation> operations,
            TableRequest request,
            EntityOperation operation) {
        if (operations.isEmpty()) {
            return;
        }
        if (!requests.getFirst().path().table().equals(request.path().table())) {
            throw TableException.of(
                    TableErrorCode.INVALID_INPUT, "All operations of a batch are on one table.");
        }
        if (!operations.getFirst().partitionKey().equals(operation.partitionKey())) {
            throw new TableException(TableErrorCode.DIFFERENT_PARTITIONS);
        }
    }

    private BatchAnswer answer(RequestContext context, TableRequest first, ItemBatch group) {
        ContainerRef.Resolved table;
        try {
            table = entities.resolve(context, first.path().table().orElseThrow());
        } catch (TableException missing) {
            throw new Refusal(0, missing);
        } catch (OrreryException failure) {
            throw refusal(0, failure);
        }
        BatchAnswer answer = items.batch(context, table, group);
        for (int i = 0; i < answer.results().size(); i++) {
            if (answer.results().get(i) instanceof Result.Refused(OrreryException failure)
                    && failure.code() != ErrorCode.FAILED_DEPENDENCY) {
                throw new Refusal(
                        i,
                        TableErrors.of(
                                failure.withCharge(answer.charge()), TableErrors.Subject.ENTITY));
            }
        }
        return answer;
    }

    private static HttpReply reply(TableRequest request, BatchResponse response, Charge charge) {
        return new TableReply(request, ACCEPTED)
                .charge(charge)
                .body(BatchResponse.contentType(request.id()), response.body(request.id()))
                .build();
    }

    private static HttpReply.Builder partOf(int status) {
        return HttpReply.status(status)
                .header("X-Content-Type-Options", "nosniff")
                .header("Cache-Control", "no-cache")
                .header("DataServiceVersion", "3.0;");
    }

    private static HttpReply part(HttpReply reply) {
        HttpReply.Builder part = partOf(reply.status());
        for (String name : PART_HEADERS) {
            reply.headers().find(name).ifPresent(value -> part.header(name, value));
        }
        if (reply.status() != 200) {
            // Clients find the row of an insert here, whether or not they asked for its body.
            reply.headers()
                    .find("Location")
                    .filter(_ -> !reply.headers().contains("DataServiceId"))
                    .ifPresent(link -> part.header("DataServiceId", link));
        }
        return part.body(reply.body()).build();
    }

    /** Clients read from the beginning of the text which operation it was. */
    private HttpReply error(TableRequest request, Refusal refused) {
        TableErrorCode code = refused.reason.code();
        String text =
                TableErrors.message(
                        refused.index + ":" + refused.reason.text(),
                        request.id(),
                        config.clock().instant());
        return partOf(code.status())
                .header("Content-Type", ERROR_TYPE)
                .body(TableErrors.json(code.text(), text))
                .build();
    }
}
