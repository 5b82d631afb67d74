package orrery.query.syntax;

import org.antlr.v4.runtime.Token;
import orrery.query.grammar.CosmosSqlParser;

/** From the token of an operator to the operator. */
final class OperatorTokens {
    private OperatorTokens() {}

    static Scalar.PrefixOperator prefix(Token token) {
        return switch (token.getType()) {
            case CosmosSqlParser.MINUS -> Scalar.PrefixOperator.MINUS;
            case CosmosSqlParser.PLUS -> Scalar.PrefixOperator.PLUS;
            case CosmosSqlParser.TILDE -> Scalar.PrefixOperator.COMPLEMENT;
            default -> Scalar.PrefixOperator.NOT;
        };
    }

    static Scalar.InfixOperator infix(Token token) {
        return switch (token.getType()) {
            case CosmosSqlParser.STAR -> Scalar.InfixOperator.MULTIPLY;
            case CosmosSqlParser.SLASH -> Scalar.InfixOperator.DIVIDE;
            case CosmosSqlParser.PERCENT -> Scalar.InfixOperator.REMAINDER;
            case CosmosSqlParser.PLUS -> Scalar.InfixOperator.ADD;
            case CosmosSqlParser.MINUS -> Scalar.InfixOperator.SUBTRACT;
            case CosmosSqlParser.SHIFT_LEFT -> Scalar.InfixOperator.SHIFT_LEFT;
            case CosmosSqlParser.SHIFT_RIGHT -> Scalar.InfixOperator.SHIFT_RIGHT;
            case CosmosSqlParser.SHIFT_RIGHT_UNSIGNED -> Scalar.InfixOperator.SHIFT_RIGHT_UNSIGNED;
            case CosmosSqlParser.LESS -> Scalar.InfixOperator.LESS;
            case CosmosSqlParser.GREATER -> Scalar.InfixOperator.GREATER;
            case CosmosSqlParser.LESS_OR_EQUAL -> Scalar.InfixOperator.LESS_OR_EQUAL;
            case CosmosSqlParser.GREATER_OR_EQUAL -> Scalar.InfixOperator.GREATER_OR_EQUAL;
            case CosmosSqlParser.EQUAL -> Scalar.InfixOperator.EQUAL;
            case CosmosSqlParser.NOT_EQUAL -> Scalar.InfixOperator.NOT_EQUAL;
            case CosmosSqlParser.AMPERSAND -> Scalar.InfixOperator.BIT_AND;
            case CosmosSqlParser.CARET -> Scalar.InfixOperator.BIT_XOR;
            case CosmosSqlParser.BAR -> Scalar.InfixOperator.BIT_OR;
            case CosmosSqlParser.DOUBLE_BAR -> Scalar.InfixOperator.CONCAT;
            default -> throw new IllegalStateException("an operator that the grammar lacks");
        };
    }
}
