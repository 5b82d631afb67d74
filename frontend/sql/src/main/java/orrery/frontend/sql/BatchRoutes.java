package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.document.SystemProperties;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.Engine;
import orrery.gateway.api.ItemBatch;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.SizeLimits;

/** Batches and bulks: posts to {@code …/docs} that hold many operations. */
final class BatchRoutes {
    /** The service's limit on the body of a batch. */
    private static final int MAX_BODY_BYTES = SizeLimits.DEFAULT.maxItemBytes();

    private static final int OK = 200;
    private static final int MULTI_STATUS = 207;

    private final Engine engine;

    BatchRoutes(Engine engine) {
        this.engine = engine;
    }

    HttpReply run(SqlRequest request, RequestContext context, ContainerAddress address) {
        boolean isAtomic = request.strictFlag(SqlHeaders.BATCH_ATOMIC);
        try {
            return run(request, context, address, isAtomic);
        } catch (OrreryException failure) {
            // Clients of bulks look for the plain code where a container is gone.
            throw !isAtomic && failure.code() == ErrorCode.OWNER_NOT_FOUND
                    ? failure.withCode(ErrorCode.NOT_FOUND)
                    : failure;
        }
    }

    private HttpReply run(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            boolean isAtomic) {
        ItemRoutes.refuseWhatIsNotBuilt(request);
        if (!request.triggers().isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "The operations of a batch have no triggers.");
        }
        Bytes body = request.body();
        if (body.length() > MAX_BODY_BYTES) {
            throw new OrreryException(ErrorCode.TOO_LARGE, ItemRules.TOO_LARGE);
        }
        boolean areRows = BatchRows.isRows(body);
        List<BatchLine> lines = areRows ? BatchRows.parse(body) : BatchJson.parse(body);
        BatchAnswer answer =
                engine.batch(
                        context, address.ref(), batch(request, context, address, isAtomic, lines));
        SqlReply reply = reply(request, address, isAtomic, answer);
        SystemProperties system = new SystemProperties(answer.container().rid());
        List<BatchLineResult> results = results(request, lines, answer);
        return areRows
                ? reply.binary(BatchRows.write(results, system)).build()
                : reply.body(BatchJson.write(results, system)).build();
    }

    private ItemBatch batch(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            boolean isAtomic,
            List<BatchLine> lines) {
        boolean continues = request.strictFlag(SqlHeaders.BATCH_CONTINUE_ON_ERROR);
        boolean isOrdered = request.strictFlag(SqlHeaders.BATCH_ORDERED);
        if (isAtomic && continues) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A batch cannot be both atomic and continue on errors: send either "
                            + SqlHeaders.BATCH_ATOMIC
                            + " or "
                            + SqlHeaders.BATCH_CONTINUE_ON_ERROR
                            + ".");
        }
        ContainerDefinition container = container(context, address);
        Optional<PartitionKey> key = key(request, container);
        List<BatchOperation> operations =
                lines.stream().map(line -> line.operation(key, container.kind())).toList();
        if (!isAtomic) {
            return new ItemBatch.Bulk(operations, isOrdered, continues);
        }
        return new ItemBatch.Atomic(
                key.orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "PartitionKey value must be supplied for this operation."
                                                + " Send it in x-ms-documentdb-partitionkey.")),
                operations);
    }

    /**
     * Looks at the container without the range of the request: the batch itself is told when that
     * range is gone.
     */
    private ContainerDefinition container(RequestContext context, ContainerAddress address) {
        return engine.readOwner(context, address.ref().withRange(OptionalInt.empty())).definition();
    }

    /** The key of all operations that have none of their own. */
    private static Optional<PartitionKey> key(SqlRequest request, ContainerDefinition container) {
        return request.partitionKey()
                .or(
                        () ->
                                container.partitionKey().paths().isEmpty()
                                        ? Optional.of(PartitionKey.EMPTY)
                                        : Optional.empty());
    }

    private static SqlReply reply(
            SqlRequest request, ContainerAddress address, boolean isAtomic, BatchAnswer answer) {
        Owner owner = address.owner(answer.container());
        SessionToken token = ofOneRange(request, answer.sessionToken());
        SqlReply reply =
                new SqlReply(request, answer.isRefused() ? MULTI_STATUS : OK)
                        .charge(answer.charge())
                        .sessionToken(token);
        if (isAtomic && answer.isRefused()) {
            reply.ownerPath(owner.path());
        } else {
            reply.owner(owner.rid(), owner.path());
        }
        token.lsnByRange()
                .forEach(
                        (range, lsn) ->
                                reply.header(SqlHeaders.RANGE_ID, Integer.toString(range))
                                        .header(SqlHeaders.LSN, Long.toString(lsn)));
        return reply;
    }

    /**
     * SDKs cannot read a token of several ranges here. There are several only when a split came
     * between; then the one counts that the client named, or else the youngest.
     */
    private static SessionToken ofOneRange(SqlRequest request, SessionToken token) {
        if (token.lsnByRange().size() <= 1) {
            return token;
        }
        int range =
                request.rangeId().isPresent() && token.lsn(request.rangeId().getAsInt()).isPresent()
                        ? request.rangeId().getAsInt()
                        : token.lsnByRange().lastKey();
        return SessionToken.of(range, token.lsn(range).orElseThrow());
    }

    private static List<BatchLineResult> results(
            SqlRequest request, List<BatchLine> lines, BatchAnswer answer) {
        List<BatchLineResult> results = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            BatchLine line = lines.get(i);
            boolean isMinimal =
                    line.type() != BatchLine.Type.READ
                            && (line.isMinimal() || request.prefersMinimal());
            results.add(BatchLineResult.of(answer.results().get(i), isMinimal));
        }
        return results;
    }
}
