package orrery.partition;

import java.util.List;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.script.ScriptCall;
import orrery.script.ScriptResult;

/** Runs a stored procedure for one request. */
final class ProcedureRun {
    private final ScriptExecutor executor;
    private final WriteRequest.Execute request;

    ProcedureRun(ScriptExecutor executor, WriteRequest.Execute request) {
        this.executor = executor;
        this.request = request;
    }

    WriteResponse.Executed run() {
        Value.Array arguments = arguments(request.arguments());
        ScriptExecutor.Done<ScriptResult> done =
                executor.run(
                        request.minLsn(),
                        new Answer(),
                        transaction ->
                                executor.execute(
                                        new ScriptCall(
                                                request.source(),
                                                arguments,
                                                "Execute",
                                                Optional.empty(),
                                                Optional.empty(),
                                                transaction.links().self(),
                                                request.place().altLink()),
                                        transaction));
        return new WriteResponse.Executed(
                done.value().responseBody().map(done.names()::in).map(Bytes::ofUtf8),
                request.logs() ? done.value().log().map(done.names()::in).orElse("") : "",
                done.lsn(),
                ScriptExecutor.charge(done.operations()));
    }

    /** The body and the log of a procedure; it has no body of a request. */
    private static final class Answer implements ScriptExecutor.Keeping<ScriptResult> {
        @Override
        public void write(BinaryWriter out, ScriptResult result) {
            out.optional(result.responseBody(), BinaryWriter::string)
                    .optional(result.log(), BinaryWriter::string);
        }

        @Override
        public ScriptResult read(BinaryReader in) {
            return new ScriptResult(
                    Optional.empty(),
                    in.optional(BinaryReader::string),
                    in.optional(BinaryReader::string));
        }
    }

    private static Value.Array arguments(Bytes json) {
        if (json.isEmpty()) {
            return new Value.Array(List.of());
        }
        if (JsonText.parse(json) instanceof Value.Array array) {
            return array;
        }
        throw new OrreryException(
                ErrorCode.BAD_REQUEST, "The arguments of a stored procedure must be a JSON array.");
    }
}
