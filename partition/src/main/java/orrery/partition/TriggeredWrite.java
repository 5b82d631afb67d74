package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.ItemBody;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.TriggerOperation;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.Trigger;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.query.write.Images;
import orrery.script.ScriptCall;
import orrery.script.ScriptResult;

/** One write with the triggers before and after it, as one transaction. */
final class TriggeredWrite {
    private final ScriptExecutor executor;
    private final WriteRequest.WriteWithTriggers request;

    TriggeredWrite(ScriptExecutor executor, WriteRequest.WriteWithTriggers request) {
        this.executor = executor;
        this.request = request;
    }

    /**
     * The result of the write and its triggers.
     *
     * @param change which of the transaction's changes the write itself is
     * @param item the version it made, as it was then
     */
    private record Result(
            int change, Optional<Item> item, Optional<String> responseBody, String log) {}

    private static final class Answer implements ScriptExecutor.Keeping<Result> {
        @Override
        public void write(BinaryWriter out, Result result) {
            out.u32(result.change())
                    .optional(result.item(), (w, item) -> item.write(w))
                    .optional(result.responseBody(), BinaryWriter::string)
                    .string(result.log());
        }

        @Override
        public Result read(BinaryReader in) {
            return new Result(
                    in.u32(),
                    in.optional(Item::read),
                    in.optional(BinaryReader::string),
                    in.string());
        }
    }

