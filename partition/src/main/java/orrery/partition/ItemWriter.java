package orrery.partition;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.ItemLifetime;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;

/**
 * Turns one write request into a command. Whatever has to be computed, index terms and evaluations,
 * is computed here at the leader; the log carries final bytes.
 */
final class ItemWriter {
    private final WriteRun writeRun;
    private final WriteRequest.WriteItem request;
    private final KeySize keySize;

    ItemWriter(WriteRun writeRun, WriteRequest.WriteItem request, KeySize keySize) {
        this.writeRun = writeRun;
        this.request = request;
        this.keySize = keySize;
    }

    WriteResponse.Written run() {
        return switch (request.action()) {
            case WriteAction.Create(Bytes body) ->
                    submitted(put(Command.Expect.ABSENT, Precondition.NONE, body));
            case WriteAction.Upsert(Bytes body) ->
                    submitted(put(Command.Expect.ANY, request.precondition(), body));
            case WriteAction.Replace(Bytes body) ->
                    submitted(put(Command.Expect.PRESENT, request.precondition(), body));
            case WriteAction.Rename(RowKey id, Bytes body) ->
                    submitted(
                            WriteRun.replace(
                                    request.key(), id, request.precondition(), checked(body)));
            case WriteAction.Computed action when ChangeEvaluation.isNeeded(action) ->
                    evaluated(action);
            case WriteAction.Computed _ ->
                    submitted(new Command.ItemChange.Remove(request.key(), request.precondition()));
        };
    }

    private WriteResponse.Written evaluated(WriteAction.Computed action) {
        ChangeEvaluation evaluation = writeRun.evaluation(action, request.precondition());
        return new EvaluatedWrite(writeRun, action, evaluation, request.key(), keySize)
                .run(this::look);
    }

    private EvaluatedWrite.Sight look() {
        return new EvaluatedWrite.Sight.Named(
                request.key(),
                new ItemReader(writeRun.replica(), writeRun.state(), writeRun.stampMillis())
                        .find(new ReadRequest.ReadItem(request.partition(), request.key(), 0)));
    }

    private WriteResponse.Written submitted(Command.ItemChange change) {
        WriteRun.Decision decision =
                writeRun.submit(0, List.of(change), OptionalLong.empty(), keptIfStated());
        Outcome.Written written = decision.written(keySize);
        Outcome.ItemOutcome item = written.items().getFirst();
        return new WriteResponse.Written(
                WriteRun.change(item),
                decision.versionAfter(written, item, null),
                Optional.empty(),
                written.lsn(),
                Charges.of(request.action(), item));
    }

    /** A gateway that looks for a statement in all partitions wants to hear which item it wrote. */
    private Bytes keptIfStated() {
        return writeRun.isStated()
                ? KeptWrite.ofItem(request.key().rowKey()).encodeWithoutImages()
                : Bytes.EMPTY;
    }

    private Command.ItemChange put(Command.Expect expect, Precondition precondition, Bytes body) {
        return WriteRun.put(request.key(), expect, precondition, checked(body));
    }

    private Body checked(Bytes body) {
        Encoding encoding = writeRun.encoding();
        ItemLifetime.check(encoding, body);
        checkRule(body);
        return new Body(encoding, body);
    }

    /**
     * A resend of a write that was carried out hears of its success, also under a new validator.
     */
    private void checkRule(Bytes body) {
        try {
            writeRun.rule().check(body);
        } catch (OrreryException invalid) {
            if (writeRun.findCarriedOut(0).isEmpty()) {
                throw invalid;
            }
        }
    }
}
