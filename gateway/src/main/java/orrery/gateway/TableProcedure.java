package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RowKey;
import orrery.model.SessionToken;
import orrery.model.resource.Container;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;

/**
 * The stored procedure that every table has though nobody created it. The old .NET SDK for tables
 * speaks SQL, and calls this procedure to merge entities and to change several at once. It runs no
 * script: its operations are one batch.
 */
final class TableProcedure {
    private static final String NAME = "__.sys.tablesBatchOperation";
    private static final int ARGUMENTS = 3;
    private static final String ID = "id";

    private final BatchRouter batches;

    TableProcedure(BatchRouter batches) {
        this.batches = batches;
    }

    static boolean isMeant(Container container, ResourceRef procedure) {
        return container.definition().kind() == ContainerKind.TABLE
                && procedure.equals(new ResourceRef.Named(NAME));
    }

    /**
     * @param arguments an array of three: documents, the numbers of what to do with them, and the
     *     etags they must have
     */
    ProcedureAnswer execute(
            RequestContext context, Container container, PartitionKey key, Bytes arguments) {
        BatchAnswer answer =
                batches.run(
                        context, container, new ItemBatch.Atomic(key, operations(key, arguments)));
        for (int i = 0; i < answer.results().size(); i++) {
            if (answer.results().get(i) instanceof Result.Refused(OrreryException failure)
                    && failure.code() != ErrorCode.FAILED_DEPENDENCY) {
                throw failed(i, failure).withProgress(answer.charge(), answer.sessionToken());
            }
        }
        SessionToken token = answer.sessionToken();
        int range = token.lsnByRange().firstKey();
        return new ProcedureAnswer(
                Optional.of(body(answer)),
                "",
                answer.container(),
                range,
                token.lsn(range).orElseThrow(),
                answer.charge());
    }

    private static List<BatchOperation> operations(PartitionKey key, Bytes arguments) {
        List<Value> all = array(arguments.isEmpty() ? Value.of("") : JsonText.parse(arguments));
        if (all.size() != ARGUMENTS) {
            throw malformed();
        }
        List<Value> documents = array(all.get(0));
        List<Value> types = array(all.get(1));
        List<Value> etags = array(all.get(2));
        if (types.size() != documents.size() || etags.size() != documents.size()) {
            throw malformed();
        }
        List<BatchOperation> operations = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            operations.add(operation(key, documents.get(i), types.get(i), etags.get(i)));
        }
        return operations;
    }

    private static List<Value> array(Value value) {
        if (value instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw malformed();
    }

    private static OrreryException malformed() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                NAME
                        + " takes three arrays of one length: documents, the numbers of the"
                        + " operations, and etags.");
    }

    /** The numbers are those of the SDK's operation types. */
    private static BatchOperation operation(
            PartitionKey key, Value document, Value type, Value etag) {
        if (!(document instanceof Value.Obj(Map<String, Value> members))
                || !(members.get(ID) instanceof Value.Text(String id))) {
            return refused("A document has an id, which is a text.");
        }
        ItemRef item = new ItemRef.Named(id);
        Body body = Body.json(JsonText.writeBytes(document));
        Precondition precondition =
                etag instanceof Value.Text(String text) && !text.isEmpty()
                        ? Precondition.matching(text)
                        : Precondition.NONE;
        return switch (type instanceof Value.Int(long number) ? (int) number : -1) {
            case 0 -> write(new ItemWrite.Create(body, Optional.of(key)));
            case 1 -> write(new ItemWrite.Take(item, key, precondition));
            case 2 -> write(new ItemWrite.Replace(item, Optional.of(key), body, precondition));
            case 3 -> write(merge(item, key, body, false, precondition));
            case 4 -> write(new ItemWrite.Upsert(body, Optional.of(key), Precondition.NONE));
            case 5 -> write(merge(item, key, body, true, Precondition.NONE));
            case 6 ->
                    new BatchOperation.Read(RowKey.ofText(id), key, new Precondition.Impossible());
            default -> refused("The numbers of operations are 0 to 6.");
        };
    }

    private static BatchOperation write(ItemWrite write) {
        return new BatchOperation.Write(write);
    }

    private static BatchOperation refused(String text) {
        return new BatchOperation.Refused(new OrreryException(ErrorCode.BAD_REQUEST, text));
    }

    private static ItemWrite merge(
            ItemRef item, PartitionKey key, Body body, boolean upsert, Precondition precondition) {
        Evaluation evaluation = MergeDialect.evaluation(body);
        return new ItemWrite.Evaluate(item, key, evaluation, upsert, Images.AFTER, precondition);
    }

    /** A text that holds an array: of each item as it is now, or as it was before its delete. */
    private static Bytes body(BatchAnswer answer) {
        SystemProperties system = new SystemProperties(answer.container().rid());
        ByteSink array = new ByteSink();
        array.put('[');
        for (int i = 0; i < answer.results().size(); i++) {
            if (i > 0) {
                array.put(',');
            }
            Result.Done done = (Result.Done) answer.results().get(i);
            Item shown = done.item().or(done::before).orElseThrow();
            system.splice(
                    array,
                    shown.body().isEmpty() ? withoutBody(done, shown) : shown,
                    OptionalLong.empty());
        }
        array.put(']');
        return JsonText.writeBytes(Value.of(array.toBytes().toUtf8()));
    }

    /** Etag and time are all that clients look at after a write; a read is for the body. */
    private static Item withoutBody(Result.Done done, Item shown) {
        if (done.outcome() == ItemAnswer.Outcome.READ) {
            throw new OrreryException(
                    ErrorCode.BATCH_RESPONSE_TOO_LARGE,
                    "The items are too large for one answer. Read fewer at once.");
        }
        return shown.withBody(Bytes.ofUtf8("{}"));
    }

    /**
     * The SDK reads from this text which operation failed and why; it has nothing else, as all
     * failures of scripts have one status.
     */
    private static OrreryException failed(int index, OrreryException failure) {
        if (failure.code().isOfRate()) {
            return thrown("Failed to enqueue operation " + index);
        }
        String why =
                switch (failure.code()) {
                    case NOT_FOUND -> "Resource Not Found. ";
                    case PRECONDITION_FAILED -> "One of the specified pre-condition is not met. ";
                    case CONFLICT -> "Resource with specified id or name already exists. ";
                    default -> "";
                };
        return thrown(
                "OperationCount:"
                        + index
                        + ".\n{\"number\":"
                        + failure.code().status()
                        + ",\"body\":"
                        + JsonText.write(Value.of(why + failure.text()))
                        + "}");
    }

    private static OrreryException thrown(String text) {
        return new OrreryException(
                ErrorCode.SCRIPT_FAILED,
                "Encountered exception while executing Javascript. Exception = Error: " + text);
    }
}
