package orrery.frontend.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import orrery.document.BsonValue;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * A syntax tree as text again, in the form that the service gives rewritten queries: a clause a
 * line, an operator a pair of parentheses. Parsing the text gives the same tree.
 */
public final class QueryPrinter {
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*");

    // Words that cannot stand for a property after a dot.
    private static final Set<String> RESERVED =
            Set.of(
                    "AND",
                    "ARRAY",
                    "AS",
                    "ASC",
                    "BETWEEN",
                    "BY",
                    "DESC",
                    "DISTINCT",
                    "ESCAPE",
                    "EXISTS",
                    "FROM",
                    "GROUP",
                    "IN",
                    "JOIN",
                    "LEFT",
                    "LIKE",
                    "LIMIT",
                    "NOT",
                    "OFFSET",
                    "OR",
                    "ORDER",
                    "RIGHT",
                    "SELECT",
                    "TOP",
                    "VALUE",
                    "WHERE",
                    "TRUE",
                    "FALSE",
                    "NULL",
                    "UNDEFINED");

    /** At the beginning of a FROM any name means the container. */
    private static final String CONTAINER = "root";

    private QueryPrinter() {}

    public static String print(Query query) {
        return print(query, query.where().map(QueryPrinter::print));
    }

    /**
     * A query with another filter.
     *
     * @param where in parentheses already; may hold what is no syntax, like a placeholder
     */
    static String print(Query query, Optional<String> where) {
        List<String> clauses = new ArrayList<>();
        clauses.add(select(query));
        for (int i = 0; i < query.from().size(); i++) {
            clauses.add((i == 0 ? "FROM " : "JOIN ") + source(query.from().get(i)));
        }
        where.ifPresent(filter -> clauses.add("WHERE " + inParentheses(filter)));
        if (!query.groupBy().isEmpty()) {
            clauses.add("GROUP BY " + list(query.groupBy()));
        }
        query.orderBy().ifPresent(ordering -> clauses.add(ordering(ordering)));
        query.window()
                .ifPresent(
                        window ->
                                clauses.add(
                                        "OFFSET "
                                                + print(window.offset())
                                                + " LIMIT "
                                                + print(window.limit())));
        return String.join("\n", clauses);
    }

    private static String inParentheses(String text) {
        return text.startsWith("(") && text.endsWith(")") ? text : "(" + text + ")";
    }

    private static String select(Query query) {
        StringBuilder text = new StringBuilder("SELECT ");
        if (query.distinct()) {
            text.append("DISTINCT ");
        }
        query.top().ifPresent(top -> text.append("TOP ").append(print(top)).append(' '));
        switch (query.selection()) {
            case Selection.Everything _ -> text.append('*');
            case Selection.Bare(Scalar value) -> text.append("VALUE ").append(print(value));
            case Selection.Items(List<Selection.Item> items) ->
                    text.append(String.join(", ", items.stream().map(QueryPrinter::item).toList()));
        }
        return text.toString();
    }

    /** Leaves out its name only where the parser would find the same one. */
    private static String item(Selection.Item item) {
        boolean isImplied =
                switch (item.value()) {
                    case Scalar.Reference(String alias) -> alias.equals(item.name());
                    case Scalar.Property(_, String name) -> name.equals(item.name());
                    default -> item.name().startsWith("$");
                };
        return isImplied ? print(item.value()) : print(item.value()) + " AS " + item.name();
    }

    private static String source(Source source) {
        return switch (source) {
            case Source.Iterated(String name, Source.Collection collection) ->
                    name + " IN " + collection(collection);
            case Source.Bound(Optional<String> alias, Source.Collection.Single(Scalar.Item _)) ->
                    alias.orElse(CONTAINER);
            case Source.Bound(Optional<String> alias, Source.Collection collection) ->
                    collection(collection) + alias.map(name -> " AS " + name).orElse("");
        };
    }

    private static String collection(Source.Collection collection) {
        return switch (collection) {
            case Source.Collection.Single(Scalar value) -> print(value);
            case Source.Collection.Results(Query query) -> nested(query);
        };
    }

    private static String nested(Query query) {
        return "(\n" + print(query).indent(4) + ")";
    }

    private static String ordering(Ordering ordering) {
        String keyword = ordering instanceof Ordering.ByRank ? "ORDER BY RANK " : "ORDER BY ";
        return keyword
                + String.join(
                        ", ",
                        ordering.items().stream()
                                .map(
                                        each ->
                                                print(each.value())
                                                        + (each.descending() ? " DESC" : ""))
                                .toList());
    }

