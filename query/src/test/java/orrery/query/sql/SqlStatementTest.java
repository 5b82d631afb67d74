package orrery.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.Dialects;
import orrery.query.EncodedQuery;
import orrery.query.QuerySize;
import orrery.query.cases.QueryCase;
import orrery.query.cases.QueryCases;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/** SQL's payload: what is written can be read, and what cannot be read is refused. */
final class SqlStatementTest {
    static List<String> files() {
        return QueryCases.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyCaseComesBackAsItWas(String file) {
        for (QueryCase each : QueryCases.read(file)) {
            SqlStatement statement;
            try {
                statement = SqlStatement.parse(each.query(), each.parameters());
            } catch (OrreryException noQuery) {
                continue;
            }
            // The cache would give back the very tree that was written.
            assertThat(TreeReader.read(TreeWriter.write(statement.query())))
                    .as(each.query())
                    .isEqualTo(statement.query());
            SqlStatement read = SqlStatement.read(statement.encoded().payload());
            assertThat(read.parameters()).isEqualTo(statement.parameters());
            assertThat(read.size()).isEqualTo(statement.size());
        }
    }

    @Test
    void theSizeIsThatOfTheText() {
        Map<String, Value> parameters = Map.of("@p", Value.of("abc"));
        String text = "SELECT   *   FROM c WHERE c.a = @p";
        QuerySize size = new QuerySize(text.length() + 5, 6);
        assertThat(SqlStatement.parse(text, parameters).size()).isEqualTo(size);
        assertThat(
                        SqlStatement.read(SqlStatement.parse(text, parameters).encoded().payload())
                                .size())
                .isEqualTo(size);
    }

    @Test
    void parametersThatAreUndefinedAreNotSent() {
        assertThat(
                        SqlStatement.parse("SELECT @p", Map.of("@p", Value.Undefined.UNDEFINED))
                                .encoded())
                .isEqualTo(SqlStatement.parse("SELECT @p", Map.of()).encoded());
    }

    /** The deepest text that the parser takes can be sent. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"[|]", "{a:|}", "(|)", "-|", "NOT |", "ABS(|)", "(SELECT VALUE |)", "c.a[|]"})
    void theDeepestTextsCanBeSent(String opening, String closing) {
        Query deepest = QueryParser.query("SELECT VALUE 1");
        for (int depth = 1; depth <= 400; depth++) {
            String end = closing == null ? "" : closing;
            String text =
                    "SELECT VALUE "
                            + (opening + " ").repeat(depth)
                            + "c.a"
                            + end.repeat(depth)
                            + " FROM c";
            try {
                deepest = QueryParser.query(text);
            } catch (OrreryException tooDeep) {
                assertThat(tooDeep).hasMessageContaining("too deeply");
                break;
            }
        }
        assertThat(TreeReader.read(TreeWriter.write(deepest))).isEqualTo(deepest);
    }

    @Test
    void theWidestTextsCanBeSent() {
        Query widest = QueryParser.query("SELECT VALUE 1 IN (" + "2,".repeat(249_900) + "1)");
        assertThat(TreeReader.read(TreeWriter.write(widest))).isEqualTo(widest);
    }

    /** SELECT VALUE, then this many NOTs around a constant. */
    private static Bytes nested(int levels) {
        BinaryWriter out = head();
        for (int i = 0; i < levels; i++) {
            out.u8(NodeKind.PREFIX.number()).string("NOT");
        }
        return tail(out.u8(NodeKind.UNDEFINED.number()));
    }

    private static BinaryWriter head() {
        return new BinaryWriter().varint(0).bool(false).bool(false).u8(TreeWriter.BARE);
    }

    private static Bytes tail(BinaryWriter out) {
        return out.bool(false).varint(0).bool(false).bool(false).toBytes();
    }

    @Test
    void deepTreesAreRefused() {
        assertThat(TreeReader.read(nested(498))).isNotNull();
        assertThatThrownBy(() -> TreeReader.read(nested(499)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessage("the query is nested too deeply");
    }

    private static Bytes wide(int elements) {
        BinaryWriter out = head().u8(NodeKind.ARRAY.number()).varint(elements);
        for (int i = 0; i < elements; i++) {
            out.u8(NodeKind.UNDEFINED.number());
        }
        return tail(out);
    }

    @Test
    void largeTreesAreRefused() {
        int most = 2 * QueryParser.MAX_NODES - 1;
        assertThat(TreeReader.read(wide(most))).isNotNull();
        assertThatThrownBy(() -> TreeReader.read(wide(most + 1)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessage("the query has too many expressions");
    }

    @Test
    void whatTheParserWouldRefuseIsRefused() {
        assertRefused(
                head().u8(NodeKind.CALL.number()).string("ABS").varint(0),
                "ABS does not take 0 arguments");
        assertRefused(
                head().u8(NodeKind.CALL.number()).string("NONE").varint(0),
                "unknown BuiltIn 'NONE'");
        assertRefused(
                head().u8(NodeKind.INFIX.number()).string("PLUS"), "unknown InfixOperator 'PLUS'");
        assertRefused(
                head().u8(NodeKind.REFERENCE.number()).varint(1).varint('c'),
                "no source has the name that is referred to");
        assertRefused(head().u8(NodeKind.AND.number()).varint(0), "an operator lacks an operand");
        assertRefused(head().u8(0), "unknown kind of expression: 0");
        assertRefused(head().u8(22), "unknown kind of expression: 22");
        assertRefused(
                new BinaryWriter().varint(0).bool(false).bool(false).u8(TreeWriter.EVERYTHING),
                "a * needs one source");
    }

    private static void assertRefused(BinaryWriter tree, String message) {
        assertThatThrownBy(() -> TreeReader.read(tail(tree)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessage(message);
    }

    @Test
    void whatANodeCannotReadIsABadRequest() {
        Dialects dialects = new Dialects(SqlDialect.INSTANCE);
        EncodedQuery query = SqlStatement.parse("SELECT 1", Map.of()).encoded();
        assertThat(dialects.read(query).encoded()).isEqualTo(query);
        assertBad(
                dialects,
                new EncodedQuery("gremlin", 1, query.payload()),
                "This node does not know the query language 'gremlin'.");
        assertBad(
                dialects,
                new EncodedQuery("sql", 2, query.payload()),
                "This node reads version 1 of sql queries, and this one has version 2.");
        assertBad(
                dialects,
                new EncodedQuery("sql", 1, Bytes.ofHex("00")),
                "The query that was sent is damaged: record ends early.");
    }

    private static void assertBad(Dialects dialects, EncodedQuery query, String message) {
        assertThatThrownBy(() -> dialects.read(query))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessage(message);
    }
}
