package orrery.query.sql;

import orrery.model.codec.MalformedRecordException;

/**
 * The kinds of expressions in an encoded tree. A number is never given to another one; they are in
 * docs/formats/messages.md.
 */
enum NodeKind {
    CONSTANT(1),
    UNDEFINED(2),
    PARAMETER(3),
    ITEM(4),
    REFERENCE(5),
    PROPERTY(6),
    INDEX(7),
    ARRAY(8),
    OBJECT(9),
    PREFIX(10),
    INFIX(11),
    AND(12),
    OR(13),
    BETWEEN(14),
    IN(15),
    LIKE(16),
    COALESCE(17),
    CONDITIONAL(18),
    CALL(19),
    USER_FUNCTION(20),
    SUBQUERY(21);

    private static final NodeKind[] ALL = values();

    private final int number;

    NodeKind(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static NodeKind of(int number) {
        if (number < 1 || number > ALL.length) {
            throw new MalformedRecordException("unknown kind of expression: " + number);
        }
        return ALL[number - 1];
    }
}