    static String print(Scalar scalar) {
        return switch (scalar) {
            case Scalar.Constant(Value value) -> constant(value);
            case Scalar.Parameter(String name) -> name;
            case Scalar.Item _ -> CONTAINER;
            case Scalar.Reference(String alias) -> alias;
            case Scalar.Property(Scalar base, String name) ->
                    isName(name)
                            ? base(base) + "." + name
                            : base(base) + "[" + constant(Value.of(name)) + "]";
            case Scalar.Index(Scalar base, Scalar index) -> base(base) + "[" + print(index) + "]";
            case Scalar.ArrayOf(List<Scalar> elements) -> "[" + list(elements) + "]";
            case Scalar.ObjectOf(List<Scalar.Member> members) ->
                    "{"
                            + String.join(", ", members.stream().map(QueryPrinter::member).toList())
                            + "}";
            case Scalar.Prefix(Scalar.PrefixOperator operator, Scalar operand) ->
                    "(" + symbol(operator) + print(operand) + ")";
            case Scalar.Infix infix -> "(" + chain(infix) + ")";
            case Scalar.And(List<Scalar> operands) -> chain(operands, " AND ");
            case Scalar.Or(List<Scalar> operands) -> chain(operands, " OR ");
            case Scalar.Between(Scalar value, Scalar low, Scalar high) ->
                    "(" + print(value) + " BETWEEN " + print(low) + " AND " + print(high) + ")";
            case Scalar.In(Scalar value, List<Scalar> candidates) ->
                    "(" + print(value) + " IN (" + list(candidates) + "))";
            case Scalar.Like(Scalar value, Scalar pattern, Optional<Character> escape) ->
                    "("
                            + print(value)
                            + " LIKE "
                            + print(pattern)
                            + escape.map(c -> " ESCAPE " + constant(Value.of(c.toString())))
                                    .orElse("")
                            + ")";
            case Scalar.Coalesce(List<Scalar> operands) -> chain(operands, " ?? ");
            case Scalar.Conditional(Scalar test, Scalar then, Scalar otherwise) ->
                    "(" + print(test) + " ? " + print(then) + " : " + print(otherwise) + ")";
            case Scalar.Call(var function, List<Scalar> arguments) ->
                    function + "(" + list(arguments) + ")";
            case Scalar.UdfCall(String name, List<Scalar> arguments) ->
                    "udf." + name + "(" + list(arguments) + ")";
            case Scalar.Subquery(Scalar.SubqueryKind kind, Query query) ->
                    (kind == Scalar.SubqueryKind.SCALAR ? "" : kind.name()) + nested(query);
        };
    }

    private static String list(List<Scalar> scalars) {
        return String.join(", ", scalars.stream().map(QueryPrinter::print).toList());
    }

    private static String chain(List<Scalar> operands, String operator) {
        return "("
                + String.join(operator, operands.stream().map(QueryPrinter::print).toList())
                + ")";
    }

    /** A long chain of one operator stays flat: the parser bounds how deep parentheses go. */
    private static String chain(Scalar.Infix infix) {
        String left =
                infix.left() instanceof Scalar.Infix inner && inner.operator() == infix.operator()
                        ? chain(inner)
                        : print(infix.left());
        return left + " " + symbol(infix.operator()) + " " + print(infix.right());
    }

    private static String member(Scalar.Member member) {
        return constant(Value.of(member.name())) + ": " + print(member.value());
    }

    /** A number before a dot would be read as another number. */
    private static String base(Scalar base) {
        return base instanceof Scalar.Constant ? "(" + print(base) + ")" : print(base);
    }

    private static String constant(Value value) {
        return switch (value) {
            case Value.Undefined _ -> "undefined";
            case Value.Real(double number) when Double.isNaN(number) -> "NaN";
            case Value.Real(double number) when Double.isInfinite(number) -> "Infinity";
            case Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    Value.Array _,
                    Value.Obj _,
                    BsonValue _ ->
                    JsonText.write(value);
        };
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches() && !RESERVED.contains(text.toUpperCase(Locale.ROOT));
    }

    private static String symbol(Scalar.PrefixOperator operator) {
        return switch (operator) {
            case MINUS -> "-";
            case PLUS -> "+";
            case COMPLEMENT -> "~";
            case NOT -> "NOT ";
        };
    }

    private static String symbol(Scalar.InfixOperator operator) {
        return switch (operator) {
            case MULTIPLY -> "*";
            case DIVIDE -> "/";
            case REMAINDER -> "%";
            case ADD -> "+";
            case SUBTRACT -> "-";
            case SHIFT_LEFT -> "<<";
            case SHIFT_RIGHT -> ">>";
            case SHIFT_RIGHT_UNSIGNED -> ">>>";
            case LESS -> "<";
            case GREATER -> ">";
            case LESS_OR_EQUAL -> "<=";
            case GREATER_OR_EQUAL -> ">=";
            case EQUAL -> "=";
            case NOT_EQUAL -> "!=";
            case BIT_AND -> "&";
            case BIT_XOR -> "^";
            case BIT_OR -> "|";
            case CONCAT -> "||";
        };
    }
}