    WriteResponse.Triggered run() {
        if (request.write().action() instanceof WriteAction.Evaluate) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A patch has no triggers: they run with a create, upsert, replace or delete.");
        }
        if (request.write().action() instanceof WriteAction.Delete(Images images)
                && images.before()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A delete with triggers cannot be answered with the item that it deleted.");
        }
        ScriptExecutor.Done<Result> done = executor.run(0, new Answer(), this::write);
        Result result = done.value();
        Outcome.ItemOutcome outcome = done.written().get(result.change());
        return new WriteResponse.Triggered(
                WriteRun.change(outcome),
                result.item()
                        .map(
                                item ->
                                        new Item(
                                                outcome.docid(),
                                                outcome.etag(),
                                                done.timeMillis(),
                                                done.lsn(),
                                                item.encoding(),
                                                item.body())),
                result.responseBody().map(done.names()::in).map(Bytes::ofUtf8),
                request.logs() ? done.names().in(result.log()) : "",
                done.lsn(),
                RequestCharge.batch(
                        1,
                        List.of(
                                Charges.of(request.write().action(), outcome),
                                RequestCharge.script(done.operations()))));
    }

    private Result write(ScriptTransaction transaction) {
        ItemKey key = request.write().key();
        WriteAction action = request.write().action();
        TriggerOperation operation = operation(action, transaction.find(key).isPresent());
        List<String> logs = new ArrayList<>();
        Optional<Bytes> body = body(action);
        for (Trigger trigger : request.before()) {
            if (trigger.operation().covers(operation)) {
                ScriptResult result =
                        executor.execute(
                                call(trigger, operation, body, Optional.empty(), transaction),
                                transaction);
                result.log().ifPresent(logs::add);
                if (body.isPresent()) {
                    body = Optional.of(changed(body.get(), result, transaction, key));
                }
            }
        }
        ItemKey target =
                body.isPresent()
                        ? transaction.key(
                                transaction
                                        .rowKey(
                                                transaction.checked(
                                                        stored(transaction, body.get())))
                                        .orElseThrow())
                        : key;
        // Triggers belong to SQL, whose clients send JSON.
        ItemKey replaced = action instanceof WriteAction.Upsert ? target : key;
        Optional<Body> kept =
                body.map(bytes -> stored(transaction, transaction.keepingWidths(replaced, bytes)));
        int change = transaction.rehearsal().changes().size();
        transaction.change(change(key, target, action, kept));
        Optional<Item> item =
                action instanceof WriteAction.Delete ? Optional.empty() : transaction.find(target);
        Optional<Bytes> shown = item.map(transaction::shown);
        Optional<Bytes> response = shown;
        for (Trigger trigger : request.after()) {
            if (trigger.operation().covers(operation)) {
                ScriptResult result =
                        executor.execute(
                                call(trigger, operation, body, response, transaction), transaction);
                result.log().ifPresent(logs::add);
                response = result.responseBody().map(Bytes::ofUtf8);
            }
        }
        return new Result(change, item, replaced(shown, response), String.join("\n", logs));
    }

    private static Body stored(ScriptTransaction transaction, Bytes body) {
        return new Body(transaction.format().encoding(), body);
    }

    /**
     * The body that a trigger left, which must be an item with an id of the same key. One that it
     * left alone keeps its bytes: in JSON it may have lost the widths of its numbers.
     */
    private static Bytes changed(
            Bytes given, ScriptResult result, ScriptTransaction transaction, ItemKey key) {
        Bytes left =
                Bytes.ofUtf8(
                        result.requestBody()
                                .orElseThrow(() -> bad("A trigger removed the item's body.")));
        if (JsonText.parse(left).equals(JsonText.parse(transaction.format().toJson(given)))) {
            return given;
        }
        ItemBody body = transaction.checked(left);
        if (body.id().isEmpty()) {
            throw bad("A trigger removed the id of the item '" + key.rowKey() + "'.");
        }
        return body.stored();
    }

    /** Returns the answer that a trigger put in place of the item, if it did. */
    private static Optional<String> replaced(Optional<Bytes> shown, Optional<Bytes> response) {
        if (response.isEmpty()
                || (shown.isPresent()
                        && JsonText.parse(shown.get()).equals(JsonText.parse(response.get())))) {
            return Optional.empty();
        }
        return response.map(Bytes::toUtf8);
    }

    /**
     * The change that the write comes to.
     *
     * @param target the key of the body that the triggers left, which may have another id
     */
    private Command.ItemChange change(
            ItemKey key, ItemKey target, WriteAction action, Optional<Body> body) {
        Precondition precondition = request.write().precondition();
        return switch (action) {
            case WriteAction.Create _ ->
                    WriteRun.put(
                            target, Command.Expect.ABSENT, Precondition.NONE, body.orElseThrow());
            case WriteAction.Upsert _ ->
                    WriteRun.put(target, Command.Expect.ANY, precondition, body.orElseThrow());
            case WriteAction.Replace _, WriteAction.Rename _ ->
                    WriteRun.replace(key, target.rowKey(), precondition, body.orElseThrow());
            case WriteAction.Delete _ -> new Command.ItemChange.Remove(key, precondition);
            case WriteAction.Evaluate _ -> throw new IllegalStateException("refused before");
        };
    }

    private ScriptCall call(
            Trigger trigger,
            TriggerOperation operation,
            Optional<Bytes> body,
            Optional<Bytes> response,
            ScriptTransaction transaction) {
        return new ScriptCall(
                trigger.source(),
                new Value.Array(List.of()),
                switch (operation) {
                    case CREATE -> "Create";
                    case DELETE -> "Delete";
                    case REPLACE, UPDATE, UPSERT, ALL -> "Replace";
                },
                body.map(transaction.format()::toJson).map(JsonText::parse),
                response.map(JsonText::parse),
                transaction.links().self(),
                request.place().altLink());
    }

    private static TriggerOperation operation(WriteAction action, boolean isThere) {
        return switch (action) {
            case WriteAction.Create _ -> TriggerOperation.CREATE;
            case WriteAction.Delete _ -> TriggerOperation.DELETE;
            case WriteAction.Upsert _ when !isThere -> TriggerOperation.CREATE;
            case WriteAction.Upsert _,
                    WriteAction.Replace _,
                    WriteAction.Rename _,
                    WriteAction.Evaluate _ ->
                    TriggerOperation.REPLACE;
        };
    }

    private static Optional<Bytes> body(WriteAction action) {
        return switch (action) {
            case WriteAction.Create(Bytes body) -> Optional.of(body);
            case WriteAction.Upsert(Bytes body) -> Optional.of(body);
            case WriteAction.Replace(Bytes body) -> Optional.of(body);
            case WriteAction.Rename(RowKey _, Bytes body) -> Optional.of(body);
            case WriteAction.Delete _, WriteAction.Evaluate _ -> Optional.empty();
        };
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
