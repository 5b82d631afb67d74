package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.SystemProperties;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.SizeLimits;
import orrery.model.resource.Container;

/** Batches and bulks: posts to {@code …/docs} that hold many operations. */
final class BatchRoutes {
    /** The service's limit on the body of a batch. */
    private static final int MAX_BODY_BYTES = SizeLimits.DEFAULT.maxItemBytes();

    private static final int OK = 200;
    private static final int MULTI_STATUS = 207;

    private final Items items;

    BatchRoutes(Items items) {
        this.items = items;
    }

    /** Returns true if the request is a batch whose operations are carried out one by one. */
    static boolean isBulk(SqlRequest request) {
        return request.flag(SqlHeaders.BATCH_REQUEST) && !request.flag(SqlHeaders.BATCH_ATOMIC);
    }

    HttpReply run(SqlRequest request, RequestContext context, ContainerAddress address) {
        boolean isAtomic = request.strictFlag(SqlHeaders.BATCH_ATOMIC);
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
                items.batch(context, address.ref(), batch(request, address, isAtomic, lines));
        SqlReply reply = reply(request, address, isAtomic, answer);
        SystemProperties system = new SystemProperties(answer.container().rid());
        List<BatchLineResult> results = results(request, lines, answer);
        return areRows
                ? reply.binary(BatchRows.write(results, system)).build()
                : reply.body(BatchJson.write(results, system)).build();
    }

    private ItemBatch batch(
            SqlRequest request, ContainerAddress address, boolean isAtomic, List<BatchLine> lines) {
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
        Container container = address.container();
        Optional<PartitionKey> key = key(request, container.definition());
        List<BatchOperation> operations =
                lines.stream().map(line -> line.operation(key, container)).toList();
        if (!isAtomic) {
            return new ItemBatch.Bulk(operations, isOrdered, continues, address.hints().range());
        }
        address.checkRange();
        return new ItemBatch.Atomic(
                key.orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "PartitionKey value must be supplied for this operation."
                                                + " Send it in x-ms-documentdb-partitionkey.")),
                operations);
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
        Owner owner = address.owner();
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
