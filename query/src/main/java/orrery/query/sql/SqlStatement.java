package orrery.query.sql;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.BoundQuery;
import orrery.query.EncodedQuery;
import orrery.query.QueryRequest;
import orrery.query.QuerySize;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.AnswerShape;
import orrery.query.syntax.CalledFunctions;
import orrery.query.syntax.Query;

/** A SQL query as a tree, with the values of its parameters. */
public final class SqlStatement implements Statement {
    private final SqlTree tree;
    private final long characters;
    private final Map<String, Value> parameters;

    /** Made when it is asked for first; whoever makes it makes the same. */
    private volatile @Nullable EncodedQuery encoded;

    private SqlStatement(SqlTree tree, long characters, Map<String, Value> parameters) {
        this.tree = tree;
        this.characters = characters;
        // A parameter that is undefined is the same as one that is missing.
        this.parameters =
                parameters.entrySet().stream()
                        .filter(parameter -> parameter.getValue().isDefined())
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Fails with BAD_REQUEST for a text that is no query. Texts that were parsed lately are
     * remembered.
     *
     * @param parameters by name, with the {@code @}
     */
    public static SqlStatement parse(String text, Map<String, Value> parameters) {
        return new SqlStatement(QueryCache.OF_PROCESS.parse(text), text.length(), parameters);
    }

    /** Like the other method of this name. */
    public static SqlStatement parse(QueryRequest request) {
        return parse(request.query(), request.parameters());
    }

    /** A tree that was made without a text; its bytes count as one. */
    public static SqlStatement of(Query query) {
        SqlTree tree = SqlTree.of(query);
        return new SqlStatement(tree, tree.encoded().length(), Map.of());
    }

    /**
     * A tree without parameters.
     *
     * @param characters of the text that it was made of
     */
    static SqlStatement of(Query query, long characters) {
        return new SqlStatement(SqlTree.of(query), characters, Map.of());
    }

    /** Throws MalformedRecordException for bytes that no statement has written. */
    static SqlStatement read(Bytes payload) {
        BinaryReader in = new BinaryReader(payload);
        long characters = in.varint();
        SqlTree tree = QueryCache.OF_PROCESS.read(in.bytes());
        int count = in.count();
        Map<String, Value> parameters = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            if (parameters.put(in.string(), readValue(in.bytes())) != null) {
                throw new MalformedRecordException("a parameter comes twice");
            }
        }
        in.expectEnd();
        if (characters < 0) {
            throw new MalformedRecordException("a text has no such length");
        }
        return new SqlStatement(tree, characters, parameters);
    }

    private static Value readValue(Bytes json) {
        try {
            return JsonText.parse(json);
        } catch (OrreryException notJson) {
            throw new MalformedRecordException("a parameter is not JSON", notJson);
        }
    }

    @Override
    public EncodedQuery encoded() {
        EncodedQuery known = encoded;
        if (known == null) {
            BinaryWriter out = new BinaryWriter(tree.encoded().length() + 64);
            out.varint(characters).bytes(tree.encoded());
            out.list(
                    new TreeMap<>(parameters).entrySet(),
                    (w, parameter) -> {
                        w.string(parameter.getKey());
                        w.bytes(JsonText.writeBytes(parameter.getValue()));
                    });
            known = new EncodedQuery(SqlDialect.NAME, SqlDialect.VERSION, out.toBytes());
            encoded = known;
        }
        return known;
    }

    public Query query() {
        return tree.query();
    }

    Map<String, Value> parameters() {
        return parameters;
    }

    @Override
    public AnswerShape answer() {
        return SqlPreparation.shape(query());
    }

    @Override
    public Encoding encoding() {
        return Encoding.JSON;
    }

    @Override
    public QuerySize size() {
        return new QuerySize(characters, tree.nodes()).with(parameters);
    }

    @Override
    public boolean isDerived() {
        return query().derived().isPresent();
    }

    @Override
    public boolean isShort() {
        return QuerySize.isShort(characters, parameters);
    }

    @Override
    public Set<String> functions() {
        return CalledFunctions.of(query());
    }

    @Override
    public boolean isTimeless() {
        return tree.isTimeless();
    }

    @Override
    public BoundQuery bind(QuerySurroundings surroundings) {
        return new SqlBoundQuery(this, surroundings);
    }

    /**
     * Returns the query in FROM that has to run over all items first. It was a part of the text of
     * this one, and is charged for the whole.
     */
    Optional<SqlStatement> derived() {
        return query().derived()
                .map(inner -> new SqlStatement(SqlTree.of(inner), characters, parameters));
    }
}
