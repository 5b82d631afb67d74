package orrery.query.syntax;

import java.math.BigInteger;
import orrery.document.Value;
import orrery.query.grammar.CosmosSqlParser;
import orrery.query.grammar.CosmosSqlParser.LiteralContext;
import orrery.query.grammar.CosmosSqlParser.NumberContext;

/** From the text of a literal to its value. */
final class Literals {
    // 16 to the power of 256 is no double any more.
    private static final int MAX_HEX_DIGITS = 256;

    private Literals() {}

    static Value literal(LiteralContext tree) {
        return switch (tree.getStart().getType()) {
            case CosmosSqlParser.TRUE -> Value.of(true);
            case CosmosSqlParser.FALSE -> Value.of(false);
            case CosmosSqlParser.NULL -> Value.Null.NULL;
            case CosmosSqlParser.UNDEFINED -> Value.Undefined.UNDEFINED;
            case CosmosSqlParser.STRING -> Value.of(unquote(tree.STRING().getText()));
            default -> number(tree.number());
        };
    }

    static Value number(NumberContext tree) {
        return tree.INTEGER() != null
                ? integer(tree.INTEGER().getText())
                : Value.of(Double.parseDouble(tree.DECIMAL().getText()));
    }

    /** Never by way of long BigIntegers: those take quadratic time to read. */
    static Value integer(String text) {
        boolean isHex = text.startsWith("0x") || text.startsWith("0X");
        String digits = (isHex ? text.substring(2) : text);
        int zeros = 0;
        while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
            zeros++;
        }
        digits = digits.substring(zeros);
        if (isHex && digits.length() > MAX_HEX_DIGITS) {
            return new Value.Real(Double.POSITIVE_INFINITY);
        }
        if (!isHex && digits.length() > 19) {
            return Value.of(Double.parseDouble(digits));
        }
        var exact = new BigInteger(digits, isHex ? 16 : 10);
        return exact.bitLength() < Long.SIZE
                ? Value.of(exact.longValueExact())
                : Value.of(exact.doubleValue());
    }

    /** The grammar has checked the quotes and the escapes. */
    static String unquote(String token) {
        if (token.indexOf('\\') < 0) {
            return token.substring(1, token.length() - 1);
        }
        StringBuilder value = new StringBuilder(token.length());
        int at = 1;
        while (at < token.length() - 1) {
            char c = token.charAt(at++);
            if (c != '\\') {
                value.append(c);
                continue;
            }
            char escaped = token.charAt(at++);
            switch (escaped) {
                case 'b' -> value.append('\b');
                case 'f' -> value.append('\f');
                case 'n' -> value.append('\n');
                case 'r' -> value.append('\r');
                case 't' -> value.append('\t');
                case 'u' -> {
                    value.append((char) Integer.parseInt(token, at, at + 4, 16));
                    at += 4;
                }
                default -> value.append(escaped);
            }
        }
        return value.toString();
    }
}
