package orrery.partition;

import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.machine.Rehearsal;
import orrery.query.PreparedQueries;
import orrery.query.QueryRequest;
import orrery.query.Statement;
import orrery.query.sql.SqlStatement;

/**
 * The queries of one run of a script, on the items as the script has them before it.
 *
 * <p>A script makes the text of a query while it runs, at the leader. So it is parsed here, and
 * nowhere else behind the door ({@code ImportRulesTest}). The rest of a partition gets trees.
 */
final class ScriptQueries {
    static final Statement ALL_ITEMS = SqlStatement.parse("SELECT * FROM c", Map.of());

    private static final int DEFAULT_PAGE = 100;
    private static final int MAX_PAGE = 1000;

    private final Rehearsal rehearsal;
    private final PartitionId partition;
    private final PartitionKey key;
    private final ScriptPlace place;
    private final PreparedQueries prepared;
    private final FunctionCalls functions;
    private final long stampMillis;

    ScriptQueries(
            Rehearsal rehearsal,
            PartitionId partition,
            PartitionKey key,
            ScriptPlace place,
            PreparedQueries prepared,
            FunctionCalls functions,
            long stampMillis) {
        this.rehearsal = rehearsal;
        this.partition = partition;
        this.key = key;
        this.place = place;
        this.prepared = prepared;
        this.functions = functions;
        this.stampMillis = stampMillis;
    }

    /** Throws BAD_REQUEST for what is not a query, in the words that clients hear. */
    static Statement parse(String json) {
        return SqlStatement.parse(QueryRequest.parse(Bytes.ofUtf8(json)));
    }

    /**
     * Returns a page of the answer.
     *
     * @param options those of the script's call: {@code pageSize}, {@code continuation}
     */
    ReadResponse.QueryPage page(Statement statement, Map<String, Value> options) {
        ReadRequest.Query request =
                new ReadRequest.Query(
                        partition,
                        place.database(),
                        statement.encoded(),
                        KeyRange.FULL,
                        Optional.of(key),
                        continuation(options),
                        Optional.empty(),
                        Optional.empty(),
                        pageSize(options),
                        rehearsal
                                .state()
                                .definition()
                                .current()
                                .definition()
                                .kind()
                                .limits()
                                .maxPageBytes(),
                        0,
                        functions.calledBy(statement));
        try {
            return QueryReader.ofRehearsal(rehearsal.state(), prepared, stampMillis)
                    .read(rehearsal.view(), request, functions);
        } catch (MalformedRecordException | IllegalArgumentException notOurs) {
            throw notOurs();
        }
    }

    /** Writes the token that a script gets for the next page. */
    static String token(Bytes next) {
        return Base64.getEncoder().encodeToString(next.unsafeArray());
    }

    private static Optional<Bytes> continuation(Map<String, Value> options) {
        return switch (options.getOrDefault("continuation", Value.Null.NULL)) {
            case Value.Null _ -> Optional.empty();
            case Value.Text(String text) when text.isEmpty() -> Optional.empty();
            case Value.Text(String text) -> Optional.of(decoded(text));
            default -> throw ScriptTransaction.bad("A continuation must be a string.");
        };
    }

    private static Bytes decoded(String token) {
        try {
            return Bytes.wrap(Base64.getDecoder().decode(token));
        } catch (IllegalArgumentException notBase64) {
            throw notOurs();
        }
    }

    private static OrreryException notOurs() {
        return ScriptTransaction.bad(
                "The continuation is not one that a query of this script returned.");
    }

    private static int pageSize(Map<String, Value> options) {
        return switch (options.getOrDefault("pageSize", Value.Null.NULL)) {
            case Value.Null _ -> DEFAULT_PAGE;
            case Value.Int(long size) when size == -1 -> MAX_PAGE;
            case Value.Int(long size) when size > 0 -> (int) Math.min(size, MAX_PAGE);
            default -> throw ScriptTransaction.bad("A page size must be a positive number, or -1.");
        };
    }
}
