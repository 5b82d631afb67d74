package orrery.query.syntax;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import orrery.document.Value;

/** An expression with one value. Equal expressions are equal records, wherever they stood. */
public sealed interface Scalar {
    record Constant(Value value) implements Scalar {}

    /**
     * @param name with its {@code @}
     */
    record Parameter(String name) implements Scalar {}

    /** The item that a row is made from. Only the first source of a whole query names it. */
    record Item() implements Scalar {}

    /** The value that a source bound to its alias. */
    record Reference(String alias) implements Scalar {}

    /** {@code base.name} or {@code base["name"]}. */
    record Property(Scalar base, String name) implements Scalar {}

    /** {@code base[index]} where the index is not a constant text. */
    record Index(Scalar base, Scalar index) implements Scalar {}

    record ArrayOf(List<Scalar> elements) implements Scalar {
        public ArrayOf {
            elements = List.copyOf(elements);
        }
    }

    /** No two members have the same name. */
    record ObjectOf(List<Member> members) implements Scalar {
        public ObjectOf {
            members = List.copyOf(members);
        }
    }

    record Member(String name, Scalar value) {}

    record Prefix(PrefixOperator operator, Scalar operand) implements Scalar {}

    record Infix(InfixOperator operator, Scalar left, Scalar right) implements Scalar {}

    /** At least two operands. */
    record And(List<Scalar> operands) implements Scalar {
        public And {
            operands = List.copyOf(operands);
        }
    }

    /** At least two operands. */
    record Or(List<Scalar> operands) implements Scalar {
        public Or {
            operands = List.copyOf(operands);
        }
    }

    record Between(Scalar value, Scalar low, Scalar high) implements Scalar {}

    record In(Scalar value, List<Scalar> candidates) implements Scalar {
        public In {
            candidates = List.copyOf(candidates);
        }
    }

    record Like(Scalar value, Scalar pattern, Optional<Character> escape) implements Scalar {}

    /** {@code a ?? b ?? c}: the first that is defined. */
    record Coalesce(List<Scalar> operands) implements Scalar {
        public Coalesce {
            operands = List.copyOf(operands);
        }
    }

    record Conditional(Scalar test, Scalar then, Scalar otherwise) implements Scalar {}

    record Call(BuiltIn function, List<Scalar> arguments) implements Scalar {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** A function that the user registered with the container. */
    record UdfCall(String name, List<Scalar> arguments) implements Scalar {
        public UdfCall {
            arguments = List.copyOf(arguments);
        }
    }

    record Subquery(SubqueryKind kind, Query query) implements Scalar {}

    /** The expressions directly inside this one; those of a subquery are not among them. */
    default List<Scalar> children() {
        return switch (this) {
            case Constant _, Parameter _, Item _, Reference _, Subquery _ -> List.of();
            case Property(Scalar base, _) -> List.of(base);
            case Index(Scalar base, Scalar index) -> List.of(base, index);
            case ArrayOf(List<Scalar> elements) -> elements;
            case ObjectOf(List<Member> members) -> members.stream().map(Member::value).toList();
            case Prefix(_, Scalar operand) -> List.of(operand);
            case Infix(_, Scalar left, Scalar right) -> List.of(left, right);
            case And(List<Scalar> operands) -> operands;
            case Or(List<Scalar> operands) -> operands;
            case Between(Scalar value, Scalar low, Scalar high) -> List.of(value, low, high);
            case In(Scalar value, List<Scalar> candidates) ->
                    Stream.concat(Stream.of(value), candidates.stream()).toList();
            case Like(Scalar value, Scalar pattern, _) -> List.of(value, pattern);
            case Coalesce(List<Scalar> operands) -> operands;
            case Conditional(Scalar test, Scalar then, Scalar otherwise) ->
                    List.of(test, then, otherwise);
            case Call(_, List<Scalar> arguments) -> arguments;
            case UdfCall(_, List<Scalar> arguments) -> arguments;
        };
    }

    /** Returns true if every row of a query gives it the same value. */
    default boolean isConstant() {
        return switch (this) {
            case Item _, Reference _, Subquery _, UdfCall _ -> false;
            case Call(BuiltIn function, _)
                    when function.isAggregate() || !function.isDeterministic() ->
                    false;
            default -> {
                // No stream: it would take too much stack in a deep expression.
                boolean isConstant = true;
                for (Scalar child : children()) {
                    isConstant = isConstant && child.isConstant();
                }
                yield isConstant;
            }
        };
    }

    enum PrefixOperator {
        MINUS,
        PLUS,
        COMPLEMENT,
        NOT
    }

    enum InfixOperator {
        MULTIPLY,
        DIVIDE,
        REMAINDER,
        ADD,
        SUBTRACT,
        SHIFT_LEFT,
        SHIFT_RIGHT,
        SHIFT_RIGHT_UNSIGNED,
        LESS,
        GREATER,
        LESS_OR_EQUAL,
        GREATER_OR_EQUAL,
        EQUAL,
        NOT_EQUAL,
        BIT_AND,
        BIT_XOR,
        BIT_OR,
        CONCAT
    }

    enum SubqueryKind {
        SCALAR,
        EXISTS,
        ARRAY,
        ALL,
        FIRST,
        LAST
    }
}
